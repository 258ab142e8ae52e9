/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.random.KernelRandom;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All keys of a device. The upper 24 bits of a key are unique, the lowest 8 need not be. All 32 are random, so that
 * knowing one key reveals nothing about others; but a program that binds a type 2 window or posts a fast registration
 * chooses the lowest 8.
 */
public final class MemoryKeys {
    /** Number of bits of a key that need not be unique. */
    static final int TAG_BITS = 8;

    /** Maximum number of keys: half of the possible ones, because free numbers are found by trial. */
    private static final int MOST = 1 << 31 - TAG_BITS;

    private final Random random = new KernelRandom();
    private final IntTable<MemoryKey> table = new IntTable<>();
    private final PageCounters pages = new PageCounters();

    /**
     * Keys that other processes chose, by all 32 bits; their numbers may equal those of this process's keys. Null until
     * there is one. They are looked up last, so that this process's keys cost no more.
     */
    private volatile IntTable<MemoryKey> imported;

    /** Those who use keys without counting. */
    private final Set<LastKey> users = ConcurrentHashMap.newKeySet();

    /** Adds a key under a new number. */
    MemoryKey add(ProtectionDomain pd, RegionMemory memory, int access) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), pd, memory, access);
        } while (!isAdded(key));
        return key;
    }

    /** Adds a key for a part of another key's memory. */
    MemoryKey add(ProtectionDomain pd, long addr, long length, int access, MemoryKey parent) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), pd, addr, length, access, parent);
        } while (!isAdded(key));
        return key;
    }

    /** Adds the key of a type 2 window, which stands for nothing yet. */
    MemoryKey add(QpWindow window) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), window);
        } while (!isAdded(key));
        return key;
    }

    /** Adds a key for fast registrations, which stands for nothing yet. */
    MemoryKey add(FastKey fast) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), fast);
        } while (!isAdded(key));
        return key;
    }

    /** Adds a key under the number that another process has chosen; returns null if an imported key already has it. */
    MemoryKey addImported(int number, ProtectionDomain pd, RegionMemory memory, int access) {
        IntTable<MemoryKey> all;
        synchronized (this) {
            all = imported == null ? new IntTable<>() : imported;
            imported = all;
        }
        MemoryKey key = new MemoryKey(number, pd, memory, access, true);
        return all.putIfAbsent(number, key) ? key : null;
    }

    private MemoryKey imported(int number) {
        IntTable<MemoryKey> all = imported;
        return all == null ? null : all.get(number);
    }

    private int newNumber() {
        if (table.size() >= MOST) {
            throw new VerbsException(Errno.ENOMEM, "reg_mr", "the device has no keys left; free regions and windows");
        }
        int number;
        do {
            number = random.nextInt();
        } while (index(number) == 0); // programs use 0 for "no key"
        return number;
    }

    /** Adds a key if its number is free, and returns whether it was. */
    private boolean isAdded(MemoryKey key) {
        return table.putIfAbsent(index(key.key()), key);
    }

    private static int index(int number) {
        return number >>> TAG_BITS;
    }

    /** Ends a key; when this returns, no thread touches its memory through it. */
    public void remove(MemoryKey key) {
        if (key.isImported()) {
            imported.remove(key.key());
        } else {
            table.remove(index(key.key()));
        }
        key.revoke(users);
    }

    /**
     * Pins as {@link #pin(int, ProtectionDomain, BoundWindows, long, long, int)} does, but only keys that are not
     * reserved for one queue pair.
     */
    public MemoryKey pin(int number, ProtectionDomain holder, long from, long count, int rights) {
        return pin(number, holder, null, from, count, rights);
    }

    /**
     * Finds a key that allows an access, and pins it.
     *
     * @param by the windows that are bound on the queue pair, or null
     * @return the key, which the caller must unpin; null if no key allows the access
     */
    public MemoryKey pin(int number, ProtectionDomain holder, BoundWindows by, long from, long count, int rights) {
        MemoryKey key = pinned(table.get(index(number)), number, holder, by, from, count, rights);
        return key != null ? key : pinned(imported(number), number, holder, by, from, count, rights);
    }

    /** Pins {@code key}, which may be null, if it has this number and allows the access; otherwise returns null. */
    private static MemoryKey pinned(
            MemoryKey key, int number, ProtectionDomain holder, BoundWindows by, long from, long count, int rights) {
        if (key == null || !key.pin()) {
            return null;
        }
        // While it is pinned it does not change, and the device still has it.
        if (key.key() == number && key.isFor(by) && key.allows(holder, from, count, rights)) {
            key.touch(from, count);
            return key;
        }
        key.unpin();
        return null;
    }

    /** Pins like the other overloads, but tries the key that was used last first. */
    public MemoryKey pin(
            LastKey last, int number, ProtectionDomain holder, BoundWindows by, long from, long count, int rights) {
        MemoryKey key = pinned(last.key, number, holder, by, from, count, rights);
        if (key == null) {
            key = pin(number, holder, by, from, count, rights);
            last.remember(key, this);
        }
        return key;
    }

    /**
     * Finds a key like {@link #pin(LastKey, int, ProtectionDomain, BoundWindows, long, long, int)}. The caller may
     * touch its memory only after {@link LastKey#mayTouch}, and releases it with {@link LastKey#end}.
     */
    public MemoryKey use(
            LastKey last, int number, ProtectionDomain holder, BoundWindows by, long from, long count, int rights) {
        MemoryKey key = last.key;
        if (key != null && key.isStill(number, holder, from, count, rights)) {
            last.begin(key);
            return key;
        }
        return pin(last, number, holder, by, from, count, rights);
    }

    void addUser(LastKey user) {
        users.add(user);
    }

    void removeUser(LastKey user) {
        users.remove(user);
    }

    /** {@return the number of queue pair ends that use keys without counting} */
    int users() {
        return users.size();
    }

    /** Pins a key without checking a range: the access concerns all of its memory. */
    public MemoryKey pinWhole(int number, ProtectionDomain holder, BoundWindows by, int rights) {
        MemoryKey key = pinnedWhole(table.get(index(number)), number, holder, by, rights);
        return key != null ? key : pinnedWhole(imported(number), number, holder, by, rights);
    }

    private static MemoryKey pinnedWhole(
            MemoryKey key, int number, ProtectionDomain holder, BoundWindows by, int rights) {
        if (key == null || !key.pin()) {
            return null;
        }
        if (key.key() == number && key.isFor(by) && key.allows(holder, key.addr(), 0, rights)) {
            return key;
        }
        key.unpin();
        return null;
    }

    /**
     * Invalidates a type 2 window or a fast registration.
     *
     * @param by the windows of the requesting queue pair
     * @param holder the queue pair's domain
     * @return false if the number is neither the key of one of these windows nor that of a valid fast registration of
     *     the domain
     */
    public boolean invalidate(int number, BoundWindows by, ProtectionDomain holder) {
        MemoryKey key = table.get(index(number));
        if (key == null) {
            return false;
        }
        return key.fast() != null
                ? key.fast().invalidate(number, holder)
                : key.window() != null && key.window().invalidate(number, by);
    }

    /** Returns whether a number is that of a key for fast registrations. */
    public boolean isFast(int number) {
        MemoryKey key = table.get(index(number));
        return key != null && key.fast() != null && key.key() == number;
    }

    /**
     * Keeps the region of a piece of memory from being deregistered; returns null if the piece may not be used this
     * way.
     */
    RxeMr admitPiece(int lkey, ProtectionDomain holder, long addr, long length, boolean writes) {
        MemoryKey key = table.get(index(lkey));
        RxeMr region = key == null ? null : key.region();
        return region != null && region.admitPiece(lkey, holder, addr, length, writes) ? region : null;
    }

    /** Finds a key and pins it, whatever it allows; returns null if there is no such key. */
    MemoryKey pin(int number) {
        MemoryKey key = table.get(index(number));
        if (key == null || !key.pin()) {
            return null;
        }
        if (key.key() == number) {
            return key;
        }
        key.unpin();
        return null;
    }

    /** {@return the counters of on-demand pages} */
    public PageCounters pages() {
        return pages;
    }

    /** {@return the number of keys, including those of other processes} */
    public int count() {
        IntTable<MemoryKey> all = imported;
        return table.size() + (all == null ? 0 : all.size());
    }
}

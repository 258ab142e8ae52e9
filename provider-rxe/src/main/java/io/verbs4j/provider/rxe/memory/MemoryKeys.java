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
 * All keys of a device: 24 bits that no other has, and 8 more. All 32 are random, so that who has a key has learnt nothing about the
 * others; but the lowest 8 of a window of type 2 are chosen by the program that binds it.
 */
public final class MemoryKeys {
    /** How many bits of a key are not its own alone. */
    static final int TAG_BITS = 8;

    /** Most keys: half of those there are, as each is found by trying. */
    private static final int MOST = 1 << 31 - TAG_BITS;

    private final Random random = new KernelRandom();
    private final IntTable<MemoryKey> table = new IntTable<>();
    private final PageCounters pages = new PageCounters();

    /**
     * Keys of other processes, by all 32 bits: their numbers may be those of keys of this one, too. Null until there is one. They are
     * looked for last, so that keys of this process cost no more.
     */
    private volatile IntTable<MemoryKey> imported;

    /** Who uses keys that are not counted. */
    private final Set<LastKey> users = ConcurrentHashMap.newKeySet();

    /** Makes a key under a new number. */
    MemoryKey add(ProtectionDomain pd, RegionMemory memory, int access) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), pd, memory, access);
        } while (!isAdded(key));
        return key;
    }

    /** Makes a key of a part of what another stands for. */
    MemoryKey add(ProtectionDomain pd, long addr, long length, int access, MemoryKey parent) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), pd, addr, length, access, parent);
        } while (!isAdded(key));
        return key;
    }

    /** Makes the key of a window of type 2, which stands for nothing yet. */
    MemoryKey add(QpWindow window) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), window);
        } while (!isAdded(key));
        return key;
    }

    /** Makes a key for registrations by work request, which stands for nothing yet. */
    MemoryKey add(FastKey fast) {
        MemoryKey key;
        do {
            key = new MemoryKey(newNumber(), fast);
        } while (!isAdded(key));
        return key;
    }

    /** Makes a key under the number that another process has chosen; null where a key of a third one has it. */
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
            throw new VerbsException(Errno.ENOMEM, "reg_mr", "the device has no more keys; free regions and windows");
        }
        int number;
        do {
            number = random.nextInt();
        } while (index(number) == 0); // programs take 0 for "no key"
        return number;
    }

    /** Adds a key where no other has its number; tells whether that is so. */
    private boolean isAdded(MemoryKey key) {
        return table.putIfAbsent(index(key.key()), key);
    }

    private static int index(int number) {
        return number >>> TAG_BITS;
    }

    /** Ends a key; when this returns nobody touches its memory through it. */
    public void remove(MemoryKey key) {
        if (key.isImported()) {
            imported.remove(key.key());
        } else {
            table.remove(index(key.key()));
        }
        key.revoke(users);
    }

    /** As {@link #pin(int, ProtectionDomain, BoundWindows, long, long, int)}, of keys that are of no queue pair alone. */
    public MemoryKey pin(int number, ProtectionDomain holder, long from, long count, int rights) {
        return pin(number, holder, null, from, count, rights);
    }

    /**
     * Finds a key that lets its holder do something, and pins it.
     *
     * @param by the windows that are bound on the queue pair, or null
     * @return the key, to be unpinned; null where there is none that does
     */
    public MemoryKey pin(int number, ProtectionDomain holder, BoundWindows by, long from, long count, int rights) {
        MemoryKey key = pinned(table.get(index(number)), number, holder, by, from, count, rights);
        return key != null ? key : pinned(imported(number), number, holder, by, from, count, rights);
    }

    /** Pins a key, or null, that has a number and lets its holder do something; else returns null. */
    private static MemoryKey pinned(
            MemoryKey key, int number, ProtectionDomain holder, BoundWindows by, long from, long count, int rights) {
        if (key == null || !key.pin()) {
            return null;
        }
        // While it is pinned it does not change, and is among those of the device.
        if (key.key() == number && key.isFor(by) && key.allows(holder, from, count, rights)) {
            key.touch(from, count);
            return key;
        }
        key.unpin();
        return null;
    }

    /** As the others, with a look at the key that was used last first. */
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
     * As {@link #pin(LastKey, int, ProtectionDomain, BoundWindows, long, long, int)}, but the key may be touched only after
     * {@link LastKey#mayTouch}, and is left by {@link LastKey#end}.
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

    /** How many queue pairs' ends use keys that are not counted. */
    int users() {
        return users.size();
    }

    /** As the others, without a look at the range: what is asked is about all that the key stands for. */
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
     * Takes back what a window of type 2 allows, or the memory of a fast register.
     *
     * @param by the windows of the queue pair that asks
     * @param holder its domain
     * @return false where that is the key neither of one of them, nor of a valid fast register of the domain
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

    /** Whether a number is that of a key for fast registers. */
    public boolean isFast(int number) {
        MemoryKey key = table.get(index(number));
        return key != null && key.fast() != null && key.key() == number;
    }

    /** Has a region stay that a piece of memory is of; null where it may not be used so. */
    RxeMemoryRegion admitPiece(int lkey, ProtectionDomain holder, long addr, long length, boolean writes) {
        MemoryKey key = table.get(index(lkey));
        RxeMemoryRegion region = key == null ? null : key.region();
        return region != null && region.admitPiece(lkey, holder, addr, length, writes) ? region : null;
    }

    /** Finds a key and pins it, whatever it lets its holder do; null where there is none. */
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

    /** What is counted of pages on demand. */
    public PageCounters pages() {
        return pages;
    }

    /** How many there are, those of other processes among them. */
    public int count() {
        IntTable<MemoryKey> all = imported;
        return table.size() + (all == null ? 0 : all.size());
    }
}

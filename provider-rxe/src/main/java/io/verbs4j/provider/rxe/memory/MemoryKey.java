/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.lock.Nap;
import java.lang.invoke.VarHandle;
import java.util.Set;

/**
 * The meaning of a local or remote key: a range of memory, a domain and access rights. It is immutable until it ends;
 * the key of a type 2 window or of a fast registration can then be opened again.
 *
 * <p>A thread that touches the memory first pins the key, or announces its use in a {@link LastKey}. {@link #revoke}
 * returns once no thread touches the memory any more.
 */
// Longer than 500 lines because what a key allows and how its uses end are one protocol between threads, which a reader
// has to see whole.
public final class MemoryKey extends PinCount {
    private static final int REVOKED = Integer.MIN_VALUE;

    private int key;
    private ProtectionDomain pd;
    private long addr;
    private long length;
    private int access;
    private MemoryKey parent;

    /** Where the first byte is, or {@link RegionMemory#NOWHERE}. */
    private long address;

    private boolean mayGoAway;

    /** The recorded pages, or null if pages are not recorded. */
    private DemandPages pages;

    /** Keeps the memory reachable while the device has the key; never read. */
    @SuppressWarnings("unused")
    private Object keeper;

    /**
     * For a type 2 window: the windows of the only queue pair that may use it. Null: any queue pair of the domain may.
     */
    private BoundWindows user;

    /** The type 2 window that this key belongs to, or null. */
    private final QpWindow window;

    /** The fast registration key that this key belongs to, or null. */
    private final FastKey fast;

    private final boolean steady;

    /** Whether anyone may use it, or ever has, without a pin. */
    private boolean remembered;

    /** The other process's memory that it stands for, or null if the memory is this process's. */
    private final ForeignMemory foreign;

    /** Address of the first byte in that process. */
    private final long foreignAddress;

    /** Whether another process has chosen the number. */
    private final boolean imported;

    /** The pieces it consists of, or null if its memory is contiguous. */
    private Pieces pieces;

    /** The region whose local key this is, or null. */
    private volatile RxeMr region;

    /** The files to force after writes, or null. */
    private volatile MappedFiles files;

    /** Those who lent the memory to other processes; null if none. */
    private volatile Lending lendings;

    /**
     * A lender and the point up to which it has lent. Shared by all versions of the list, so that a thread that still
     * walks an old list updates what the next list contains.
     */
    private static final class Lent {
        final Lender by;
        volatile long until;

        Lent(Lender by) {
            this.by = by;
        }
    }

    /** An immutable list of lenders. */
    private static final class Lending {
        final Lent lent;
        final Lending next;

        Lending(Lent lent, Lending next) {
            this.lent = lent;
            this.next = next;
        }
    }

    /**
     * Creates a key.
     *
     * @param holder domain; for a parent domain, the underlying one is used
     */
    MemoryKey(int key, ProtectionDomain holder, RegionMemory memory, int access) {
        this(key, holder, memory, access, false);
    }

    /** Creates a key; {@code imported} says whether another process has chosen the number. */
    MemoryKey(int key, ProtectionDomain holder, RegionMemory memory, int access, boolean imported) {
        this.foreign = memory.foreign();
        this.foreignAddress = memory.address();
        this.imported = imported;
        this.key = key;
        this.pd = Domains.root(holder);
        this.addr = memory.addr();
        this.length = memory.length();
        this.address = foreign == null ? memory.address() : RegionMemory.NOWHERE;
        this.mayGoAway = memory.mayGoAway();
        this.pages = memory.pages();
        this.keeper = memory.keeper();
        this.access = access;
        this.window = null;
        this.fast = null;
        this.steady = isPlain() && pages == null;
    }

    /**
     * Creates the key of a part of another key's memory.
     *
     * @param parent key that must stay pinned while this one is: that of the window's region
     */
    MemoryKey(int key, ProtectionDomain holder, long addr, long length, int access, MemoryKey parent) {
        this.foreign = null; // an imported region has no windows
        this.foreignAddress = 0;
        this.imported = false;
        this.key = key;
        this.pd = Domains.root(holder);
        this.addr = addr;
        this.length = length;
        this.address = parent.at(addr);
        this.mayGoAway = parent.mayGoAway;
        this.pages = parent.pages;
        this.access = access;
        this.parent = parent;
        this.window = null;
        this.fast = null;
        this.steady = false;
    }

    /** Creates the key of a type 2 window, ended. */
    MemoryKey(int key, QpWindow window) {
        this.foreign = null;
        this.foreignAddress = 0;
        this.imported = false;
        this.key = key;
        this.window = window;
        this.fast = null;
        this.steady = false;
        this.pins = REVOKED;
    }

    /** Creates a key for fast registrations, ended. */
    MemoryKey(int key, FastKey fast) {
        this.foreign = null;
        this.foreignAddress = 0;
        this.imported = false;
        this.key = key;
        this.window = null;
        this.fast = fast;
        this.steady = false;
        this.pins = REVOKED;
    }

    /**
     * Opens an ended key again, for a window that is bound.
     *
     * @param name address by which work requests name the first byte
     * @param from address of the first byte by the region's key
     */
    void open(
            int newKey,
            ProtectionDomain holder,
            BoundWindows by,
            long name,
            long from,
            long bytes,
            int rights,
            MemoryKey of) {
        key = newKey;
        pd = holder;
        user = by;
        addr = name;
        address = of.at(from);
        pages = of.pages;
        length = bytes;
        access = rights;
        parent = of;
        mayGoAway = of.mayGoAway;
        pins = 0; // last: a thread that pins the key sees all of the above
    }

    /** Opens an ended key again, with pieces of memory. */
    void open(int newKey, ProtectionDomain holder, long from, int rights, Pieces of, boolean fragile) {
        key = newKey;
        pd = holder;
        addr = from;
        length = of.total();
        access = rights;
        pieces = of;
        mayGoAway = fragile;
        pins = 0; // last: a thread that pins the key sees all of the above
    }

    QpWindow window() {
        return window;
    }

    FastKey fast() {
        return fast;
    }

    RxeMr region() {
        return region;
    }

    void region(RxeMr of) {
        region = of;
    }

    void files(MappedFiles behind) {
        files = behind;
    }

    /** {@return the files to force so that writes survive a power loss, or null if there are none} */
    public MappedFiles files() {
        return files;
    }

    /**
     * Returns where in memory a byte of the key is, or {@link RegionMemory#NOWHERE}, which may be passed to
     * {@link FragileMemory} only.
     *
     * @param name address by which work requests name the byte
     */
    public long at(long name) {
        if (pieces != null) {
            return pieces.at(name - addr);
        }
        return address == RegionMemory.NOWHERE ? address : address + (name - addr);
    }

    /**
     * {@return the other process's memory that the key stands for, or null if the memory is this process's and
     * {@link #at} locates it}
     */
    public ForeignMemory foreign() {
        return foreign;
    }

    /** Returns where a byte is in the other process. */
    long foreignAt(long name) {
        return foreignAddress + (name - addr);
    }

    /** {@return whether another process has chosen the number} */
    boolean isImported() {
        return imported;
    }

    /** Returns whether the key has no memory: writes to it are discarded, reads return zeros. */
    public boolean isNowhere() {
        return pieces == null && address == RegionMemory.NOWHERE;
    }

    /** Returns whether the key stands for contiguous memory that can't go away. */
    public boolean isPlain() {
        return pieces == null && !mayGoAway && address != RegionMemory.NOWHERE;
    }

    /**
     * {@return whether the key never changes except to end: that of a region of contiguous memory without recorded
     * pages}
     */
    boolean isSteady() {
        return steady;
    }

    /**
     * Returns whether a key used for the previous message may be used for another one without a new lookup; see
     * {@link #allows}.
     */
    public boolean isStill(int number, ProtectionDomain holder, long from, long count, int rights) {
        return steady && key == number && allows(holder, from, count, rights);
    }

    /**
     * Notes that a {@link LastKey} remembers the key, so that it may be used uncounted from now on. The key is steady
     * and pinned.
     */
    void noteRemembered() {
        remembered = true;
    }

    /** Returns how many bytes from {@code name} on are contiguous in memory, at most {@code most}. */
    public long run(long name, long most) {
        return pieces == null ? most : pieces.run(name - addr, most);
    }

    /** Returns where in memory a word is that can be accessed atomically, or 0 if it can't be. */
    public long word(long name, int bytes) {
        long at = at(name);
        return (at & bytes - 1) == 0 && run(name, bytes) == bytes ? at : 0;
    }

    int access() {
        return access;
    }

    /**
     * Returns whether a queue pair with these windows may use the key; {@code by} is null for a user without windows.
     */
    boolean isFor(BoundWindows by) {
        return window == null || user == by;
    }

    /** {@return the key's number} */
    public int key() {
        return key;
    }

    /** {@return the address by which work requests name the first byte} */
    public long addr() {
        return addr;
    }

    /** Records that a message touches memory it was allowed to touch. */
    void touch(long name, long bytes) {
        if (pages != null) {
            pages.touch(at(name), bytes);
        }
    }

    /** {@return the recorded pages, or null if pages are not recorded} */
    DemandPages pages() {
        return pages;
    }

    ProtectionDomain pd() {
        return pd;
    }

    /** {@return the length in bytes} */
    public long length() {
        return length;
    }

    /**
     * {@return whether the memory may go away while it is registered, so that it must be accessed through
     * {@link FragileMemory}}
     */
    public boolean mayGoAway() {
        return mayGoAway;
    }

    /**
     * Returns whether the key allows an access.
     *
     * @param holder domain of the queue pair
     * @param from first address
     * @param count number of bytes, not negative
     * @param rights required {@link AccessFlags} bits; 0 to read locally
     */
    public boolean allows(ProtectionDomain holder, long from, long count, int rights) {
        // Differences, not sums: addresses are unsigned and a sum may wrap.
        long offset = from - addr;
        return holder == pd
                && (access & rights) == rights
                && Long.compareUnsigned(offset, length) <= 0
                && Long.compareUnsigned(count, length - offset) <= 0;
    }

    /** Keeps the memory from going away until {@link #unpin()}; returns false if it is already gone. */
    public boolean pin() {
        while (true) {
            int now = pins;
            if (now < 0) {
                return false;
            }
            if (PINS.compareAndSet(this, now, now + 1)) {
                break;
            }
        }
        if (parent != null && !parent.pin() || foreign != null && !foreign.isValid()) {
            PINS.getAndAdd(this, -1);
            return false;
        }
        return true;
    }

    /** Undoes a {@link #pin()}. */
    public void unpin() {
        if (parent != null) {
            parent.unpin();
        }
        PINS.getAndAdd(this, -1); // last: the key may change afterwards
    }

    /**
     * Records that the memory is lent. The key, which is pinned now, does not end before everything is recalled.
     *
     * @param until what to pass to {@link Lender#recall}
     */
    public void lend(Lender to, long until) {
        if (parent != null) {
            parent.lend(to, until);
        }
        boolean closed = false;
        for (Lending l = lendings; l != null; l = l.next) {
            if (l.lent.by == to) {
                l.lent.until = until;
                if (closed) {
                    forgetClosed(); // or each later loan walks past them
                }
                return;
            }
            closed |= l.lent.by.isClosed();
        }
        addLending(to, until);
    }

    private synchronized void addLending(Lender to, long until) {
        Lent added = new Lent(to);
        added.until = until;
        lendings = new Lending(added, openExcept(to));
    }

    private synchronized void forgetClosed() {
        lendings = openExcept(null);
    }

    /** Copies the list without closed lenders and without {@code one}. The caller holds the lock. */
    private Lending openExcept(Lender one) {
        Lending open = null;
        for (Lending l = lendings; l != null; l = l.next) {
            if (l.lent.by != one && !l.lent.by.isClosed()) {
                open = new Lending(l.lent, open);
            }
        }
        return open;
    }

    /** Recalls everything lent; nothing is lent any more. */
    private void recall() {
        for (Lending l = lendings; l != null; l = l.next) {
            l.lent.by.recall(l.lent.until);
        }
        lendings = null;
    }

    /** {@return whether the key has ended} */
    boolean isRevoked() {
        return pins < 0;
    }

    /** Prevents new uses. Uses that were announced before are visible to this thread afterwards. */
    void shut() {
        int before;
        do {
            before = pins;
        } while (!PINS.compareAndSet(this, before, before | REVOKED));
        VarHandle.fullFence();
    }

    /** Ends a key that is not steady, and waits until no thread touches the memory. */
    void revoke() {
        revoke(Set.of());
    }

    /**
     * Ends the key, and waits until no thread touches the memory.
     *
     * @param users those who may use the key without a {@link #pin}
     */
    void revoke(Set<LastKey> users) {
        shut();
        for (int i = 0; pins != REVOKED; i++) {
            waitALittle(i);
        }
        if (remembered) { // the key was pinned when it was remembered, so this is visible
            for (LastKey user : users) {
                for (int i = 0; user.uses(this); i++) {
                    waitALittle(i);
                }
            }
        }
        recall();
        keeper = null; // whoever remembers the key, such as LastKey, must not keep the memory alive
    }

    private static void waitALittle(int waited) {
        Nap.spin(waited, 1000, 10_000);
    }
}

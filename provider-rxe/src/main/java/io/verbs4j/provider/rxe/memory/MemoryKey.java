/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.natives.lock.Nap;
import java.lang.invoke.VarHandle;
import java.util.Set;

/**
 * What a local or remote key stands for: a range of memory, a domain and rights. Does not change but for its end; that of
 * a window of type 2 changes where it has ended.
 *
 * <p>Whoever touches the memory pins the key first, or says so in a {@link LastKey}; {@link #revoke} returns when nobody does any more.
 */
public final class MemoryKey extends PinCount {
    private static final int REVOKED = Integer.MIN_VALUE;

    private int key;
    private ProtectionDomain pd;
    private long addr;
    private long length;
    private int access;
    private MemoryKey parent;

    /** Where the first byte is; {@link RegionMemory#NOWHERE}. */
    private long address;

    private boolean mayGoAway;

    /** Which pages of it are noted; null where none are. */
    private DemandPages pages;

    /** Keeps the memory while the key is among those of the device; not read. */
    @SuppressWarnings("unused")
    private Object keeper;

    /** Of a window of type 2: the windows of the queue pair that alone may use it; null: any of the domain may. */
    private BoundWindows user;

    /** Of which window of type 2 it is, or null. */
    private final QpWindow window;

    /** Which key for registrations by work request it is, or null. */
    private final FastKey fast;

    private final boolean steady;

    /** Whether anybody ever has used it without a pin, or may. */
    private boolean remembered;

    /** Memory of another process that it stands for; null where the memory is this one's. */
    private final ForeignMemory foreign;

    /** Where the first byte is in that process. */
    private final long foreignAddress;

    /** Whether another process has chosen its number. */
    private final boolean imported;

    /** What it is made of, where that is not one piece. */
    private Pieces pieces;

    /** The region whose local key it is, or null. */
    private volatile RxeMemoryRegion region;

    /** What is to be forced for what was written to last, or null. */
    private volatile MappedFiles files;

    /** Who has lent the memory to other processes; null where nobody has. */
    private volatile Lending lendings;

    /** By whom, until when. In all lists, those of before too: who goes on with such a list writes to what the next one has. */
    private static final class Lent {
        final Lender by;
        volatile long until;

        Lent(Lender by) {
            this.by = by;
        }
    }

    /** Such ones; a list does not change. */
    private static final class Lending {
        final Lent lent;
        final Lending next;

        Lending(Lent lent, Lending next) {
            this.lent = lent;
            this.next = next;
        }
    }

    /**
     * Makes a key.
     *
     * @param holder domain; of a parent domain it is that of
     */
    MemoryKey(int key, ProtectionDomain holder, RegionMemory memory, int access) {
        this(key, holder, memory, access, false);
    }

    /** As without {@code imported}, which tells whether another process has chosen the number. */
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
     * Makes the key of a part of what another stands for.
     *
     * @param parent key that must stay pinned while this one is: a window's region
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

    /** Makes the key of a window of type 2, ended. */
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

    /** Makes a key for registrations by work request, ended. */
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
     * Has a key that has ended begin anew, as that of a window that is bound.
     *
     * @param name what the first byte is called
     * @param from what it is called by the region's key
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
        pins = 0; // last: who pins it sees all this
    }

    /** Has a key that has ended begin anew, as one of pieces of memory. */
    void open(int newKey, ProtectionDomain holder, long from, int rights, Pieces of, boolean fragile) {
        key = newKey;
        pd = holder;
        addr = from;
        length = of.total();
        access = rights;
        pieces = of;
        mayGoAway = fragile;
        pins = 0; // last: who pins it sees all this
    }

    QpWindow window() {
        return window;
    }

    FastKey fast() {
        return fast;
    }

    RxeMemoryRegion region() {
        return region;
    }

    void region(RxeMemoryRegion of) {
        region = of;
    }

    void files(MappedFiles behind) {
        files = behind;
    }

    /** What is to be forced so that what was written outlives a loss of power; null where nothing can be. */
    public MappedFiles files() {
        return files;
    }

    /**
     * Where in memory a byte is that the key stands for; {@link RegionMemory#NOWHERE}, which {@link FragileMemory} alone may be given.
     *
     * @param name what it is called
     */
    public long at(long name) {
        if (pieces != null) {
            return pieces.at(name - addr);
        }
        return address == RegionMemory.NOWHERE ? address : address + (name - addr);
    }

    /** The memory of another process that it stands for; null where the memory is this one's, and then {@link #at} tells where. */
    public ForeignMemory foreign() {
        return foreign;
    }

    /** Where a byte is in the other process. */
    long foreignAt(long name) {
        return foreignAddress + (name - addr);
    }

    /** Whether another process has chosen its number. */
    boolean isImported() {
        return imported;
    }

    /** Whether it stands for nothing: what is written vanishes, and zeros are read. */
    public boolean isNowhere() {
        return pieces == null && address == RegionMemory.NOWHERE;
    }

    /** Whether it stands for one piece of memory, which stays. */
    public boolean isPlain() {
        return pieces == null && !mayGoAway && address != RegionMemory.NOWHERE;
    }

    /** Whether nothing changes of it but that it ends: that of a region which is one piece of memory and notes no pages. */
    boolean isSteady() {
        return steady;
    }

    /** Whether one that is used, for a message before, may be so for another one without being asked for again: {@link #allows}. */
    public boolean isStill(int number, ProtectionDomain holder, long from, long count, int rights) {
        return steady && key == number && allows(holder, from, count, rights);
    }

    /** A {@link LastKey} remembers it: it may be used uncounted from now on. It is steady, and pinned. */
    void noteRemembered() {
        remembered = true;
    }

    /** How many bytes from one on lie one after the other in memory, at most so many. */
    public long run(long name, long most) {
        return pieces == null ? most : pieces.run(name - addr, most);
    }

    /** Where in memory a word is that is read and written at once; 0 where it can't be so. */
    public long word(long name, int bytes) {
        long at = at(name);
        return (at & bytes - 1) == 0 && run(name, bytes) == bytes ? at : 0;
    }

    int access() {
        return access;
    }

    /** Whether a queue pair with these windows may use it; null for whom has none. */
    boolean isFor(BoundWindows by) {
        return window == null || user == by;
    }

    /** The number. */
    public int key() {
        return key;
    }

    /** What the first byte is called. */
    public long addr() {
        return addr;
    }

    /** A message touches what it was allowed to. */
    void touch(long name, long bytes) {
        if (pages != null) {
            pages.touch(at(name), bytes);
        }
    }

    /** Which pages are noted; null where none are. */
    DemandPages pages() {
        return pages;
    }

    ProtectionDomain pd() {
        return pd;
    }

    /** Length in bytes. */
    public long length() {
        return length;
    }

    /** Whether the memory may go away while it is registered: how it is to be accessed, see {@link FragileMemory}. */
    public boolean mayGoAway() {
        return mayGoAway;
    }

    /**
     * Whether this key lets its holder do something.
     *
     * @param holder domain of the queue pair that asks
     * @param from first address
     * @param count bytes, not negative
     * @param rights {@link AccessFlags} bits needed; 0 for reading locally
     */
    public boolean allows(ProtectionDomain holder, long from, long count, int rights) {
        // Differences, not sums: addresses are unsigned and a sum may wrap.
        long offset = from - addr;
        return holder == pd
                && (access & rights) == rights
                && Long.compareUnsigned(offset, length) <= 0
                && Long.compareUnsigned(count, length - offset) <= 0;
    }

    /** Keeps the memory from going away until {@link #unpin()}; false where it is gone already. */
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

    /** Ends a {@link #pin()}. */
    public void unpin() {
        if (parent != null) {
            parent.unpin();
        }
        PINS.getAndAdd(this, -1); // last: it may change then
    }

    /**
     * Notes that the memory is lent: the key, which is pinned now, ends only when all is back.
     *
     * @param until what {@link Lender#recall} is to be told
     */
    public void lend(Lender to, long until) {
        boolean closed = false;
        for (Lending l = lendings; l != null; l = l.next) {
            if (l.lent.by == to) {
                l.lent.until = until;
                if (closed) {
                    forgetClosed(); // else each of what is lent from here on passes them
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

    /** Those whose lenders are not closed, but for one. The lock is held. */
    private Lending openExcept(Lender one) {
        Lending open = null;
        for (Lending l = lendings; l != null; l = l.next) {
            if (l.lent.by != one && !l.lent.by.isClosed()) {
                open = new Lending(l.lent, open);
            }
        }
        return open;
    }

    /** Takes back what is lent; nobody lends any more. */
    private void recall() {
        for (Lending l = lendings; l != null; l = l.next) {
            l.lent.by.recall(l.lent.until);
        }
        lendings = null;
    }

    /** Whether it has ended. */
    boolean isRevoked() {
        return pins < 0;
    }

    /** Nobody begins to use it from now on: who has said before that it does so is seen after this. */
    void shut() {
        int before;
        do {
            before = pins;
        } while (!PINS.compareAndSet(this, before, before | REVOKED));
        VarHandle.fullFence();
    }

    /** Ends a key that is not steady, and waits until nobody touches the memory. */
    void revoke() {
        revoke(Set.of());
    }

    /**
     * Ends the key, and waits until nobody touches the memory.
     *
     * @param users who may use it without a {@link #pin}
     */
    void revoke(Set<LastKey> users) {
        shut();
        for (int i = 0; pins != REVOKED; i++) {
            waitALittle(i);
        }
        if (remembered) { // who remembered it had it pinned, so this is seen
            for (LastKey user : users) {
                for (int i = 0; user.uses(this); i++) {
                    waitALittle(i);
                }
            }
        }
        recall();
        keeper = null; // who remembers the key, as LastKey does, keeps no memory by it
    }

    private static void waitALittle(int waited) {
        Nap.spin(waited, 1000, 10_000);
    }
}

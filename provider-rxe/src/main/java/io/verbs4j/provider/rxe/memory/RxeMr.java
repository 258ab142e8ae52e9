/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/** A memory region of the embedded device, with a local and a remote key. */
public final class RxeMr {
    private static final int REMOTE = AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.FLUSH_PERSISTENT;

    /** Not a monitor, because ending a key waits until no thread touches the memory. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private ProtectionDomain pd;
    private int access;
    private MemoryKey local;

    /** Null if the region has no memory. */
    private MemoryKey remote;

    /** Address of the memory. */
    private long address;

    /** Address by which work requests name the first byte, unless the region is zero-based. */
    private long name;

    /** Whether it is memory of the program, which can be replaced by other memory. */
    private boolean canChange;

    /** Number of bound windows and of pieces in keys for fast registrations. */
    private int users;

    /** The files that persistent flushes force; null without the right to these. */
    private MappedFiles files;

    private Listener listener;

    /** Runs when the region has ended; may be null. */
    private Runnable end;

    /** The table, and the number in it, by which other processes find it; null if they can't. */
    private ExportTable exports;

    private int exportNumber;
    private boolean closed;

    /**
     * Exports it to other processes, unless it has ended or has no memory of this process; they lose it when its keys
     * end.
     */
    void export(ExportTable table, int number, int domain) {
        lock.lock();
        try {
            if (!closed && remote != null && local.foreign() == null) {
                exports = table;
                exportNumber = number;
                table.put(
                        number,
                        new ExportTable.Entry(
                                ExportTable.Kind.REGION,
                                domain,
                                address,
                                addr(),
                                length(),
                                access,
                                local.key(),
                                remote.key()));
            }
        } finally {
            lock.unlock();
        }
    }

    private void endExport(String verb) {
        if (exports != null) {
            exports.end(verb, exportNumber);
        }
    }

    /** Receives the changed attributes of the region. */
    @FunctionalInterface
    interface Listener {
        /** Receives the same arguments as {@link io.verbs4j.MemoryRegion#update}. */
        void changed(ProtectionDomain pd, long addr, long length, int access, int lkey, int rkey);
    }

    private RxeMr(MemoryKeys keys, ProtectionDomain pd, RegionMemory memory, int access) {
        this.keys = keys;
        this.pd = pd;
        this.address = memory.address();
        this.name = memory.addr();
        open(pd, memory, access, files("reg_mr", address, memory.length(), access));
    }

    private RxeMr(MemoryKeys keys, ProtectionDomain pd, long address, int access, MemoryKey local, MemoryKey remote) {
        this.keys = keys;
        this.pd = pd;
        this.address = address;
        this.name = local.addr();
        this.access = access;
        this.local = local;
        this.remote = remote;
    }

    void onChange(Listener newListener) {
        listener = newListener;
    }

    void onEnd(Runnable then) {
        end = then;
    }

    /** {@return the domain in which it is registered} */
    public ProtectionDomain pd() {
        return pd;
    }

    long addr() {
        return local.addr();
    }

    long length() {
        return local.length();
    }

    int access() {
        return access;
    }

    int lkey() {
        return local.key();
    }

    int rkey() {
        return remote == null ? 0 : remote.key();
    }

    /** Registers memory by its address. */
    public static RxeMr of(MemoryKeys keys, ProtectionDomain pd, long addr, long length, int access) {
        return of("reg_mr", keys, pd, addr, addr, length, access);
    }

    /** Registers memory by its address; work requests name it by another address. */
    public static RxeMr of(
            String verb, MemoryKeys keys, ProtectionDomain pd, long addr, long name, long length, int access) {
        boolean mayGoAway = look(verb, addr, length, (access & AccessFlags.LOCAL_WRITE) != 0);
        return make(keys, pd, RegionMemory.of(addr, length, mayGoAway).named(name), access);
    }

    /** Registers the remaining bytes of a direct buffer. */
    public static RxeMr of(MemoryKeys keys, ProtectionDomain pd, ByteBuffer buffer, int access) {
        long addr = NativeMemory.address(buffer) + buffer.position();
        long length = buffer.remaining();
        boolean mayGoAway =
                !NativeMemory.isAllocated(buffer) // saves reading Linux's list of mappings, which takes 0.3 ms
                        && MappedMemory.of(addr, length, false) != MappedMemory.ANONYMOUS;
        return make(keys, pd, RegionMemory.of(addr, length, mayGoAway), access);
    }

    private static RxeMr make(MemoryKeys keys, ProtectionDomain pd, RegionMemory memory, int access) {
        RxeMr made = new RxeMr(keys, pd, memory, access);
        made.canChange = true;
        return made;
    }

    /** Registers a part of a file, which is already mapped and stays mapped while the region exists. */
    public static RxeMr of(MemoryKeys keys, ProtectionDomain pd, MappedByteBuffer file, long name, int access) {
        long at = NativeMemory.address(file);
        return new RxeMr(keys, pd, new RegionMemory(name, file.capacity(), at, true, null, file), access);
    }

    /** Registers device memory. */
    static RxeMr of(MemoryKeys keys, ProtectionDomain pd, ByteBuffer memory, long offset, long length, int access) {
        long at = NativeMemory.address(memory) + offset;
        return new RxeMr(keys, pd, new RegionMemory(at, length, at, false, null, memory), access);
    }

    /** Registers memory of another process's device. */
    static RxeMr of(MemoryKeys keys, ProtectionDomain pd, ForeignMemory memory, long address, long length, int access) {
        return new RxeMr(keys, pd, RegionMemory.of(memory, address, address, length), access);
    }

    /**
     * Creates a region that another process has registered, with that region's keys.
     *
     * @param entry the other process's description of it
     * @param access the rights that it keeps here
     * @return null if an imported key already has one of the numbers
     */
    public static RxeMr imported(
            MemoryKeys keys, ProtectionDomain pd, ForeignMemory memory, ExportTable.Entry entry, int access) {
        RegionMemory named = RegionMemory.of(memory, entry.address(), entry.name(), entry.length());
        MemoryKey local = keys.addImported(entry.lkey(), pd, named, access & AccessFlags.LOCAL_WRITE);
        if (local == null) {
            return null;
        }
        MemoryKey remote = keys.addImported(entry.rkey(), pd, named, access & REMOTE);
        if (remote == null) {
            keys.remove(local);
            return null;
        }
        return new RxeMr(keys, pd, entry.address(), access, local, remote);
    }

    /** Returns the region of a handle; null for another device's handle and for a closed imported one. */
    public static RxeMr find(MemoryRegion handle) {
        return handle instanceof RxeMemoryRegion mr && !mr.unimported ? mr.mr : null;
    }

    /** Creates a null region, which has no memory. */
    public static RxeMr ofNothing(MemoryKeys keys, ProtectionDomain pd) {
        return new RxeMr(keys, pd, RegionMemory.nothing(), AccessFlags.LOCAL_WRITE);
    }

    /** Creates the keys. */
    private void open(ProtectionDomain domain, RegionMemory memory, int rights, MappedFiles behind) {
        RegionMemory named = (rights & AccessFlags.ZERO_BASED) != 0 ? memory.named(0) : memory;
        RegionMemory noted = (rights & AccessFlags.ON_DEMAND) != 0 ? named.onDemand(keys.pages()) : named;
        local = keys.add(domain, noted, rights & AccessFlags.LOCAL_WRITE);
        local.region(this);
        remote = memory.address() == RegionMemory.NOWHERE ? null : keys.add(domain, noted, rights & REMOTE);
        access = rights;
        behind(behind);
    }

    private void endKeys() {
        keys.remove(local);
        if (remote != null) {
            keys.remove(remote);
        }
    }

    private static MappedFiles files(String verb, long addr, long length, int access) {
        return (access & AccessFlags.FLUSH_PERSISTENT) == 0 ? null : MappedFiles.of(verb, addr, length);
    }

    private void behind(MappedFiles behind) {
        if (files != null) {
            files.close();
        }
        files = behind;
        if (remote != null) {
            remote.files(behind);
        }
    }

    /** Returns whether memory at an address may go away; throws if it is missing. */
    private static boolean look(String verb, long addr, long length, boolean writable) {
        MappedMemory kind = MappedMemory.of(addr, length, writable);
        if (kind == MappedMemory.ABSENT) {
            throw new VerbsException(
                    Errno.EFAULT,
                    verb,
                    "not all of " + length + " bytes at 0x" + Long.toHexString(addr) + " are mapped and readable"
                            + (writable ? " and writable" : "") + " in this process");
        }
        return kind == MappedMemory.FILE;
    }

    /** Ends both keys; afterwards the device does not touch the memory. */
    public void deregister() {
        lock.lock();
        try {
            refuseWhileBound("dereg_mr");
            endExport("dereg_mr");
            closed = true;
            endKeys();
            behind(null);
        } finally {
            lock.unlock();
        }
        if (end != null) {
            end.run();
        }
    }

    /** Changes domain, memory and rights as the flags say. The region gets new keys, unless the call fails. */
    public void reregister(int flags, ProtectionDomain givenPd, long givenAddr, long givenLength, int givenAccess) {
        lock.lock();
        try {
            refuseWhileBound("rereg_mr");
            if (!canChange) {
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        "rereg_mr",
                        "only regions of the program's own memory can be changed, not null regions or regions of"
                                + " files or device memory; register a new one");
            }
            boolean moves = (flags & ReregFlags.CHANGE_TRANSLATION) != 0;
            int newAccess = (flags & ReregFlags.CHANGE_ACCESS) != 0 ? givenAccess : access;
            ProtectionDomain newPd = (flags & ReregFlags.CHANGE_PD) != 0 ? givenPd : pd;
            long newAddress = moves ? givenAddr : address;
            long newLength = moves ? givenLength : length();
            boolean writable = (newAccess & AccessFlags.LOCAL_WRITE) != 0;
            boolean mayGoAway = look("rereg_mr", newAddress, newLength, writable);
            MappedFiles newFiles = files("rereg_mr", newAddress, newLength, newAccess);
            boolean ended = false;
            try {
                endExport("rereg_mr");
                ended = true;
            } finally {
                if (!ended && newFiles != null) {
                    newFiles.close();
                }
            }
            endKeys();
            address = newAddress;
            name = moves ? newAddress : name;
            open(newPd, RegionMemory.of(newAddress, newLength, mayGoAway).named(name), newAccess, newFiles);
            pd = newPd;
            listener.changed(newPd, addr(), newLength, newAccess, local.key(), rkey());
        } finally {
            lock.unlock();
        }
    }

    private void refuseWhileBound(String verb) {
        if (users > 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    verb,
                    users + " memory window(s) or fast-register piece(s) are bound to the region; unbind, free or"
                            + " invalidate them first");
        }
    }

    /**
     * Creates the key of a type 1 window; returns null if the region does not allow the window: another domain, a range
     * outside it, or missing rights.
     */
    MemoryKey bindWindow(ProtectionDomain holder, long addr, long length, int rights) {
        lock.lock();
        try {
            if (!admits(holder, addr, length, rights)) {
                return null;
            }
            MemoryKey key = keys.add(holder, addr, length, rights, local);
            users++;
            return key;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the key that the key of a type 2 window depends on; null as in {@link #bindWindow}. */
    MemoryKey admitWindow(ProtectionDomain holder, long addr, long length, int rights) {
        lock.lock();
        try {
            if (!admits(holder, addr, length, rights)) {
                return null;
            }
            users++;
            return local;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a piece that a key for fast registrations holds; returns false if it may not hold it. */
    boolean admitPiece(int lkey, ProtectionDomain holder, long addr, long length, boolean writes) {
        lock.lock();
        try {
            boolean fits = lkey == local.key()
                    && local.foreign() == null
                    && local.allows(holder, addr, length, writes ? AccessFlags.LOCAL_WRITE : 0)
                    && local.pin();
            if (fits) {
                local.unpin();
                users++;
            }
            return fits;
        } finally {
            lock.unlock();
        }
    }

    /** Returns where in memory a byte is. This can't change while a piece is counted. */
    long at(long address) {
        return local.at(address);
    }

    boolean mayGoAway() {
        return local.mayGoAway();
    }

    private boolean admits(ProtectionDomain holder, long addr, long length, int rights) {
        boolean writes = (rights & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        if ((access & AccessFlags.MW_BIND) == 0
                || local.foreign() != null
                || (access & AccessFlags.ZERO_BASED) != 0 // IBTA allows no windows on these
                || !local.allows(holder, addr, length, writes ? AccessFlags.LOCAL_WRITE : 0)
                || !local.pin()) {
            return false;
        }
        local.unpin();
        return true;
    }

    /** Uncounts a window or a piece. */
    void release() {
        lock.lock();
        try {
            users--;
        } finally {
            lock.unlock();
        }
    }
}

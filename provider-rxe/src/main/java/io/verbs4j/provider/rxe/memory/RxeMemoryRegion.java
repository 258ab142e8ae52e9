/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/** A memory region of the embedded device: two keys, one local and one remote. */
public final class RxeMemoryRegion {
    private static final int REMOTE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Not a monitor: a key ends when nobody touches the memory any more. */
    private final ReentrantLock lock = new ReentrantLock();

    private final MemoryKeys keys;
    private ProtectionDomain pd;
    private int access;
    private MemoryKey local;
    private MemoryKey remote;
    private int windows;
    private Listener listener;

    /** Is told what the region is from now on. */
    @FunctionalInterface
    interface Listener {
        /** As {@link io.verbs4j.MemoryRegion#update}. */
        void changed(ProtectionDomain pd, long addr, long length, int access, int lkey, int rkey);
    }

    private RxeMemoryRegion(MemoryKeys keys, MemoryKey local, MemoryKey remote, ProtectionDomain pd, int access) {
        this.keys = keys;
        this.local = local;
        this.remote = remote;
        this.pd = pd;
        this.access = access;
    }

    void onChange(Listener newListener) {
        listener = newListener;
    }

    ProtectionDomain pd() {
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
        return remote.key();
    }

    /** Registers memory by its address. */
    public static RxeMemoryRegion of(MemoryKeys keys, ProtectionDomain pd, long addr, long length, int access) {
        boolean writable = (access & AccessFlags.LOCAL_WRITE) != 0;
        return make(keys, pd, addr, length, access, look("reg_mr", addr, length, writable));
    }

    /** Registers what remains of a direct buffer. */
    public static RxeMemoryRegion of(MemoryKeys keys, ProtectionDomain pd, ByteBuffer buffer, int access) {
        long addr = Memory.address(buffer) + buffer.position();
        long length = buffer.remaining();
        boolean mayGoAway = MappedMemory.of(addr, length, false) != MappedMemory.ANONYMOUS;
        return make(keys, pd, addr, length, access, mayGoAway);
    }

    private static RxeMemoryRegion make(
            MemoryKeys keys, ProtectionDomain pd, long addr, long length, int access, boolean mayGoAway) {
        MemoryKey local = keys.add(pd, addr, length, access & AccessFlags.LOCAL_WRITE, null, mayGoAway);
        MemoryKey remote = keys.add(pd, addr, length, access & REMOTE, null, mayGoAway);
        return new RxeMemoryRegion(keys, local, remote, pd, access);
    }

    /** Whether memory given by its address may go away; throws where it is not there. */
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
            keys.remove(local);
            keys.remove(remote);
        } finally {
            lock.unlock();
        }
    }

    /** Changes domain, memory and rights as the flags say; new keys, unless it fails. */
    public void reregister(int flags, ProtectionDomain givenPd, long givenAddr, long givenLength, int givenAccess) {
        lock.lock();
        try {
            refuseWhileBound("rereg_mr");
            boolean moves = (flags & ReregFlags.CHANGE_TRANSLATION) != 0;
            int newAccess = (flags & ReregFlags.CHANGE_ACCESS) != 0 ? givenAccess : access;
            ProtectionDomain newPd = (flags & ReregFlags.CHANGE_PD) != 0 ? givenPd : pd;
            long newAddr = moves ? givenAddr : addr();
            long newLength = moves ? givenLength : length();
            boolean writable = (newAccess & AccessFlags.LOCAL_WRITE) != 0;
            boolean mayGoAway = look("rereg_mr", newAddr, newLength, writable);
            keys.remove(local);
            keys.remove(remote);
            local = keys.add(newPd, newAddr, newLength, newAccess & AccessFlags.LOCAL_WRITE, null, mayGoAway);
            remote = keys.add(newPd, newAddr, newLength, newAccess & REMOTE, null, mayGoAway);
            pd = newPd;
            access = newAccess;
            listener.changed(newPd, newAddr, newLength, newAccess, local.key(), remote.key());
        } finally {
            lock.unlock();
        }
    }

    private void refuseWhileBound(String verb) {
        if (windows > 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    verb,
                    windows + " memory window(s) are bound to the region; unbind or free them first");
        }
    }

    /** Makes the key of a window of type 1; null where the region is not of that domain or the range is not in it. */
    MemoryKey bindWindow(ProtectionDomain holder, long addr, long length, int rights) {
        lock.lock();
        try {
            if (!admits(holder, addr, length, rights)) {
                return null;
            }
            MemoryKey key = keys.add(holder, addr, length, rights, local, local.mayGoAway());
            windows++;
            return key;
        } finally {
            lock.unlock();
        }
    }

    /** The key that that of a window of type 2 hangs on; null as above. */
    MemoryKey admitWindow(ProtectionDomain holder, long addr, long length, int rights) {
        lock.lock();
        try {
            if (!admits(holder, addr, length, rights)) {
                return null;
            }
            windows++;
            return local;
        } finally {
            lock.unlock();
        }
    }

    private boolean admits(ProtectionDomain holder, long addr, long length, int rights) {
        boolean writes = (rights & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        if ((access & AccessFlags.MW_BIND) == 0
                || !local.allows(holder, addr, length, writes ? AccessFlags.LOCAL_WRITE : 0)
                || !local.pin()) {
            return false;
        }
        local.unpin();
        return true;
    }

    void unbindWindow() {
        lock.lock();
        try {
            windows--;
        } finally {
            lock.unlock();
        }
    }
}

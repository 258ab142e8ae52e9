/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/** A memory region of the embedded device: two keys, one local and one remote. */
public final class RxeMemoryRegion extends MemoryRegion {
    private static final int REMOTE = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private final MemoryKeys keys;
    private MemoryKey local;
    private MemoryKey remote;
    private int windows;

    private RxeMemoryRegion(MemoryKeys keys, MemoryKey local, MemoryKey remote, ProtectionDomain pd, int access) {
        super(pd, local.addr(), local.length(), access, local.key(), remote.key());
        this.keys = keys;
        this.local = local;
        this.remote = remote;
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
    public synchronized void deregister() {
        refuseWhileBound("dereg_mr");
        keys.remove(local);
        keys.remove(remote);
    }

    /** Changes domain, memory and rights as the flags say; new keys, unless it fails. */
    public synchronized void reregister(int flags, ProtectionDomain pd, long addr, long length, int access) {
        refuseWhileBound("rereg_mr");
        boolean moves = (flags & ReregFlags.CHANGE_TRANSLATION) != 0;
        int newAccess = (flags & ReregFlags.CHANGE_ACCESS) != 0 ? access : access();
        ProtectionDomain newPd = (flags & ReregFlags.CHANGE_PD) != 0 ? pd : pd();
        long newAddr = moves ? addr : addr();
        long newLength = moves ? length : length();
        boolean writable = (newAccess & AccessFlags.LOCAL_WRITE) != 0;
        boolean mayGoAway = look("rereg_mr", newAddr, newLength, writable);
        keys.remove(local);
        keys.remove(remote);
        local = keys.add(newPd, newAddr, newLength, newAccess & AccessFlags.LOCAL_WRITE, null, mayGoAway);
        remote = keys.add(newPd, newAddr, newLength, newAccess & REMOTE, null, mayGoAway);
        update(newPd, newAddr, newLength, newAccess, local.key(), remote.key());
    }

    private void refuseWhileBound(String verb) {
        if (windows > 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    verb,
                    windows + " memory window(s) are bound to the region; unbind or free them first");
        }
    }

    /** Makes a window's key; null where the region is not of that domain or the range is not in it. */
    synchronized MemoryKey bindWindow(ProtectionDomain pd, long addr, long length, int access) {
        boolean writes = (access & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        if ((access() & AccessFlags.MW_BIND) == 0
                || !local.allows(pd, addr, length, writes ? AccessFlags.LOCAL_WRITE : 0)
                || !local.pin()) {
            return null;
        }
        local.unpin();
        MemoryKey key = keys.add(pd, addr, length, access, local, local.mayGoAway());
        windows++;
        return key;
    }

    synchronized void unbindWindow() {
        windows--;
    }
}

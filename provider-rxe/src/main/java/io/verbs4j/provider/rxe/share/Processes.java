/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Errno;
import io.verbs4j.natives.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Inspects other processes: verifies their identity and reads their memory. For control, not for each message. */
final class Processes {
    /** Size of a nonce. */
    static final int NONCE = 16;

    /**
     * Result of a check: the process is the one that published the address; it cannot or must not be read now; or it is
     * gone.
     */
    enum Sight {
        THERE,
        REFUSED,
        GONE
    }

    private static final int ESRCH = 3;
    private static final int IOV = 16;

    private final Kernel kernel;

    /** The nonce that was read, and one iovec for each side. */
    private final ByteBuffer scratch =
            ByteBuffer.allocateDirect(NONCE + 2 * IOV).order(ByteOrder.nativeOrder());

    Processes(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Returns why memory of processes cannot be read, not even of this process; null if it can. */
    String problem() {
        ByteBuffer own = ByteBuffer.allocateDirect(NONCE);
        try {
            int pid = Math.toIntExact(ProcessHandle.current().pid());
            return isThere(new Peer(pid, 0, 0, NativeMemory.address(own), 0))
                    ? null
                    : "process_vm_readv(2) failed with error " + kernel.errno();
        } finally {
            Reference.reachabilityFence(own);
        }
    }

    /** Returns whether a process lives, can be read, and is the one that published the address. */
    boolean isThere(Peer peer) {
        return look(peer) == Sight.THERE;
    }

    /** Returns whether no process has that number, so that it can no longer read or write anything. */
    synchronized boolean isDead(Peer peer) {
        return look(peer) == Sight.GONE && kernel.errno() == ESRCH;
    }

    /** Checks the process that published an address. */
    synchronized Sight look(Peer peer) {
        long at = NativeMemory.address(scratch);
        scratch.putLong(0, 0);
        scratch.putLong(NONCE, at).putLong(NONCE + 8, NONCE);
        scratch.putLong(NONCE + IOV, peer.nonceAddress()).putLong(NONCE + IOV + 8, NONCE);
        long read = kernel.readProcess(peer.pid(), at + NONCE, 1, at + NONCE + IOV, 1);
        if (read < 0 && kernel.errno() != ESRCH && kernel.errno() != Errno.EFAULT) {
            return Sight.REFUSED;
        }
        if (read != NONCE) {
            return Sight.GONE;
        }
        return scratch.getLong(0) == peer.nonceHigh() && scratch.getLong(8) == peer.nonceLow()
                ? Sight.THERE
                : Sight.GONE;
    }

    /**
     * Reads memory of the process that published an address. Returns null if it no longer is that process or cannot be
     * read.
     */
    ByteBuffer read(Peer peer, long address, int bytes) {
        ByteBuffer result = ByteBuffer.allocateDirect(NONCE + bytes).order(ByteOrder.nativeOrder());
        ByteBuffer iovs = ByteBuffer.allocateDirect(3 * IOV).order(ByteOrder.nativeOrder());
        iovs.putLong(0, NativeMemory.address(result)).putLong(8, NONCE + bytes);
        iovs.putLong(IOV, peer.nonceAddress()).putLong(IOV + 8, NONCE);
        iovs.putLong(2 * IOV, address).putLong(2 * IOV + 8, bytes);
        long at = NativeMemory.address(iovs);
        try {
            long n = kernel.readProcess(peer.pid(), at, 1, at + IOV, 2);
            return n == NONCE + bytes && result.getLong(0) == peer.nonceHigh() && result.getLong(8) == peer.nonceLow()
                    ? result.slice(NONCE, bytes).order(ByteOrder.nativeOrder())
                    : null;
        } finally {
            Reference.reachabilityFence(iovs);
            Reference.reachabilityFence(result);
        }
    }
}

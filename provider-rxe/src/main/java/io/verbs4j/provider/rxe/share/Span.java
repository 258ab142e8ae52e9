/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Errno;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.RemoteMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The payload of a span: pieces of the sender's memory, copied by the system. The same call also reads the sender's
 * nonce, which proves that the data is that process's and not that of another with the same number. For the thread that
 * reads the ring.
 */
final class Span implements RemoteMemory {
    private static final int ESRCH = 3;

    private static final int IOV = 16;
    private static final int LOCAL = 16;
    private static final int REMOTE = LOCAL + 2 * IOV;
    private static final int LIST = REMOTE + (1 + RingLayout.MAX_PIECES) * IOV;

    private final Kernel kernel;
    private final Peer peer;
    private final SharedMemory ring;

    /** The nonce that was read; iovecs of this side; iovecs of the other side, the nonce's first; the pieces. */
    private final ByteBuffer scratch =
            ByteBuffer.allocateDirect(LIST + RingLayout.MAX_PIECES * IOV).order(ByteOrder.nativeOrder());

    private final long address = NativeMemory.address(scratch);
    private long epoch;
    private long bytes;
    private int pieces;
    private boolean refused;

    Span(Kernel kernel, Peer peer, SharedMemory ring) {
        this.kernel = kernel;
        this.peer = peer;
        this.ring = ring;
        scratch.putLong(LOCAL, address).putLong(LOCAL + 8, Processes.NONCE);
        scratch.putLong(REMOTE, peer.nonceAddress()).putLong(REMOTE + 8, Processes.NONCE);
    }

    /**
     * Reads a span from the ring.
     *
     * @param at its address
     * @param room number of bytes from there to the end of the ring's data
     * @return the number of bytes that it occupies, or -1 if it is invalid
     */
    int take(long at, long room) {
        if (room < RingLayout.SPAN_LIST) {
            return -1;
        }
        epoch = NativeMemory.getLong(at);
        bytes = NativeMemory.getLong(at + RingLayout.SPAN_BYTES);
        long count = NativeMemory.getLong(at + RingLayout.SPAN_PIECES);
        if (count < 1
                || count > RingLayout.MAX_PIECES
                || bytes < 1
                || bytes > RingWriter.SPAN_BYTES
                || room < RingLayout.SPAN_LIST + count * RingLayout.PIECE) {
            return -1;
        }
        pieces = (int) count;
        NativeMemory.copy(at + RingLayout.SPAN_LIST, address + LIST, count * RingLayout.PIECE);
        long sum = 0;
        for (int i = 0; i < pieces; i++) {
            long length = scratch.getLong(LIST + i * IOV + 8);
            if (length < 1 || length > bytes - sum) {
                return -1;
            }
            sum += length;
        }
        return sum == bytes ? RingLayout.SPAN_LIST + pieces * RingLayout.PIECE : -1;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Returns whether the sender is gone or may no longer be read, so that all further copies would fail. */
    boolean isRefused() {
        return refused;
    }

    @Override
    public boolean fetch(long offset, long to, long count) {
        if (offset < 0 || count < 1 || count > bytes - offset) {
            return false;
        }
        ring.put(RingLayout.COPYING, 1);
        try {
            return isValid() && copy(offset, to, count) && isValid();
        } finally {
            ring.put(RingLayout.COPYING, 0);
        }
    }

    private boolean isValid() {
        return ring.get(RingLayout.EPOCH) == epoch;
    }

    private boolean copy(long offset, long to, long count) {
        scratch.putLong(LOCAL + IOV, to).putLong(LOCAL + IOV + 8, count);
        int n = 1;
        long skip = offset;
        long left = count;
        for (int i = 0; left > 0; i++) {
            long length = scratch.getLong(LIST + i * IOV + 8);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            long part = Math.min(left, length - skip);
            int iov = REMOTE + n++ * IOV;
            scratch.putLong(iov, scratch.getLong(LIST + i * IOV) + skip).putLong(iov + 8, part);
            skip = 0;
            left -= part;
        }
        scratch.putLong(0, 0);
        long done = kernel.readProcess(peer.pid(), address + LOCAL, 2, address + REMOTE, n);
        if (done < 0) {
            int errno = kernel.errno();
            refused |= errno == Errno.EPERM || errno == ESRCH;
            return false;
        }
        if (scratch.getLong(0) != peer.nonceHigh() || scratch.getLong(8) != peer.nonceLow()) {
            refused = true;
            return false;
        }
        return done == Processes.NONCE + count;
    }
}

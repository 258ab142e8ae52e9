/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.Hello;
import io.verbs4j.bulk.strategy.Posts;

/**
 * Writes messages into a ring in the peer's memory: the bytes, the header, and finally the word that marks both as
 * complete. Writes of a queue pair are placed in order.
 */
final class RingWriter implements Posts {
    /** Maximum number of requests of a message. */
    static final int REQUESTS = 3;

    private static final int ALIGNMENT = Long.BYTES;

    private final Posts writes;
    private final Slots slots;
    private final Hello peer;
    private long next;

    RingWriter(Posts writes, Slots slots, Hello peer) {
        this.writes = writes;
        this.slots = slots;
        this.peer = peer;
    }

    /** Continues after this number of messages. */
    RingWriter from(long sequence) {
        next = sequence;
        return this;
    }

    /** Distance between two places of a ring in bytes. */
    static int stride(int slotBytes) {
        return slotBytes & -ALIGNMENT;
    }

    /** The word that completes a message; no header has this value in its place. */
    static long word(long sequence) {
        return ~sequence;
    }

    @Override
    public void connected() {
        // the queue pair was told
    }

    @Override
    public int send(
            long wrId, int flags, int headerKey, long header, int headerLength, int lkey, long address, int length) {
        long place = peer.ring() + next % peer.slots() * stride(peer.slotBytes());
        int fence = flags & SendFlags.FENCE;
        int errno = 0;
        if (length > 0) {
            errno = writes.write(wrId, fence, lkey, address, length, peer.ringKey(), place + ControlLayout.SIZE);
            fence = 0;
        }
        if (errno == 0) {
            errno = writes.write(wrId, fence, headerKey, header, headerLength, peer.ringKey(), place);
        }
        if (errno == 0) {
            int at = slots.word((int) wrId);
            slots.bytes().putLong(at, word(next++));
            errno = writes.write(
                    wrId,
                    flags & SendFlags.SIGNALED,
                    slots.lkey(),
                    slots.address(at),
                    Long.BYTES,
                    peer.ringKey(),
                    place + ControlLayout.SEQUENCE);
        }
        return errno;
    }

    @Override
    public int write(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        return writes.write(wrId, flags, lkey, address, length, rkey, remoteAddress);
    }

    @Override
    public int writeAndTell(
            long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress, int value) {
        return writes.writeAndTell(wrId, flags, lkey, address, length, rkey, remoteAddress, value);
    }

    @Override
    public int read(long wrId, int flags, int lkey, long address, int length, int rkey, long remoteAddress) {
        return writes.read(wrId, flags, lkey, address, length, rkey, remoteAddress);
    }

    @Override
    public int flush() {
        return writes.flush();
    }

    @Override
    public int receive(RecvWorkRequest request) {
        return writes.receive(request);
    }

    @Override
    public void fail() {
        writes.fail();
    }
}

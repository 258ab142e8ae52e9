/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The receiving side of a ring. What the sender has written is not relied on: each record is copied, then judged. For one thread at a time. */
final class RingReader {
    private static final int UDP_PORT = 4791;

    /**
     * After so many bytes it is the caller's turn: what was taken in is acknowledged, and the sender puts more into the ring while the rest is copied.
     */
    private static final long MOST_BYTES = 256 << 10;

    private final SharedMemory memory;
    private final Peer peer;
    private final Gid from;
    private final Gid to;
    private final Surroundings surroundings;
    private final long data;
    private final long number;
    private final ByteBuffer record = ByteBuffer.allocateDirect(RingLayout.MAX_PACKET);
    private final long recordAddress = NativeMemory.address(record);
    private final Packet packet = new Packet();
    private final Span span;
    private long head;

    /** The same, for other threads to read: what the ring has of it the sender can write, too. */
    private volatile long emptied;

    private volatile boolean ended;

    /** Whether its sender was gone when it was looked at last; of who looks after rings. */
    private boolean left;

    private int taken;
    private long bytes;

    /** Its bit in the mailbox. */
    private int place = -1;

    private RingReader(
            SharedMemory memory, Kernel kernel, Peer peer, Gid from, Gid to, long number, Surroundings surroundings) {
        this.memory = memory;
        this.peer = peer;
        this.from = from;
        this.to = to;
        this.number = number;
        this.surroundings = surroundings;
        this.data = memory.address() + RingLayout.DATA;
        this.span = new Span(kernel, peer, memory);
    }

    /** Maps the ring that a process has made for an address; it is not accepted yet. */
    static RingReader open(Kernel kernel, Peer peer, int fd, long number, Gid from, Gid to, Surroundings surroundings)
            throws IOException {
        SharedMemory memory = SharedMemory.open(kernel, peer.pid(), fd, RingLayout.SIZE);
        if (memory.get(0) != RingLayout.MAGIC
                || memory.get(RingLayout.NUMBER) != number
                || memory.get(RingLayout.CAPACITY) != RingLayout.BYTES) {
            throw new IOException("descriptor " + fd + " of process " + peer.pid() + " is no ring");
        }
        return new RingReader(memory, kernel, peer, from, to, number, surroundings);
    }

    Peer peer() {
        return peer;
    }

    Gid from() {
        return from;
    }

    long number() {
        return number;
    }

    boolean isEnded() {
        return ended;
    }

    int place() {
        return place;
    }

    /** Gives it a place; before it is accepted. */
    void place(int value) {
        place = value;
        memory.put(RingLayout.PLACE, value);
    }

    /** Notes that the sender is gone; whether it was so the last time. */
    boolean leave() {
        boolean before = left;
        left = true;
        return before;
    }

    /** Gives the memory back; for who polls, after the {@link #end}. */
    void discard() {
        memory.discard(RingLayout.DATA);
    }

    void accept() {
        memory.put(RingLayout.STATE, RingLayout.ACCEPTED);
    }

    /** Takes no more; the sender sees it. */
    void end() {
        ended = true;
        memory.put(RingLayout.STATE, RingLayout.ENDED);
    }

    /** Whether it was left with something in it by the last {@link #poll}; for who polls. */
    boolean hasMore() {
        return !ended && memory.get(RingLayout.TAIL) != head;
    }

    /** Whether there is nothing; any thread may ask. */
    boolean isEmpty() {
        return ended || memory.get(RingLayout.TAIL) == emptied;
    }

    /**
     * Takes records out.
     *
     * @param sink is given the packets
     * @param most most records to look at
     * @param drain takes in what has come by the socket
     * @return how many were looked at
     */
    int poll(PacketSink sink, int most, Runnable drain) {
        if (ended) {
            return 0;
        }
        long tail = memory.get(RingLayout.TAIL);
        if (tail == head) {
            return 0;
        }
        long before = head;
        taken = 0;
        bytes = 0;
        try {
            if (tail - head < 0 || tail - head > RingLayout.BYTES || (tail & 7) != 0) {
                spoilt();
            }
            while (head != tail && taken < most && bytes < MOST_BYTES && !ended) {
                take(tail - head, sink, drain);
            }
        } finally {
            if (head != before) {
                emptied = head;
                memory.put(RingLayout.HEAD, head);
                surroundings.count(Surroundings.Count.RECEIVED, taken);
                surroundings.count(Surroundings.Count.RECEIVED_BYTES, bytes);
            }
        }
        return taken;
    }

    private void take(long available, PacketSink sink, Runnable drain) {
        int at = (int) (head & RingLayout.BYTES - 1);
        long room = Math.min(available, RingLayout.BYTES - at);
        int length = NativeMemory.getInt(data + at);
        int flags = NativeMemory.getInt(data + at + 4);
        int kind = flags & ~RingLayout.AFTER_PACKETS;
        if (kind == RingLayout.WRAP) {
            if (available < RingLayout.BYTES - at) {
                spoilt();
            } else {
                head += RingLayout.BYTES - at;
            }
            return;
        }
        boolean spans = kind == RingLayout.SPAN;
        int most = spans ? RingLayout.MAX_SPAN_PACKET : RingLayout.MAX_PACKET;
        int size = RingLayout.HEADER + RingLayout.round(length);
        if (kind != RingLayout.PACKET && !spans || length < Packet.MIN_LENGTH || length > most || size > room) {
            spoilt();
            return;
        }
        NativeMemory.copy(data + at + RingLayout.HEADER, recordAddress, length);
        if (spans) {
            int more = span.take(data + at + size, room - size);
            if (more < 0) {
                spoilt();
                return;
            }
            size += more;
        }
        head += size; // before the handler, which may throw
        taken++;
        bytes += spans ? span.bytes() : length;
        if (packet.parse(record, 0, length) != Packet.OK || spans && packet.payloadLength() != 0) {
            surroundings.count(Surroundings.Count.BAD, 1);
            return;
        }
        packet.source(from.subnetPrefix(), from.interfaceId(), UDP_PORT);
        packet.destination(to.subnetPrefix(), to.interfaceId());
        packet.remote(spans ? span : null);
        if (flags != kind) {
            drain.run();
        }
        if (spans) {
            // The room is the sender's again when the copy is made, and not before.
            sink.onPacket(packet);
            if (span.isRefused()) {
                end();
            }
        } else {
            sink.onPacket(packet);
        }
    }

    /** The sender has written what can't be: nothing that it writes is of use any more. */
    private void spoilt() {
        surroundings.count(Surroundings.Count.BAD, 1);
        end();
    }
}

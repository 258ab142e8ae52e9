/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The receiving side of a ring. Does not trust what the sender has written: each record is copied before it is checked.
 * For one thread at a time.
 */
final class RingReader {
    private static final int UDP_PORT = 4791;

    /**
     * Bytes after which a poll returns, so that the received records are acknowledged and the sender refills the ring
     * while the rest is copied.
     */
    private static final long MOST_BYTES = 256 << 10;

    private final SharedMemory memory;
    private final Peer peer;
    private final Gid from;
    private final Gid to;
    private final OneCopy owner;
    private final Surroundings surroundings;
    private final long data;
    private final long number;

    /** Whether the sender shows records by their first words; otherwise only by the tail. */
    private final boolean shown;

    private final ByteBuffer record = ByteBuffer.allocateDirect(RingLayout.MAX_PACKET);
    private final long recordAddress = NativeMemory.address(record);
    private final Packet packet = new Packet();
    private final Span span;
    private long head;

    /** Copy of the head for other threads; the sender could overwrite the one in the ring. */
    private volatile long emptied;

    private volatile boolean ended;

    /** Whether the sender was gone at the last check; for the maintenance thread. */
    private boolean left;

    private int taken;
    private long bytes;

    /** The way to the sender, to wake it; null if there is none yet. */
    private Channel back;

    /** Whether receipts were written in this poll. */
    private boolean receipts;

    /** Its bit in the mailbox. */
    private int place = -1;

    private RingReader(SharedMemory memory, OneCopy owner, Peer peer, Gid from, long number) {
        this.memory = memory;
        this.owner = owner;
        this.peer = peer;
        this.from = from;
        this.to = owner.local();
        this.number = number;
        this.surroundings = owner.surroundings();
        this.data = memory.address() + RingLayout.DATA;
        this.shown = (memory.get(RingLayout.SENDER) & RingLayout.SHOWS_RECORDS) != 0;
        this.span = new Span(owner.kernel(), peer, memory);
    }

    /** Maps the ring that a process has made for an address, without accepting it. */
    static RingReader open(OneCopy owner, Peer peer, int fd, long number, Gid from) throws IOException {
        SharedMemory memory = SharedMemory.open(owner.kernel(), peer.pid(), fd, RingLayout.SIZE);
        if (memory.get(0) != RingLayout.MAGIC
                || memory.get(RingLayout.NUMBER) != number
                || memory.get(RingLayout.CAPACITY) != RingLayout.BYTES) {
            throw new IOException("descriptor " + fd + " of process " + peer.pid() + " is not a ring");
        }
        return new RingReader(memory, owner, peer, from, number);
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

    /** Assigns its place; call it before {@link #accept}. */
    void place(int value) {
        place = value;
        memory.put(RingLayout.PLACE, value);
    }

    /** Notes that the sender is gone; returns whether it was already gone the last time. */
    boolean leave() {
        boolean before = left;
        left = true;
        return before;
    }

    /** Frees the memory; for the polling thread, after {@link #end}. */
    void discard() {
        memory.discard(RingLayout.DATA);
    }

    void accept() {
        memory.put(RingLayout.ABILITIES, RingLayout.COPIES_ANSWERS | RingLayout.WRITES_RECEIPTS);
        memory.put(RingLayout.STATE, RingLayout.ACCEPTED);
    }

    /** Stops taking records; the sender sees it. */
    void end() {
        ended = true;
        memory.put(RingLayout.STATE, RingLayout.ENDED);
    }

    /** Returns whether the last {@link #poll} left records behind; for the polling thread. */
    boolean hasMore() {
        return !ended && !isEmptyAt(head);
    }

    /** Returns whether the ring is empty. Any thread may call it. */
    boolean isEmpty() {
        if (ended) {
            return true;
        }
        long at = emptied;
        return isEmptyAt(at) && emptied == at; // otherwise that place may be the sender's again
    }

    private boolean isEmptyAt(long position) {
        return shown ? header(position) == 0 : memory.get(RingLayout.TAIL) == position;
    }

    /** Reads the first word of a record, ordered before all later reads. */
    private long header(long position) {
        long header = NativeMemory.getLongVolatile(data + (position & RingLayout.BYTES - 1));
        memory.keepUntilHere();
        return header;
    }

    /**
     * Takes records out of the ring.
     *
     * @param sink receives the packets
     * @param most maximum number of records to process
     * @param drain receives what came through the socket
     * @return the number of records processed
     */
    int poll(PacketSink sink, int most, Runnable drain) {
        if (ended) {
            return 0;
        }
        long before = head;
        taken = 0;
        bytes = 0;
        try {
            if (shown) {
                takeShown(sink, most, drain);
            } else {
                takeUntilTail(sink, most, drain);
            }
        } finally {
            if (head != before) {
                emptied = head;
                memory.put(RingLayout.HEAD, head);
                surroundings.countAlone(Surroundings.Count.RECEIVED, taken);
                surroundings.countAlone(Surroundings.Count.RECEIVED_BYTES, bytes);
            }
            if (receipts) {
                receipts = false;
                back.tell(); // the fence between the receipts and this is that of the head
            }
        }
        return taken;
    }

    private void takeShown(PacketSink sink, int most, Runnable drain) {
        while (taken < most && bytes < MOST_BYTES && !ended) {
            long header = header(head);
            if (header == 0) {
                return;
            }
            take(header, RingLayout.BYTES, sink, drain);
        }
    }

    private void takeUntilTail(PacketSink sink, int most, Runnable drain) {
        long tail = memory.get(RingLayout.TAIL);
        if (tail - head < 0 || tail - head > RingLayout.BYTES || (tail & 7) != 0) {
            spoilt();
        }
        while (head != tail && taken < most && bytes < MOST_BYTES && !ended) {
            take(header(head), tail - head, sink, drain);
        }
    }

    private void take(long header, long available, PacketSink sink, Runnable drain) {
        int at = (int) (head & RingLayout.BYTES - 1);
        long room = Math.min(available, RingLayout.BYTES - at);
        int length = RingLayout.length(header);
        int flags = RingLayout.flags(header);
        int kind = flags & RingLayout.KINDS;
        int receipt = flags >>> RingLayout.RECEIPT_SHIFT;
        if (kind == RingLayout.WRAP) {
            if (at == 0 || available < RingLayout.BYTES - at) {
                spoilt();
            } else {
                head += RingLayout.BYTES - at;
            }
            return;
        }
        boolean spans = kind == RingLayout.SPAN;
        int most = spans ? RingLayout.MAX_SPAN_PACKET : RingLayout.MAX_PACKET;
        int size = RingLayout.HEADER + RingLayout.round(length);
        if (kind != RingLayout.PACKET && !spans
                || length < Packet.MIN_LENGTH
                || length > most
                || size > room
                || receipt != 0 && (spans || !RingLayout.isReceipt(receipt))) {
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
        if ((flags & RingLayout.AFTER_PACKETS) != 0) {
            drain.run();
        }
        if (spans) {
            // The room must not be the sender's again before the copy is complete.
            sink.onPacket(packet);
            if (span.isRefused()) {
                end();
            }
        } else if (receipt != 0 && canTell()) {
            packet.mayHaveReceipt();
            sink.onPacket(packet);
            if (packet.hasReceipt()) {
                memory.putRelease(RingLayout.receiptOffset(receipt), RingLayout.receiptWord(receipt, packet.psn()));
                receipts = true;
            }
        } else {
            sink.onPacket(packet);
        }
    }

    /** Returns whether the sender can be woken if it sleeps, so that it sees a receipt. */
    private boolean canTell() {
        Channel known = back;
        if (known == null || known.isDropped()) {
            known = owner.channel(from.subnetPrefix(), from.interfaceId());
            back = known;
        }
        return known != null && known.canTell();
    }

    /** Ends the ring, because the sender has written an invalid record and nothing it writes can be trusted. */
    private void spoilt() {
        surroundings.count(Surroundings.Count.BAD, 1);
        end();
    }
}

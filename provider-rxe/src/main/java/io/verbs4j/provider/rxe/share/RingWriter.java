/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.Lender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/** The sending side of a ring. Any thread may write to it. Does not trust what the receiver has written. */
public final class RingWriter {
    /** Maximum payload of a span. Spans begin at multiples of it, counted from the start of the message. */
    public static final int SPAN_BYTES = 1 << 20;

    /** Maximum number of pieces of a span's payload. */
    public static final int MAX_PIECES = RingLayout.MAX_PIECES;

    /** Room to keep free: the most that two threads can have built but not yet written. */
    private static final int KEPT = 192 << 10;

    /** Maximum wait for a copy in progress: the process may have been stopped or killed in the middle of it. */
    private static final long COPY_NANOS = 100_000_000;

    /** Bytes of packets that may wait for {@link #show}. */
    private static final int SHOWN_AT_ONCE = 16 << 10;

    private final SharedMemory memory;
    private final Channel channel;
    private final long base;
    private final long data;

    /** Held while writing to the ring. */
    private final ReentrantLock lock = new ReentrantLock();

    private final long number = ThreadLocalRandom.current().nextLong();
    private long tail;

    /** The place of the first record that is not visible yet, and its first word; 0 if there is none. */
    private long first;

    private long firstHeader;
    private long epoch;
    private long headSeen;

    /** The receiver's position when {@link #isFree} last read it; several threads may write it, in any order. */
    private long headRead;

    private final Standstill standstill = new Standstill();
    private int begun;

    /** Its bit in the receiver's mailbox; set before anything is written to the ring. */
    private int place;

    private final MissedSpans missed = new MissedSpans();
    private boolean closed;

    /** Number and bytes of the packets that were ended since {@link #show}. */
    private int ready;

    private long readyBytes;

    private final Receipts receipts;
    private final Loan loan = new Loan(this);

    private RingWriter(SharedMemory memory, Channel channel) {
        this.memory = memory;
        this.channel = channel;
        this.base = memory.address();
        this.data = base + RingLayout.DATA;
        this.receipts = new Receipts(memory);
    }

    /** Creates a ring for a channel. */
    static RingWriter create(Kernel kernel, Channel channel) throws IOException {
        RingWriter made = new RingWriter(SharedMemory.create(kernel, RingLayout.SIZE), channel);
        made.memory.put(RingLayout.NUMBER, made.number);
        made.memory.put(RingLayout.CAPACITY, RingLayout.BYTES);
        made.memory.put(RingLayout.SENDER, RingLayout.SHOWS_RECORDS);
        made.memory.put(0, RingLayout.MAGIC);
        return made;
    }

    long number() {
        return number;
    }

    int fd() {
        return memory.fd();
    }

    /** Returns whether the receiver has accepted the ring; call it only until it has. */
    boolean isAccepted() {
        return memory.get(RingLayout.STATE) == RingLayout.ACCEPTED;
    }

    /** Returns whether the receiver copies spans that answer reads; its library may be older than that. */
    public boolean copiesAnswers() {
        return (memory.get(RingLayout.ABILITIES) & RingLayout.COPIES_ANSWERS) != 0;
    }

    /** Starts to use the accepted ring. Closes its descriptor, so that no other process can open it. */
    void begin() {
        place = (int) memory.get(RingLayout.PLACE) & Mailbox.PLACES - 1; // the receiver may write anything
        memory.close();
    }

    /** Returns whether the receiver still takes records. */
    private boolean isTaken() {
        return memory.get(RingLayout.STATE) == RingLayout.ACCEPTED;
    }

    // ---- room

    /** Returns whether a few more packets certainly fit. Thread-safe; may briefly return false although they do. */
    public boolean hasRoom() {
        return isFree(KEPT);
    }

    /** Returns whether at least half of the ring is free, so that the receiver need not hurry. */
    public boolean hasPlenty() {
        return isFree(RingLayout.BYTES / 2);
    }

    /**
     * Returns whether so many bytes are free. Reads the receiver's position only if the one read before does not show
     * it: that line has just been written by another processor.
     */
    private boolean isFree(int bytes) {
        if (free(headRead) >= bytes) {
            return true;
        }
        long head = memory.get(RingLayout.HEAD);
        headRead = head;
        return free(head) >= bytes;
    }

    private long free(long head) {
        long used = memory.get(RingLayout.TAIL) - head;
        return used < 0 ? 0 : RingLayout.BYTES - used;
    }

    /** Returns the free room. The caller holds the lock. */
    private long room(long wanted) {
        long room = RingLayout.BYTES - (tail - headSeen);
        if (room < wanted) {
            long head = memory.get(RingLayout.HEAD);
            if (head - headSeen >= 0 && tail - head >= 0) { // otherwise the value is invalid and counts as no progress
                headSeen = head;
            }
            room = RingLayout.BYTES - (tail - headSeen);
        }
        return room;
    }

    /**
     * Finds a place for a record of at most the given size, and for the word behind it; returns its address, or 0. The
     * caller holds the lock.
     */
    private long place(int bytes) {
        int at = (int) (tail & RingLayout.BYTES - 1);
        int skipped = at + bytes > RingLayout.BYTES ? RingLayout.BYTES - at : 0;
        int wanted = skipped + bytes + RingLayout.HEADER;
        if (room(wanted) < wanted) {
            return 0;
        }
        if (skipped > 0) {
            begin(data + at, 0, RingLayout.WRAP);
            tail += skipped;
            at = 0;
        }
        return data + at;
    }

    /** Writes the first word of a record; the first record that is not visible yet gets its word when it becomes so. */
    private void begin(long record, int length, int flags) {
        long header = RingLayout.header(length, flags);
        if (first == 0) {
            first = record;
            firstHeader = header;
        } else {
            NativeMemory.putLong(record, header);
        }
    }

    private int kind(int kind) {
        return channel.takeSentPackets() ? kind | RingLayout.AFTER_PACKETS : kind;
    }

    // ---- writing

    /**
     * Writes packets that lie one after the other in memory. Packets that do not fit are dropped and counted.
     *
     * @param from address of the first packet
     * @param length total size in bytes
     * @param size size of each packet but the last, which may be shorter
     */
    public void put(long from, int length, int size) {
        int sent = 0;
        int full = 0;
        long payload = 0;
        lock.lock();
        try {
            if (closed || !isTaken()) {
                channel.lost(this);
                return;
            }
            for (int at = 0; at < length; at += size) {
                int n = Math.min(size, length - at);
                long to = full > 0 ? 0 : place(RingLayout.HEADER + RingLayout.round(n));
                if (to == 0) {
                    full++;
                    continue;
                }
                begin(to, n, kind(RingLayout.PACKET));
                NativeMemory.copy(from + at, to + RingLayout.HEADER, n);
                tail += RingLayout.HEADER + RingLayout.round(n);
                sent++;
                payload += n;
            }
            publish();
        } finally {
            lock.unlock();
        }
        wake();
        channel.count(sent, payload, full);
    }

    /**
     * Begins a packet: reserves room for it and keeps other threads from writing until {@link #endPacket} or {@link
     * #abandon}.
     *
     * @param length length of the packet, with the room for the ICRC
     * @return index in {@link #buffer()} at which to write the packet; -1 if there is no room, in which case it is not
     *     begun
     */
    public int beginPacket(int length) {
        return beginRecord(RingLayout.HEADER + RingLayout.round(length));
    }

    /**
     * Ends a packet. The receiver sees it at once, or else together with more packets, at the latest after {@link
     * #show}.
     *
     * @param length as in {@link #beginPacket}
     * @param receipt where the receiver may acknowledge it; null if by a packet only
     * @param more whether more packets follow at once
     * @return whether {@link #show} must be called
     */
    public boolean endPacket(int length, Receipt receipt, boolean more) {
        int packets;
        long bytes;
        try {
            int asks = receipt == null ? 0 : receipt.reference() << RingLayout.RECEIPT_SHIFT;
            begin(base + begun - RingLayout.HEADER, length, kind(RingLayout.PACKET) | asks);
            tail += RingLayout.HEADER + RingLayout.round(length);
            packets = ++ready;
            readyBytes += length;
            bytes = readyBytes;
            if (more && bytes < SHOWN_AT_ONCE) {
                return true;
            }
            showReady();
        } finally {
            lock.unlock();
        }
        wake();
        channel.count(packets, bytes, 0);
        return false;
    }

    /** Makes the packets that were ended visible. */
    public void show() {
        int packets;
        long bytes;
        lock.lock();
        try {
            packets = ready;
            bytes = readyBytes;
            showReady();
        } finally {
            lock.unlock();
        }
        wake();
        channel.count(packets, bytes, 0);
    }

    private void showReady() {
        ready = 0;
        readyBytes = 0;
        publish();
    }

    /** Makes the written records visible. The caller holds the lock. */
    private void publish() {
        if (first != 0) {
            NativeMemory.putLong(data + (tail & RingLayout.BYTES - 1), 0); // before the records that it follows
            NativeMemory.putLongRelease(first, firstHeader);
            first = 0;
        }
        // Also the barrier between writing the records and checking whether the receiver sleeps.
        memory.put(RingLayout.TAIL, tail);
    }

    private void wake() {
        channel.wake(place);
        if (standstill.isTime() && standstill.is(memory.get(RingLayout.HEAD), tail)) {
            channel.suspect(this);
        }
    }

    // ---- spans

    /**
     * Begins a span: reserves room for it and keeps other threads from writing until {@link #endSpan} or {@link
     * #abandon}.
     *
     * @return index in {@link #buffer()} at which to write the packet's headers; -1 if there is no room, in which case
     *     the span is not begun
     */
    public int beginSpan() {
        return beginRecord(RingLayout.MAX_SPAN);
    }

    /** Begins a record of at most the given size; the caller then holds the lock, unless there is no room. */
    private int beginRecord(int most) {
        lock.lock();
        boolean complete = false;
        try {
            if (closed || !isTaken()) {
                channel.lost(this);
                return -1;
            }
            long to = place(most);
            if (to == 0) {
                return -1;
            }
            begun = (int) (to - base) + RingLayout.HEADER;
            complete = true;
            return begun;
        } finally {
            if (!complete) {
                lock.unlock();
            }
        }
    }

    /** {@return the address of {@link #buffer()}} */
    public long address() {
        return base;
    }

    /** {@return the memory; big-endian} */
    public ByteBuffer buffer() {
        return memory.buffer();
    }

    /**
     * Returns the position that the receiver must reach before the current span has been taken out: for {@link
     * #recall}.
     */
    public long spanEnd() {
        return tail + RingLayout.MAX_SPAN;
    }

    /** Returns the address at which to write the addresses and lengths of the pieces. */
    public long pieces(int headers) {
        return base + begun + RingLayout.round(headers) + RingLayout.SPAN_LIST;
    }

    /**
     * Ends a span.
     *
     * @param headers length of its packet, including the room for the ICRC
     * @param pieces number of pieces
     * @param bytes size of the payload
     */
    public void endSpan(int headers, int pieces, long bytes) {
        try {
            long span = base + begun + RingLayout.round(headers);
            if (memory.get(RingLayout.EPOCH) != epoch) {
                memory.put(RingLayout.EPOCH, epoch); // another process has overwritten it
            }
            NativeMemory.putLong(span, epoch);
            NativeMemory.putLong(span + RingLayout.SPAN_BYTES, bytes);
            NativeMemory.putLong(span + RingLayout.SPAN_PIECES, pieces);
            long record = base + begun - RingLayout.HEADER;
            begin(record, headers, kind(RingLayout.SPAN));
            tail += RingLayout.HEADER + RingLayout.round(headers) + RingLayout.SPAN_LIST + pieces * RingLayout.PIECE;
            publish();
        } finally {
            lock.unlock();
        }
        wake();
        channel.count(1, bytes, 0);
    }

    /**
     * Notes that the receiver has missed the same span twice although the memory exists, so that its payload is sent as
     * packets. After several such messages in a row the ring ends, because a new one may work. Must not be called while
     * holding the ring's lock.
     */
    public void distrust() {
        if (missed.areTooMany()) {
            channel.distrust(this);
        }
    }

    /** Notes that the receiver got a span. */
    public void trust() {
        missed.end();
    }

    /** Abandons a span or a packet that was begun. */
    public void abandon() {
        lock.unlock();
    }

    /** {@return a receipt for one more queue pair; null if the receiver writes none, or if none is free} */
    public Receipt receipt() {
        return receipts.take(this);
    }

    // ---- the end

    /** Returns whether the ring is closed and all spans are taken back. */
    boolean isClosed() {
        return loan.isClosed();
    }

    /** {@return the lender of the memory that this ring's spans refer to} */
    public Lender lender() {
        return loan;
    }

    /**
     * Takes back all spans that have not been taken out, unless the receiver has passed the given position. After this
     * returns, no process reads through them any more, except one that was stopped while reading. Spans taken back
     * count as lost, so they are sent again.
     */
    public void recall(long until) {
        lock.lock();
        try {
            long head = memory.get(RingLayout.HEAD);
            if (head - until >= 0 || head == tail) {
                return;
            }
            epoch++;
            memory.put(RingLayout.EPOCH, epoch);
        } finally {
            lock.unlock();
        }
        awaitCopy();
    }

    private void awaitCopy() {
        long start = System.nanoTime();
        for (int i = 0; memory.get(RingLayout.COPYING) != 0; i++) {
            if (System.nanoTime() - start > COPY_NANOS) {
                return;
            }
            Nap.spin(i, 1000, 10_000);
        }
    }

    /** Closes the ring: nothing more is written, and nothing is read through its spans. */
    void close() {
        shut();
        recall(Long.MAX_VALUE);
        loan.end(); // only now, because keys forget a closed ring
        memory.close();
    }

    /**
     * As {@link #close}, but does not wait: the receiver's process has ended, so it copies nothing, whatever the ring
     * says.
     */
    void giveUp() {
        shut();
        loan.end();
        memory.close();
    }

    private void shut() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the memory of a closed ring that the receiver no longer reads. */
    void discard() {
        memory.discard(RingLayout.DATA);
    }
}

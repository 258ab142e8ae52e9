/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.natives.lock.Nap;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.Lender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/** The sending side of a ring. Any thread may put something in; what the receiver has written is not relied on. */
public final class RingWriter {
    /** Most payload of a span. Spans begin at multiples of it, from the beginning of the message on. */
    public static final int SPAN_BYTES = 1 << 20;

    /** Most pieces that the payload of a span may be in. */
    public static final int MAX_PIECES = RingLayout.MAX_PIECES;

    /** Room to keep: what two threads have made and not sent, at most. */
    private static final int KEPT = 192 << 10;

    /** How long it is waited for a copy that is under way: a process may have been stopped or killed in the midst of it. */
    private static final long COPY_NANOS = 100_000_000;

    private static final long LOOK_NANOS = 2_000_000;

    /** After so many messages in a row, of all queue pairs, whose spans did not come. */
    private static final int DISTRUSTED = 4;

    private final SharedMemory memory;
    private final Channel channel;
    private final long base;
    private final long data;

    /** Of who puts something in. */
    private final ReentrantLock lock = new ReentrantLock();

    private final long number = ThreadLocalRandom.current().nextLong();
    private long tail;
    private long epoch;
    private long headSeen;
    private long lastLook = System.nanoTime();
    private long headAtLook;
    private long tailAtLook;
    private int begun;

    /** Its bit in the receiver's mailbox; written before anything is put in. */
    private int place;

    /** Not exact where several queue pairs count. */
    private volatile int distrust;

    private boolean closed;

    private final Loan loan = new Loan(this);

    /**
     * What keys of memory know of the ring. They keep it until they next lend something, which may be never; the ring,
     * with its mapping, goes when all is back.
     */
    private static final class Loan implements Lender {
        /** Null when all is back since the ring is closed. */
        private volatile RingWriter ring;

        Loan(RingWriter ring) {
            this.ring = ring;
        }

        @Override
        public void recall(long until) {
            RingWriter open = ring;
            if (open != null) {
                open.recall(until);
            }
        }

        @Override
        public boolean isClosed() {
            return ring == null;
        }
    }

    private RingWriter(SharedMemory memory, Channel channel) {
        this.memory = memory;
        this.channel = channel;
        this.base = memory.address();
        this.data = base + RingLayout.DATA;
    }

    /** Makes a ring for a channel. */
    static RingWriter create(Kernel kernel, Channel channel) throws IOException {
        RingWriter made = new RingWriter(SharedMemory.create(kernel, RingLayout.SIZE), channel);
        made.memory.put(RingLayout.NUMBER, made.number);
        made.memory.put(RingLayout.CAPACITY, RingLayout.BYTES);
        made.memory.put(0, RingLayout.MAGIC);
        return made;
    }

    long number() {
        return number;
    }

    int fd() {
        return memory.fd();
    }

    /** Whether the receiver has taken it; to be asked until it has, and not after. */
    boolean isAccepted() {
        return memory.get(RingLayout.STATE) == RingLayout.ACCEPTED;
    }

    /** It is accepted: nobody else is to open it. */
    void begin() {
        place = (int) memory.get(RingLayout.PLACE) & Mailbox.PLACES - 1; // whatever it is
        memory.close();
    }

    /** Whether the receiver still takes from it. */
    private boolean isTaken() {
        return memory.get(RingLayout.STATE) == RingLayout.ACCEPTED;
    }

    // ---- room

    /** Whether a few packets more have room for certain. Any thread may ask; may say no for a moment where there is. */
    public boolean hasRoom() {
        return free() >= KEPT;
    }

    /** Whether there is so much room that nobody need hurry the receiver. */
    public boolean hasPlenty() {
        return free() >= RingLayout.BYTES / 2;
    }

    private long free() {
        long used = memory.get(RingLayout.TAIL) - memory.get(RingLayout.HEAD);
        return used < 0 ? 0 : RingLayout.BYTES - used;
    }

    /** How much room there is; the lock is held. */
    private long room(long wanted) {
        long room = RingLayout.BYTES - (tail - headSeen);
        if (room < wanted) {
            long head = memory.get(RingLayout.HEAD);
            if (head - headSeen >= 0 && tail - head >= 0) { // else it lies: it has taken nothing
                headSeen = head;
            }
            room = RingLayout.BYTES - (tail - headSeen);
        }
        return room;
    }

    /** Finds a place for a record of at most so many bytes; answers where in memory, or 0. The lock is held. */
    private long place(int bytes) {
        int at = (int) (tail & RingLayout.BYTES - 1);
        int skipped = at + bytes > RingLayout.BYTES ? RingLayout.BYTES - at : 0;
        if (room(skipped + bytes) < skipped + bytes) {
            return 0;
        }
        if (skipped > 0) {
            NativeMemory.putInt(data + at, 0);
            NativeMemory.putInt(data + at + 4, RingLayout.WRAP);
            tail += skipped;
            at = 0;
        }
        return data + at;
    }

    private int kind(int kind) {
        return channel.takeSentPackets() ? kind | RingLayout.AFTER_PACKETS : kind;
    }

    // ---- putting in

    /**
     * Puts packets in that lie one after the other.
     *
     * @param from where the first is, in memory
     * @param length bytes of all
     * @param size bytes of each but the last, which may have fewer
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
                NativeMemory.putInt(to, n);
                NativeMemory.putInt(to + 4, kind(RingLayout.PACKET));
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

    /** What was put in is there; the lock is held. */
    private void publish() {
        // Also the barrier between what was put in and the look at whether the receiver sleeps.
        memory.put(RingLayout.TAIL, tail);
    }

    private void wake() {
        channel.wake(place);
        long now = System.nanoTime();
        if (now - lastLook > LOOK_NANOS) { // a race between two threads looks twice
            lastLook = now;
            long head = memory.get(RingLayout.HEAD);
            if (head == headAtLook && head != tailAtLook) {
                channel.suspect(this); // nothing was taken out for a while, and something was there
            }
            headAtLook = head;
            tailAtLook = tail;
        }
    }

    // ---- spans

    /**
     * Begins a span: room for it is found, and nobody else puts something in until {@link #endSpan} or {@link #abandonSpan}.
     *
     * @return index in {@link #buffer()} to write the packet's headers at; -1 where there is no room, and then the span is not begun
     */
    public int beginSpan() {
        lock.lock();
        boolean complete = false;
        try {
            if (closed || !isTaken()) {
                channel.lost(this);
                return -1;
            }
            long to = place(RingLayout.MAX_SPAN);
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

    /** The memory; big-endian. */
    public ByteBuffer buffer() {
        return memory.buffer();
    }

    /** Until where something must have been taken out for a span that was begun to be: for {@link #recall}. */
    public long spanEnd() {
        return tail + RingLayout.MAX_SPAN;
    }

    /** Where the addresses and lengths of the pieces are to be written, in memory. */
    public long pieces(int headers) {
        return base + begun + RingLayout.round(headers) + RingLayout.SPAN_LIST;
    }

    /**
     * Ends a span.
     *
     * @param headers length of its packet with the room for the ICRC
     */
    public void endSpan(int headers, int pieces, long bytes) {
        try {
            long span = base + begun + RingLayout.round(headers);
            if (memory.get(RingLayout.EPOCH) != epoch) {
                memory.put(RingLayout.EPOCH, epoch); // somebody else has written there
            }
            NativeMemory.putLong(span, epoch);
            NativeMemory.putLong(span + RingLayout.SPAN_BYTES, bytes);
            NativeMemory.putLong(span + RingLayout.SPAN_PIECES, pieces);
            long record = base + begun - RingLayout.HEADER;
            NativeMemory.putInt(record, headers);
            NativeMemory.putInt(record + 4, kind(RingLayout.SPAN));
            tail += RingLayout.HEADER + RingLayout.round(headers) + RingLayout.SPAN_LIST + pieces * RingLayout.PIECE;
            publish();
        } finally {
            lock.unlock();
        }
        wake();
        channel.count(1, bytes, 0);
    }

    /**
     * The receiver has missed the same span twice, though the memory is there, and what it stands for goes as packets.
     * Where that happens again and again, the ring
     * ends: a new one may do better. Not to be called within the ring's lock.
     */
    public void distrust() {
        int now = distrust + 1;
        distrust = now;
        if (now >= DISTRUSTED) {
            channel.distrust(this);
        }
    }

    /** The receiver has got a span. */
    public void trust() {
        if (distrust != 0) {
            distrust = 0;
        }
    }

    /** Forgets a span that was begun. */
    public void abandonSpan() {
        lock.unlock();
    }

    /** Whether all is back since it is closed. */
    boolean isClosed() {
        return loan.isClosed();
    }

    /** Who lends memory by this ring. */
    public Lender lender() {
        return loan;
    }

    /**
     * Takes back all spans that have not been taken out, unless all up to a place have been: when this returns, nobody reads by them
     * any more, but for a process that was stopped while it does. What is taken back is sent again, as what was lost is.
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

    /** Nothing more is put in, and nothing read by what was. */
    void close() {
        shut();
        recall(Long.MAX_VALUE);
        loan.ring = null; // and not before: keys forget a ring that is closed
        memory.close();
    }

    /** As {@link #close}, where the receiver's process has ended: nobody copies any more, whatever the ring says. */
    void abandon() {
        shut();
        loan.ring = null;
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

    /** Gives the memory of a closed ring back, which the receiver takes nothing from any more. */
    void discard() {
        memory.discard(RingLayout.DATA);
    }
}

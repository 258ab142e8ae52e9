/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A link that deliberately drops, duplicates, delays, reorders, truncates and corrupts packets according to its {@link
 * FaultPlan}.
 *
 * <p>Packets are damaged after their ICRC was added, so that verification must detect it. Corruption never hits the
 * byte of the BTH that the ICRC does not cover.
 */
public final class FaultLink implements Link {
    /** Maximum number of packets that overtake a reordered packet; the minimum is one. */
    private static final int MAX_OVERTAKERS = 4;

    /** Time after which a reordered packet is released if no others come. */
    private static final long REORDER_NANOS = 10_000_000;

    private static final int HOLDING = 1 << FaultPlan.DELAY | 1 << FaultPlan.REORDER;
    private static final int DAMAGING = 1 << FaultPlan.TRUNCATE | 1 << FaultPlan.CORRUPT;

    /** Byte of the BTH with congestion marks and reserved bits, which routers may change. */
    private static final int UNCOVERED_BYTE = 4;

    private final Link link;
    private final FaultPlan plan;
    private final LinkCounters counters;
    private final RxPath path;
    private final PacketHandler receiver = this::onPacket;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(RxPath.MAX_PACKET);

    // The receive side belongs to the polling thread.
    private final HeldPackets heldReceived = new HeldPackets();
    private PacketHandler handler;
    private long received;
    private int passedOn;

    /** When the next held packet is released, for the waiting thread; meaningless while none is held. */
    private volatile long receivedDue;

    private volatile boolean holdsReceived;

    private volatile boolean waiting;

    // The send side is used by all sending threads; held packets go out in a batch of their own.
    private final AtomicLong sent = new AtomicLong();
    private final Object sendLock = new Object();
    private final HeldPackets heldSent = new HeldPackets();
    private final TxBatch lateBatch;
    private final BatchPool batches = new BatchPool(this::newBatch);

    /**
     * Wraps a link; closing this one closes it.
     *
     * @param link the link
     * @param plan the faults to cause
     */
    public FaultLink(Link link, FaultPlan plan) {
        this.link = link;
        this.plan = plan;
        String[] names = new String[2 * FaultPlan.NAMES.length];
        for (int i = 0; i < FaultPlan.NAMES.length; i++) {
            names[i] = "fault_rx_" + FaultPlan.NAMES[i];
            names[FaultPlan.NAMES.length + i] = "fault_tx_" + FaultPlan.NAMES[i];
        }
        counters = new LinkCounters(link.counters(), names);
        path = new RxPath(counters, null, RxPath.isOfThisMachine(link.localGid()));
        lateBatch = link.newBatch();
    }

    @Override
    public Gid localGid() {
        return link.localGid();
    }

    @Override
    public int pathMtu() {
        return link.pathMtu();
    }

    /**
     * Returns the counters of the wrapped link, plus the damaged packets that this link detected and the faults that it
     * caused.
     */
    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public TxBatch newBatch() {
        return plan.covers(FaultPlan.SEND) ? new Batch() : link.newBatch();
    }

    @Override
    public BatchPool batches() {
        return batches;
    }

    @Override
    public int poll(PacketHandler packetHandler, int maxPackets) {
        sendLate();
        if (!plan.covers(FaultPlan.RECEIVE)) {
            return link.poll(packetHandler, maxPackets);
        }
        handler = packetHandler;
        passedOn = 0;
        path.take();
        try {
            releaseReceived();
            link.poll(receiver, maxPackets);
        } finally {
            handler = null;
            noteHeld();
        }
        return passedOn + path.take();
    }

    /** Held packets count as still in transit. */
    @Override
    public boolean isDrained() {
        return link.isDrained();
    }

    private void noteHeld() {
        if (!heldReceived.isEmpty()) {
            long now = System.nanoTime();
            receivedDue = now + heldReceived.untilDue(now);
            holdsReceived = true;
            endLongerWait();
        } else if (holdsReceived) {
            holdsReceived = false;
        }
    }

    /** Makes a waiting thread recompute its wait, because a packet was held since. */
    private void endLongerWait() {
        if (waiting) {
            wakeup();
        }
    }

    private void onPacket(Packet p) {
        long number = received++;
        int faults = plan.faults(FaultPlan.RECEIVE, number);
        count(0, faults);
        if ((faults & 1 << FaultPlan.DROP) != 0) {
            return;
        }
        if ((faults & HOLDING) != 0) {
            HeldPackets.Held h = heldReceived.add(p.buffer(), p.offset(), p.length(), faults & DAMAGING, number);
            h.source(p.sourceGidHigh(), p.sourceGidLow(), p.sourcePort());
            h.destination(p.destinationGidHigh(), p.destinationGidLow());
            hold(h, FaultPlan.RECEIVE, faults);
        } else if ((faults & DAMAGING) != 0) {
            scratch.put(0, p.buffer(), p.offset(), p.length());
            int length = damage(FaultPlan.RECEIVE, scratch, 0, p.length(), faults, number);
            path.deliver(
                    scratch,
                    0,
                    length,
                    p.sourceGidHigh(),
                    p.sourceGidLow(),
                    p.sourcePort(),
                    p.destinationGidHigh(),
                    p.destinationGidLow(),
                    handler);
        } else {
            passOn(p);
        }
        if ((faults & 1 << FaultPlan.DUPLICATE) != 0) {
            passOn(p);
        }
        if ((faults & HOLDING) == 0) {
            heldReceived.passed();
        }
        releaseReceived();
    }

    private void passOn(Packet p) {
        if (handler.wants(p)) {
            passedOn++;
            handler.onPacket(p);
        }
    }

    private void releaseReceived() {
        HeldPackets.Held h;
        while (!heldReceived.isEmpty() && (h = heldReceived.release(System.nanoTime())) != null) {
            int length = damage(FaultPlan.RECEIVE, h.data(), 0, h.length(), h.faults(), h.number());
            try {
                path.deliver(
                        h.data(), 0, length, h.srcHigh(), h.srcLow(), h.srcPort(), h.dstHigh(), h.dstLow(), handler);
            } finally {
                heldReceived.recycle(h);
            }
        }
    }

    private void hold(HeldPackets.Held h, int side, int faults) {
        long now = System.nanoTime();
        if ((faults & 1 << FaultPlan.DELAY) != 0) {
            h.until(Integer.MAX_VALUE, now + plan.delayNanos());
        } else {
            int overtakers = 1 + (int) Long.remainderUnsigned(plan.detail(side, h.number(), 0), MAX_OVERTAKERS);
            h.until(overtakers, now + REORDER_NANOS);
        }
    }

    private void count(int first, int faults) {
        for (int left = faults; left != 0; left &= left - 1) {
            counters.add(LinkCounters.firstFurther() + first + Integer.numberOfTrailingZeros(left), 1);
        }
    }

    /** Applies the damage; returns the remaining length. */
    private int damage(int side, ByteBuffer b, int at, int length, int faults, long number) {
        int left = length;
        if ((faults & 1 << FaultPlan.TRUNCATE) != 0) {
            left = 1 + (int) Long.remainderUnsigned(plan.detail(side, number, 1), length - 1L);
        }
        if ((faults & 1 << FaultPlan.CORRUPT) != 0) {
            long random = plan.detail(side, number, 2);
            int position = (int) Long.remainderUnsigned(random, left);
            int flips = (int) (random >>> 56);
            if (position == UNCOVERED_BYTE) {
                position--;
            }
            b.put(at + position, (byte) (b.get(at + position) ^ (flips == 0 ? 1 : flips)));
        }
        return left;
    }

    @Override
    public boolean await(long timeoutNanos) {
        waiting = true; // before checking what is held
        try {
            long due = untilDue();
            boolean readable = link.await(Math.min(timeoutNanos, due));
            return readable || due != Long.MAX_VALUE && untilDue() <= 0;
        } finally {
            waiting = false;
        }
    }

    @Override
    public boolean isForAnyThread() {
        return link.isForAnyThread();
    }

    /** Returns the nanoseconds until a held packet is released, on either side. */
    private long untilDue() {
        long now = System.nanoTime();
        long due = holdsReceived ? receivedDue - now : Long.MAX_VALUE;
        synchronized (sendLock) {
            return Math.min(due, heldSent.untilDue(now));
        }
    }

    @Override
    public void wakeup() {
        link.wakeup();
    }

    @Override
    public void joinMulticast(Gid group) {
        link.joinMulticast(group);
    }

    @Override
    public void leaveMulticast(Gid group) {
        link.leaveMulticast(group);
    }

    @Override
    public void close() {
        link.close();
    }

    /** Sends the held packets that are due, in a batch of their own. */
    private void sendLate() {
        if (plan.covers(FaultPlan.SEND)) {
            synchronized (sendLock) {
                sendHeld(lateBatch);
                lateBatch.flush();
            }
        }
    }

    /** Adds the held packets that are due to a batch. */
    private void sendHeld(TxBatch batch) {
        synchronized (sendLock) {
            HeldPackets.Held h;
            while (!heldSent.isEmpty() && (h = heldSent.release(System.nanoTime())) != null) {
                send(batch, h.data(), 0, h.length(), h.dstHigh(), h.dstLow(), h.faults(), h.number());
                heldSent.recycle(h);
            }
        }
    }

    /** Sends a packet, whose length includes room for an ICRC, in a batch of the wrapped link. */
    private void send(
            TxBatch batch, ByteBuffer b, int offset, int length, long dstHigh, long dstLow, int faults, long number) {
        int withoutIcrc = length - Icrc.LENGTH;
        int at = batch.begin(dstHigh, dstLow, withoutIcrc);
        batch.buffer().put(at, b, offset, withoutIcrc);
        int total = batch.seal(withoutIcrc);
        batch.commit(damage(FaultPlan.SEND, batch.buffer(), at, total, faults, number));
    }

    /** Takes packets one by one and passes on what remains of them to a batch of the wrapped link. */
    private final class Batch extends TxBatch {
        private final TxBatch batch = link.newBatch();

        Batch() {
            super(link.localGid().subnetPrefix(), link.localGid().interfaceId(), 1, null);
        }

        @Override
        void transmit(long dstHigh, long dstLow, int offset, int length, int packets, int size) {
            long number = sent.getAndIncrement();
            int faults = plan.faults(FaultPlan.SEND, number);
            count(FaultPlan.NAMES.length, faults);
            if ((faults & 1 << FaultPlan.DROP) != 0) {
                return;
            }
            if ((faults & HOLDING) != 0) {
                synchronized (sendLock) {
                    HeldPackets.Held h = heldSent.add(buffer(), offset, length, faults & DAMAGING, number);
                    h.destination(dstHigh, dstLow);
                    hold(h, FaultPlan.SEND, faults);
                }
                endLongerWait();
            } else {
                send(batch, buffer(), offset, length, dstHigh, dstLow, faults, number);
                synchronized (sendLock) {
                    heldSent.passed();
                }
            }
            if ((faults & 1 << FaultPlan.DUPLICATE) != 0) {
                send(batch, buffer(), offset, length, dstHigh, dstLow, 0, number);
            }
            sendHeld(batch);
        }

        @Override
        public void flush() {
            super.flush();
            sendHeld(batch);
            batch.flush();
        }

        @Override
        public boolean isEmpty() {
            return batch.isEmpty();
        }
    }
}

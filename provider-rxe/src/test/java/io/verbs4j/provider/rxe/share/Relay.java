/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.Gid;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.link.TxBatch;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * An address between two devices that forwards records from the ring of one to the ring of the other, injecting faults.
 * Each device takes it for the other one. Lent memory is copied here and lent again.
 *
 * <p>The faults are those of the link faults that can affect a ring: its content has no ICRC, since anyone able to
 * damage it has access to all of the memory, so it is not damaged silently; an invalid record ends the ring.
 */
public final class Relay implements AutoCloseable {
    /** The faults of a record. */
    public enum Fault {
        /** It is not forwarded. */
        DROP,
        /** It is forwarded twice. */
        DUPLICATE,
        /** It is forwarded a millisecond later. */
        DELAY,
        /** It is forwarded after one to four others. */
        REORDER,
        /** Lent memory of records in the ring is reclaimed and reused. */
        RECALL,
        /** It is followed by something that is not a record. */
        SPOIL
    }

    private static final int LONGER_THAN_ANY = RingLayout.MAX_PACKET + 8;
    private static final long DELAY_NANOS = 1_000_000;
    private static final long REORDER_NANOS = 10_000_000;
    private static final int MOST_OVERTAKERS = 4;

    private final Link link = Links.open(TestContext.newAddress(), LinkOptions.defaults());
    private final TxBatch batch = link.newBatch();
    private final Random random;
    private final Map<Fault, AtomicInteger> counts = new EnumMap<>(Fault.class);

    /** Number of records since each fault last occurred. */
    private final Map<Fault, Integer> records = new EnumMap<>(Fault.class);

    private final ByteBuffer garbage = ByteBuffer.allocateDirect(LONGER_THAN_ANY);
    private final List<Passing> held = new ArrayList<>();
    private final List<Lent> lent = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "relay");
    private volatile boolean closed;
    private volatile Map<Fault, Double> faults = Map.of();
    private volatile Throwable failure;
    private Gid a;
    private Gid b;

    /** A record in transit. */
    private static final class Passing {
        final Gid to;
        final ByteBuffer packet;

        /** Null if the packet contains it. */
        final ByteBuffer payload;

        int overtakers;
        final long due;

        Passing(Gid to, ByteBuffer packet, ByteBuffer payload, int overtakers, long due) {
            this.to = to;
            this.packet = packet;
            this.payload = payload;
            this.overtakers = overtakers;
            this.due = due;
        }
    }

    /** The end of its lent memory in a ring. */
    private record Lent(ByteBuffer memory, RingWriter ring, long until) {
        boolean isBack() {
            return ring.isClosed()
                    || NativeMemory.getLongVolatile(NativeMemory.address(ring.buffer()) + RingLayout.HEAD) - until >= 0;
        }
    }

    /** Creates it; nothing is forwarded until {@link #start}. */
    public Relay(long seed) {
        random = new Random(seed);
        for (Fault fault : Fault.values()) {
            counts.put(fault, new AtomicInteger());
        }
    }

    /** Returns the address. */
    public Gid gid() {
        return link.localGid();
    }

    /** Starts forwarding, without faults. */
    public void start(Gid one, Gid other) {
        a = one;
        b = other;
        thread.start();
    }

    /** Whether it has rings to both. */
    public boolean hasRings() {
        return link.reach(a).ring() != null && link.reach(b).ring() != null;
    }

    /** Enables faults with the given probabilities. */
    public void faults(Map<Fault, Double> probabilities) {
        faults = Map.copyOf(probabilities);
    }

    /** Returns how often a fault was injected. */
    public int count(Fault fault) {
        return counts.get(fault).get();
    }

    /** Returns a failure of the relay itself, or null. */
    public Throwable failure() {
        return failure;
    }

    private void run() {
        try {
            while (!closed) {
                link.maintain();
                boolean idle = link.poll(this::onPacket, 64) == 0;
                release();
                lent.removeIf(Lent::isBack);
                if (idle) {
                    LockSupport.parkNanos(20_000);
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void onPacket(Packet p) {
        Gid to = p.sourceGidLow() == a.interfaceId() && p.sourceGidHigh() == a.subnetPrefix() ? b : a;
        ByteBuffer packet = ByteBuffer.allocateDirect(p.length()).put(0, p.buffer(), p.offset(), p.length());
        ByteBuffer payload = null;
        if (p.remote() != null) {
            payload = ByteBuffer.allocateDirect((int) p.remote().bytes());
            if (!p.remote().fetch(0, NativeMemory.address(payload), payload.capacity())) {
                return; // reclaimed, like a span of an ended queue pair
            }
        }
        if (happens(Fault.DROP)) {
            return;
        }
        boolean late = happens(Fault.DELAY);
        boolean overtaken = !late && happens(Fault.REORDER);
        long due = System.nanoTime() + (late ? DELAY_NANOS : REORDER_NANOS);
        int overtakers = late ? Integer.MAX_VALUE : 1 + random.nextInt(MOST_OVERTAKERS);
        Passing record = new Passing(to, packet, payload, overtakers, due);
        boolean twice = happens(Fault.DUPLICATE);
        if (late || overtaken) {
            held.add(record);
        } else {
            pass(record);
        }
        if (twice) {
            pass(record);
        }
    }

    /** Random, but forced at the latest after twice the usual number of records: a run must contain each fault. */
    private boolean happens(Fault fault) {
        double probability = faults.getOrDefault(fault, 0.0);
        int since = records.merge(fault, 1, Integer::sum);
        boolean happens = random.nextDouble() < probability || since * probability >= 2;
        if (happens) {
            records.put(fault, 0);
            counts.get(fault).incrementAndGet();
        }
        return happens;
    }

    private void release() {
        long now = System.nanoTime();
        for (Iterator<Passing> all = held.iterator(); all.hasNext(); ) {
            Passing record = all.next();
            if (record.overtakers <= 0 || now - record.due >= 0) {
                all.remove();
                put(record);
            }
        }
    }

    private void pass(Passing record) {
        for (Passing waiting : held) {
            waiting.overtakers -= waiting.to.equals(record.to) ? 1 : 0;
        }
        put(record);
        release();
    }

    private void put(Passing record) {
        RingWriter ring = link.reach(record.to).ring();
        int length = record.packet.capacity();
        if (ring == null) {
            if (record.payload == null) { // otherwise it is lost until there is a ring again
                bySocket(record);
            }
            return;
        }
        if (record.payload == null) {
            ring.put(NativeMemory.address(record.packet), length, length);
        } else {
            lend(ring, record);
        }
        if (happens(Fault.RECALL)) {
            ring.recall(Long.MAX_VALUE);
            for (Lent each : lent) {
                if (each.ring == ring) {
                    random.longs(each.memory.capacity() / Long.BYTES).forEach(each.memory::putLong);
                    each.memory.clear();
                }
            }
        }
        if (happens(Fault.SPOIL)) {
            ring.put(NativeMemory.address(garbage), LONGER_THAN_ANY, LONGER_THAN_ANY);
        }
    }

    private void lend(RingWriter ring, Passing record) {
        int at = ring.beginSpan();
        if (at < 0) {
            return;
        }
        // Its own memory each time: a record forwarded twice may be reclaimed once.
        ByteBuffer memory = ByteBuffer.allocateDirect(record.payload.capacity())
                .put(0, record.payload, 0, record.payload.capacity());
        int length = record.packet.capacity();
        ring.buffer().put(at, record.packet, 0, length);
        NativeMemory.putLong(ring.pieces(length), NativeMemory.address(memory));
        NativeMemory.putLong(ring.pieces(length) + Long.BYTES, memory.capacity());
        lent.add(new Lent(memory, ring, ring.spanEnd()));
        ring.endSpan(length, 1, memory.capacity());
    }

    private void bySocket(Passing record) {
        int length = record.packet.capacity() - Icrc.LENGTH;
        int at = batch.begin(record.to.subnetPrefix(), record.to.interfaceId(), length);
        batch.buffer().put(at, record.packet, 0, length);
        batch.end(length);
        batch.flush();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        link.close();
    }
}

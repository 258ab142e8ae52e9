/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** An address of a {@link PipeFabric}. Packets have their ICRC computed and verified as on the wire. */
final class PipeLink implements Link {
    private final PipeFabric fabric;
    private final Gid local;
    private final LinkCounters counters = new LinkCounters();
    private final PipeQueue queue = new PipeQueue();
    private final RxPath path = new RxPath(counters, null);
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Map<Gid, Integer> groups = new HashMap<>();
    private final BatchPool batches = new BatchPool(this::newBatch);
    private volatile Gid[] joined = {};
    private volatile Thread waiter;
    private volatile boolean closed;
    private boolean drained;

    PipeLink(PipeFabric fabric, Gid local) {
        this.fabric = fabric;
        this.local = local;
    }

    @Override
    public Gid localGid() {
        return local;
    }

    boolean isAt(long high, long low) {
        return local.interfaceId() == low && local.subnetPrefix() == high;
    }

    private boolean listensTo(long high, long low) {
        for (Gid g : joined) {
            if (g.interfaceId() == low && g.subnetPrefix() == high) {
                return true;
            }
        }
        return false;
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public TxBatch newBatch() {
        return new Batch(this);
    }

    @Override
    public BatchPool batches() {
        return batches;
    }

    @Override
    public int poll(PacketHandler handler, int maxPackets) {
        int good;
        try {
            drained = false;
            int seen = 0;
            for (; seen < maxPackets && !closed && queue.peek(); seen++) {
                receive(handler);
            }
            drained = seen < maxPackets;
        } finally {
            good = path.settle();
        }
        return good;
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    private void receive(PacketHandler handler) {
        try {
            path.deliver(
                    queue.buffer(),
                    queue.offset(),
                    queue.length(),
                    queue.sourceHigh(),
                    queue.sourceLow(),
                    PORT,
                    queue.destinationHigh(),
                    queue.destinationLow(),
                    handler);
        } finally {
            queue.take();
        }
    }

    @Override
    public boolean await(long timeoutNanos) {
        long start = System.nanoTime();
        waiter = Thread.currentThread();
        try {
            while (!closed && !woken.getAndSet(false)) {
                if (!queue.isEmpty()) {
                    return true;
                }
                long left = timeoutNanos - (System.nanoTime() - start);
                if (left <= 0 || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
            }
            return false;
        } finally {
            waiter = null;
        }
    }

    @Override
    public boolean isForAnyThread() {
        return true;
    }

    @Override
    public void wakeup() {
        woken.set(true);
        unpark();
    }

    private void unpark() {
        Thread t = waiter;
        if (t != null) {
            LockSupport.unpark(t);
        }
    }

    @Override
    public void joinMulticast(Gid group) {
        if (!group.isMulticast()) {
            throw new VerbsException(Errno.EINVAL, "attach_mcast", group + " is not a multicast group");
        }
        synchronized (groups) {
            groups.merge(group, 1, Integer::sum);
            joined = groups.keySet().toArray(Gid[]::new);
        }
    }

    @Override
    public void leaveMulticast(Gid group) {
        synchronized (groups) {
            groups.computeIfPresent(group, (g, n) -> n > 1 ? n - 1 : null);
            joined = groups.keySet().toArray(Gid[]::new);
        }
    }

    @Override
    public void close() {
        closed = true;
        fabric.remove(this);
        unpark();
    }

    /** Called by the threads that send to this link. */
    private void receive(long from, int length, PipeLink source, long dstHigh, long dstLow) {
        Gid src = source.local;
        if (queue.offer(from, length, src.subnetPrefix(), src.interfaceId(), dstHigh, dstLow)) {
            unpark();
        } else {
            counters.add(LinkCounters.RX_OVERRUN, 1);
        }
    }

    private static final class Batch extends TxBatch {
        private final PipeLink link;

        Batch(PipeLink link) {
            super(link.local.subnetPrefix(), link.local.interfaceId(), MAX_SEGMENTS, null);
            this.link = link;
        }

        @Override
        void transmit(long dstHigh, long dstLow, int offset, int length, int packets, int size) {
            if (link.closed) {
                link.counters.add(LinkCounters.TX_CLOSED, packets);
                return;
            }
            link.counters.add(LinkCounters.TX_PACKETS, packets);
            link.counters.add(LinkCounters.TX_BYTES, length);
            link.counters.add(LinkCounters.TX_BATCHES, 1);
            int end = offset + length;
            PipeLink one = link.fabric.find(dstHigh, dstLow);
            for (int at = offset; at < end; at += size) {
                long from = bufferAddress() + at;
                int n = Math.min(size, end - at);
                if (one != null) {
                    one.receive(from, n, link, dstHigh, dstLow);
                    continue;
                }
                for (PipeLink each : link.fabric.links()) {
                    if (each.listensTo(dstHigh, dstLow)) {
                        each.receive(from, n, link, dstHigh, dstLow);
                    }
                }
            }
        }
    }
}

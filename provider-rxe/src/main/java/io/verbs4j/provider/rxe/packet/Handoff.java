/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.AccessFlags;
import io.verbs4j.FlushType;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Moves requests that may take long from the receiving thread to another one: requests for shared receive queues of
 * other processes, and flushes to a disk. From the first such request until all are done, later requests of the queue
 * pair follow the same way, which preserves their order.
 *
 * <p>The payload of a span stays in the sender's memory and may be read only while its record is in the ring. A span
 * that arrives during a handoff therefore counts as lost, and is sent again.
 */
final class Handoff implements Runnable {
    /** More than a requester has outstanding. */
    private static final int MOST = 1024;

    private static final int ANSWER_EVERY = 16;
    private static final int CAPACITY = 4352; // the largest MTU and all headers

    private static final class Held {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY);
        final Packet packet = new Packet();
        boolean lost;
    }

    private final RxeQp qp;
    private final RcPath path;
    private final Executor threads;
    private final TransportCounters counters;

    // Guarded by this.
    private final ArrayDeque<Held> waiting = new ArrayDeque<>();
    private final ArrayDeque<Held> free = new ArrayDeque<>();
    private boolean busy;
    private boolean answerWanted;

    Handoff(RxeQp qp, RcPath path, TransportCounters counters) {
        this.qp = qp;
        this.path = path;
        this.threads = qp.helpers();
        this.counters = counters;
    }

    /** Returns whether a request may take longer than a receiving thread can wait. */
    static boolean takesLong(RxeQp qp, Packet packet) {
        return packet.opcode() == Opcode.RC_FLUSH
                ? (packet.flushType() & FlushType.PERSISTENT) != 0 && qp.grants(AccessFlags.FLUSH_PERSISTENT)
                : qp.waitsForProcesses() && qp.isForeign(packet.xrcSrqNum());
    }

    /** Takes over a packet; returns false if the caller can handle it itself. */
    synchronized boolean takes(Packet packet) {
        if (!busy && !takesLong(qp, packet)) {
            return false;
        }
        if (waiting.size() >= MOST || packet.length() > CAPACITY) {
            counters.count(TransportCounters.RESPONDER_FULL);
            return true;
        }
        Held held = free.isEmpty() ? new Held() : free.pop();
        held.buffer.put(0, packet.buffer(), packet.offset(), packet.length());
        held.packet.parse(held.buffer, 0, packet.length());
        held.lost = packet.remote() != null;
        waiting.add(held);
        start();
        return true;
    }

    /** Makes the responder send its outstanding answers. */
    synchronized void answer() {
        answerWanted = true;
        start();
    }

    /**
     * Does the same as {@link #answer()} if packets are being handed over; otherwise returns false, and the caller can
     * do it itself.
     */
    synchronized boolean answers() {
        answerWanted |= busy;
        return busy;
    }

    private void start() {
        if (busy) {
            return;
        }
        busy = true;
        boolean started = false;
        try {
            threads.execute(this); // without a thread, this throws to whoever handed over the packet
            started = true;
        } finally {
            if (!started) {
                busy = false;
            }
        }
    }

    private synchronized Held next() {
        return waiting.poll();
    }

    private synchronized boolean isDone() {
        busy = answerWanted || !waiting.isEmpty();
        return !busy;
    }

    private synchronized void giveBack(Held held) {
        free.push(held);
    }

    @Override
    public void run() {
        try {
            do {
                work();
            } while (!isDone());
        } catch (Throwable e) {
            counters.count(TransportCounters.FAILURE);
            qp.failSoon(path);
            synchronized (this) {
                waiting.clear();
                busy = false;
            }
        }
    }

    private void work() {
        synchronized (this) {
            answerWanted = false;
        }
        Held held = next();
        for (int n = 1; held != null; n++) {
            if (held.lost) {
                path.lose(held.packet);
            } else {
                path.execute(held.packet);
            }
            giveBack(held);
            if (n % ANSWER_EVERY == 0) {
                path.answer();
            }
            held = next();
        }
        path.answer();
    }
}

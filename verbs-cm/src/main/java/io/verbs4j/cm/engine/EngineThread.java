/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.cm.spi.GsiReceiver;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs an engine: one thread that takes packets in and does what is due. It ends when nothing is left to do. */
final class EngineThread implements GsiReceiver, Runnable {
    private static final System.Logger LOG = System.getLogger(EngineThread.class.getName());

    /** Packets that may wait for the thread; more are lost. */
    private static final int INBOX = 4096;

    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);

    /** What has come: a packet, or word that one came to a queue pair. */
    private record Arrival(Gid source, Gid destination, ByteBuffer mad, int qpNum) {}

    private final ArrayBlockingQueue<Arrival> inbox = new ArrayBlockingQueue<>(INBOX);
    private final GsiPort port;
    private final Engine engine;
    private final Thread thread;

    EngineThread(GsiPort port) {
        this.port = port;
        this.engine = new Engine(port, System::nanoTime, new SecureRandom(), this::wakeUp);
        this.thread = new Thread(this, "verbs4j-cm-" + port.name());
        thread.setDaemon(true);
    }

    Engine engine() {
        return engine;
    }

    GsiPort port() {
        return port;
    }

    void start() {
        port.open(this);
        thread.start();
    }

    private void wakeUp() {
        LockSupport.unpark(thread);
    }

    @Override
    public void received(Gid source, Gid destination, ByteBuffer packet, int offset, int length) {
        ByteBuffer mad = ByteBuffer.allocate(Mad.LENGTH);
        mad.put(0, packet, offset, Math.min(length, Mad.LENGTH));
        arrived(new Arrival(source, destination, mad, 0));
    }

    @Override
    public void communicationEstablished(int qpNum) {
        arrived(new Arrival(null, null, null, qpNum));
    }

    private void arrived(Arrival arrival) {
        if (inbox.offer(arrival)) {
            wakeUp();
        }
    }

    @Override
    public void run() {
        do {
            long left = 0;
            try {
                left = pass();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "a message of the connection manager could not be handled", e);
            }
            if (left > 0 && inbox.isEmpty()) {
                LockSupport.parkNanos(this, Math.min(left, LONGEST_SLEEP));
            }
        } while (!engine.isIdle() || !Engines.retire(this));
    }

    private long pass() {
        Arrival next;
        while ((next = inbox.poll()) != null) {
            if (next.mad() == null) {
                engine.communicationEstablished(next.qpNum());
            } else {
                engine.received(next.source(), next.destination(), next.mad());
            }
        }
        return engine.runTimers();
    }
}

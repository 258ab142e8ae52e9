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

/**
 * Runs an engine. The threads that receive packets also handle them, because switching threads costs more than handling
 * a message. A thread of its own runs what is due, and ends when nothing is left to do.
 */
final class EngineThread implements GsiReceiver, Runnable {
    private static final System.Logger LOG = System.getLogger(EngineThread.class.getName());

    /** Maximum number of packets that wait for the thread; more are dropped. */
    private static final int INBOX = 4096;

    private static final long LONGEST_SLEEP = TimeUnit.SECONDS.toNanos(1);

    /** A packet, or the number of a queue pair at which a first packet has arrived. */
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
        leave(new Arrival(null, null, null, qpNum)); // the caller may hold the queue pair's locks
    }

    /**
     * Handles an arrival, or leaves it to the engine's thread. Packets that the engine sends to itself while it holds
     * its monitor are left: handling them at once would interrupt its own work.
     */
    private void arrived(Arrival arrival) {
        if (inbox.isEmpty() && !Thread.holdsLock(engine)) {
            handle(arrival);
        } else {
            leave(arrival);
        }
    }

    private void leave(Arrival arrival) {
        if (inbox.offer(arrival)) {
            wakeUp();
        }
    }

    private void handle(Arrival arrival) {
        try {
            if (arrival.mad() == null) {
                engine.communicationEstablished(arrival.qpNum());
            } else {
                engine.received(arrival.source(), arrival.destination(), arrival.mad());
            }
        } catch (RuntimeException | Error e) {
            warn(e);
        }
    }

    /** Logs a failure. Must not end the thread, so a failure is not logged if there is no memory for it. */
    private static void warn(Throwable e) {
        try {
            LOG.log(Level.WARNING, "a message of the connection manager could not be handled", e);
        } catch (OutOfMemoryError untold) {
            // there may be memory for the next message
        }
    }

    @Override
    public void run() {
        do {
            Arrival next;
            while ((next = inbox.poll()) != null) {
                handle(next);
            }
            long left = runTimers();
            if (left > 0 && inbox.isEmpty()) {
                LockSupport.parkNanos(this, Math.min(left, LONGEST_SLEEP));
            }
        } while (!engine.isIdle() || !Engines.retire(this));
    }

    private long runTimers() {
        try {
            return engine.runTimers();
        } catch (RuntimeException | Error e) {
            warn(e);
            return 0;
        }
    }
}

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
 * Runs an engine: packets are handled by the threads that receive them, as a change of threads costs more than what a message needs, and what is due by a thread
 * that ends when nothing is left to do.
 */
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
        leave(new Arrival(null, null, null, qpNum)); // the caller may hold the queue pair's locks
    }

    /** What the engine sends to itself while it works is its thread's: to look at it now would be in the middle of something else. */
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

    /** Never ends the thread: where there is no memory to tell it, it is not told. */
    private static void warn(Throwable e) {
        try {
            LOG.log(Level.WARNING, "a message of the connection manager could not be handled", e);
        } catch (OutOfMemoryError untold) {
            // the next message may find some
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

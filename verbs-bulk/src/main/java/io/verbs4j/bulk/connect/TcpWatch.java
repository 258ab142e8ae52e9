/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

/** Watches the TCP connections of an endpoint in a thread, which starts with the first one. */
final class TcpWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    /** Interval of ticks in milliseconds, while anything needs them. */
    private static final int TICK_MILLIS = 100;

    private static final Map<String, Integer> ERRNOS = Map.of(
            "refused", Errno.ECONNREFUSED,
            "No route", Errno.EHOSTUNREACH,
            "timed out", Errno.ETIMEDOUT,
            "unreachable", Errno.ENETUNREACH,
            "in use", Errno.EADDRINUSE,
            "assign requested address", Errno.EADDRNOTAVAIL,
            "ermission denied", Errno.EACCES,
            "Too many open files", Errno.EMFILE,
            "reset", Errno.ECONNRESET,
            "Broken pipe", Errno.ECONNRESET);

    /** Receives events of a channel. Runs in the watching thread and must be quick. */
    interface Watched {
        void ready(SelectionKey key);
    }

    private final String name;
    private final Set<Runnable> ticks = new CopyOnWriteArraySet<>();
    private Selector selector;
    private boolean closed;

    TcpWatch(String name) {
        this.name = name;
    }

    /** Watches a non-blocking channel. */
    void add(SelectableChannel channel, int operations, Watched watched) throws IOException {
        Selector running = running();
        try {
            channel.register(running, operations, watched);
        } catch (ClosedSelectorException e) {
            throw new ClosedChannelException();
        }
        running.wakeup();
    }

    private synchronized Selector running() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (selector == null) {
            selector = Selector.open();
            Selector mine = selector;
            Thread thread = new Thread(() -> run(mine), name);
            thread.setDaemon(true);
            thread.start();
        }
        return selector;
    }

    /** Runs an action ten times a second. If another thread adds it, the ticks may start with the next event. */
    void addTick(Runnable tick) {
        ticks.add(tick);
    }

    void removeTick(Runnable tick) {
        ticks.remove(tick);
    }

    /** Closes a channel, so that the peer sees it immediately and the descriptor is free soon. */
    void close(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a TCP connection could not be closed", e);
        }
        wakeup();
    }

    private synchronized void wakeup() {
        if (selector != null) {
            selector.wakeup();
        }
    }

    private void run(Selector mine) {
        try (mine) {
            long lastTick = System.nanoTime();
            while (mine.isOpen()) {
                mine.select(TcpWatch::ready, ticks.isEmpty() ? 0 : TICK_MILLIS);
                long now = System.nanoTime();
                if (now - lastTick >= TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)) {
                    lastTick = now;
                    ticks.forEach(Runnable::run);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            if (!(e instanceof ClosedSelectorException)) {
                LOG.log(System.Logger.Level.ERROR, name + " failed; its endpoint makes no more connections", e);
            }
        }
    }

    /** Handles an event; a failure of one connection ends only that one. */
    private static void ready(SelectionKey key) {
        try {
            ((Watched) key.attachment()).ready(key);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a TCP connection failed", e);
            key.cancel();
        }
    }

    /** Converts a failure of TCP to an exception. The JDK reports most causes as text and has few exception types. */
    static VerbsException failure(String what, IOException e) {
        String message = String.valueOf(e.getMessage());
        int errno = e instanceof ClosedChannelException ? Errno.ECONNABORTED : Errno.EIO;
        for (Map.Entry<String, Integer> one : ERRNOS.entrySet()) {
            if (message.contains(one.getKey())) {
                errno = one.getValue();
            }
        }
        String why = e.getMessage() == null ? "the connection was closed" : message;
        return new VerbsException(errno, "bulk_connect", what + ": " + why, e);
    }

    @Override
    public void close() {
        Selector last;
        synchronized (this) {
            closed = true;
            last = selector;
        }
        if (last != null) {
            try {
                last.close(); // not under the lock, which the thread may need
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "a selector could not be closed", e);
            }
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Accepts TCP connections and passes on those that have sent a request. Silent ones are dropped after a timeout; if
 * there are too many, the one that has waited longest is dropped.
 */
final class TcpListener implements ConnectionListener, TcpWatch.Watched {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");
    private static final int BACKLOG = 1024;

    /** Maximum number of connections without a request. */
    static final int MAX_SILENT = 256;

    /** Maximum time that a peer may take to send its request. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final TcpWatch watch;
    private final Executor executor;
    private final Consumer<ConnectionRequest> handler;
    private final ServerSocketChannel socket;
    private final InetSocketAddress address;
    private final Runnable tick = this::giveUpOld;

    /** Connections without a request, with the time of their arrival, the oldest first. */
    private final Map<TcpChannel, Long> silent = new LinkedHashMap<>();

    /** Connections whose requests no thread has started to handle. */
    private final Set<TcpChannel> waiting = new HashSet<>();

    /** Connections whose requests are being handled. */
    private final Set<TcpChannel> handled = new HashSet<>();

    private SelectionKey paused;
    private boolean warned;
    private boolean closed;

    TcpListener(TcpWatch watch, InetSocketAddress wanted, Executor executor, Consumer<ConnectionRequest> handler) {
        this.watch = watch;
        this.executor = executor;
        this.handler = handler;
        ServerSocketChannel opened = null;
        boolean done = false;
        try {
            opened = ServerSocketChannel.open();
            opened.configureBlocking(false);
            opened.bind(wanted, BACKLOG);
            socket = opened;
            address = (InetSocketAddress) opened.getLocalAddress();
            watch.add(opened, SelectionKey.OP_ACCEPT, this);
            done = true;
        } catch (IOException e) {
            throw TcpWatch.failure("can't listen on " + wanted, e);
        } finally {
            if (!done && opened != null) {
                watch.close(opened);
            }
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            for (SocketChannel next = socket.accept(); next != null; next = socket.accept()) {
                take(next);
            }
        } catch (IOException e) {
            pause(key, e);
        }
    }

    /**
     * Stops accepting after a failure, such as running out of descriptors. Drops the oldest silent connection and
     * resumes at the next tick.
     */
    private synchronized void pause(SelectionKey key, IOException e) {
        if (closed || !key.isValid()) {
            return;
        }
        LOG.log(
                warned ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                "can't accept a connection on " + address + "; retrying",
                e);
        warned = true;
        key.interestOps(0);
        paused = key;
        watch.addTick(tick);
        giveUpOldest();
    }

    private void take(SocketChannel next) throws IOException {
        TcpChannel[] made = new TcpChannel[1];
        boolean done = false;
        try {
            made[0] = TcpChannel.accepted(watch, next, () -> said(made[0]));
            synchronized (this) {
                if (closed) {
                    return; // the finally block closes it
                }
                if (silent.size() >= MAX_SILENT) {
                    giveUpOldest();
                }
                silent.put(made[0], System.nanoTime());
                watch.addTick(tick);
            }
            made[0].read();
            done = true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a peer disconnected immediately", e);
        } finally {
            if (!done) {
                forget(made[0]);
                watch.close(next);
            }
        }
    }

    private synchronized void forget(TcpChannel channel) {
        silent.remove(channel);
    }

    /** Called when a request has arrived or the connection has ended. */
    private void said(TcpChannel channel) {
        synchronized (this) {
            if (silent.remove(channel) == null || channel.isEnded()) {
                return;
            }
            waiting.add(channel);
        }
        try {
            executor.execute(() -> handle(channel));
        } catch (RejectedExecutionException e) {
            channel.refuse("the endpoint is closed");
        }
    }

    private void handle(TcpChannel channel) {
        synchronized (this) {
            if (!waiting.remove(channel)) {
                return;
            }
            handled.add(channel);
        }
        try {
            TcpMessage request = channel.receive(0);
            if (request.kind() == TcpMessage.REQUEST) {
                handler.accept(new TcpRequest(channel, request, this::othersWait));
            } else {
                channel.refuse("its first message is of kind " + request.kind() + ", not a request");
            }
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a peer disconnected", e);
            channel.close();
        } finally {
            synchronized (this) {
                handled.remove(channel);
            }
        }
    }

    private synchronized boolean othersWait() {
        return !waiting.isEmpty();
    }

    private synchronized void giveUpOld() {
        if (paused != null && paused.isValid()) {
            paused.interestOps(SelectionKey.OP_ACCEPT);
        }
        paused = null;
        long now = System.nanoTime();
        while (!silent.isEmpty() && now - silent.values().iterator().next() > PATIENCE) {
            giveUpOldest();
        }
        if (silent.isEmpty()) {
            watch.removeTick(tick); // lets an idle endpoint sleep
        }
    }

    private void giveUpOldest() {
        Iterator<TcpChannel> oldest = silent.keySet().iterator();
        if (oldest.hasNext()) {
            TcpChannel channel = oldest.next();
            oldest.remove();
            channel.refuse("it sent no request");
        }
    }

    @Override
    public void close() {
        List<TcpChannel> all;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            all = new ArrayList<>(silent.keySet());
            all.addAll(waiting);
            all.addAll(handled);
            silent.clear();
            waiting.clear();
        }
        watch.removeTick(tick);
        watch.close(socket);
        all.forEach(channel -> channel.refuse("the endpoint is closed"));
    }
}

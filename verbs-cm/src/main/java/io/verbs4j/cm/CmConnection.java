/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A connected queue pair, without events:
 *
 * <pre>{@code
 * try (CmConnection connection = CmConnection.connect(pd, address, attr, 5, TimeUnit.SECONDS)) {
 *     connection.queuePair().postSend(request);
 * }
 * }</pre>
 *
 * <p>Whoever is to receive a message at once posts the receive before the connection is there: in {@code prepare}.
 */
public final class CmConnection implements AutoCloseable {
    private final EventChannel channel;
    private final CmId id;
    private volatile ConnParam peer;
    private boolean disconnected;

    private CmConnection(EventChannel channel, CmId id) {
        this.channel = channel;
        this.id = id;
    }

    /**
     * Connects, as {@link #connect(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam, Consumer, long, TimeUnit)}, with parameters as usual.
     *
     * @param pd domain of the queue pair
     * @param address where a peer listens
     * @param attr what the queue pair is made with, type RC
     * @param timeout longest time for all
     * @param unit its unit
     * @return the connection
     * @throws InterruptedException where the thread is interrupted; nothing is left then
     */
    public static CmConnection connect(
            ProtectionDomain pd, InetSocketAddress address, QpInitAttr attr, long timeout, TimeUnit unit)
            throws InterruptedException {
        return connect(pd, address, attr, ConnParam.DEFAULT, CmConnection::unprepared, timeout, unit);
    }

    /**
     * Makes a queue pair and connects it, with the default options.
     *
     * @param pd domain of the queue pair
     * @param address where a peer listens
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param prepare given the queue pair before it connects, to post receives
     * @param timeout longest time for all
     * @param unit its unit
     * @return the connection
     * @throws InterruptedException where the thread is interrupted; nothing is left then
     * @throws VerbsException as {@link #connect(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam, CmOptions,
     *     Consumer, long, TimeUnit)}
     */
    public static CmConnection connect(
            ProtectionDomain pd,
            InetSocketAddress address,
            QpInitAttr attr,
            ConnParam param,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit)
            throws InterruptedException {
        return connect(pd, address, attr, param, CmOptions.DEFAULT, prepare, timeout, unit);
    }

    /**
     * Makes a queue pair and connects it.
     *
     * @param pd domain of the queue pair
     * @param address where a peer listens; the wildcard address is {@code localhost}, as for {@link java.net.Socket}
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param options options of the connection
     * @param prepare given the queue pair before it connects, to post receives
     * @param timeout longest time for all
     * @param unit its unit
     * @return the connection
     * @throws InterruptedException where the thread is interrupted; nothing is left then
     * @throws VerbsException {@link Errno#ECONNREFUSED} where the peer has rejected, with the reason in words; {@link Errno#ETIMEDOUT} after the time, or where
     *     nobody answers; {@link Errno#EADDRNOTAVAIL} where no address of the device leads there
     */
    public static CmConnection connect(
            ProtectionDomain pd,
            InetSocketAddress address,
            QpInitAttr attr,
            ConnParam param,
            CmOptions options,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit)
            throws InterruptedException {
        long start = System.nanoTime();
        long limit = Math.max(0, unit.toNanos(timeout));
        EventChannel channel = EventChannel.create();
        boolean done = false;
        try {
            CmId id = channel.createId(pd.context(), PortSpace.TCP);
            options.apply(id);
            CmConnection connection = new CmConnection(channel, id);
            id.resolveAddress(null, address, unit.toMillis(timeout));
            connection.await(CmEventType.ADDR_RESOLVED, address, start, limit);
            id.resolveRoute(unit.toMillis(timeout));
            connection.await(CmEventType.ROUTE_RESOLVED, address, start, limit);
            prepare.accept(id.createQp(pd, attr));
            id.connect(param);
            connection.peer = connection
                    .await(CmEventType.ESTABLISHED, address, start, limit)
                    .conn();
            done = true;
            return connection;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** Prepares nothing. */
    static void unprepared(QueuePair qp) {
        // no receives are posted before the connection is there
    }

    /**
     * Connects without waiting, as {@link #connect(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam, Consumer, long, TimeUnit)}.
     *
     * @param pd domain of the queue pair
     * @param address where a peer listens
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param prepare given the queue pair before it connects, to post receives
     * @param timeout longest time for all
     * @param unit its unit
     * @param executor waits in its threads
     * @return the connection that will be; where it is cancelled before, the connection is closed
     */
    public static CompletableFuture<CmConnection> connectAsync(
            ProtectionDomain pd,
            InetSocketAddress address,
            QpInitAttr attr,
            ConnParam param,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit,
            Executor executor) {
        CompletableFuture<CmConnection> future = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                CmConnection connection = connect(pd, address, attr, param, prepare, timeout, unit);
                if (!future.complete(connection)) {
                    connection.close(); // nobody wants it any more
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                future.completeExceptionally(new CompletionException(e));
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    /** The connection of an id whose peer has confirmed it: the id gets a channel of its own. */
    static CmConnection accepted(CmId id, ConnParam peer) {
        EventChannel channel = EventChannel.create();
        boolean done = false;
        try {
            id.migrate(channel);
            CmConnection connection = new CmConnection(channel, id);
            connection.peer = peer;
            done = true;
            return connection;
        } finally {
            if (!done) {
                channel.close();
                id.close();
            }
        }
    }

    private CmEvent await(int type, InetSocketAddress address, long start, long limit) throws InterruptedException {
        long left = limit - (System.nanoTime() - start);
        CmEvent event = channel.getEvent(Math.max(0, left), TimeUnit.NANOSECONDS);
        if (event == null) {
            throw new VerbsException(Errno.ETIMEDOUT, "connect", "no answer of " + address + " in time");
        }
        if (event.type() == type) {
            return event;
        }
        int errno = event.type() == CmEventType.REJECTED
                ? Errno.ECONNREFUSED
                : event.status() < 0 ? -event.status() : Errno.ECONNABORTED;
        throw new VerbsException(
                errno,
                "connect",
                address + ": " + CmEventType.toString(event.type()) + ": " + event.statusText(),
                event.cause());
    }

    /** {@return the queue pair, connected; closed with the connection} */
    public QueuePair queuePair() {
        return id.queuePair();
    }

    /** {@return the id of this end} */
    public CmId id() {
        return id;
    }

    /** {@return what the peer said when it connected or accepted, its private data among it} */
    public ConnParam peer() {
        return peer;
    }

    /**
     * Waits until the connection is gone: then the queue pair is in state ERR, and what was posted ends. Who never asks finds out by its completions.
     *
     * @param timeout longest time to wait; 0 only looks
     * @param unit its unit
     * @return whether it is gone
     * @throws InterruptedException where the thread is interrupted
     */
    public synchronized boolean awaitDisconnected(long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        while (!disconnected) {
            CmEvent event = channel.getEvent(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null) {
                return false;
            }
            disconnected = event.type() == CmEventType.DISCONNECTED;
        }
        return true;
    }

    /** Disconnects, and closes the queue pair. Does not wait. */
    @Override
    public void close() {
        channel.close();
    }

    @Override
    public String toString() {
        return "connection of " + id;
    }
}

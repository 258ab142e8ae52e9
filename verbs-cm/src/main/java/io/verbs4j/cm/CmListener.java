/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes connections, without events:
 *
 * <pre>{@code
 * try (CmListener listener = CmListener.listen(context, new InetSocketAddress(7471), 16);
 *         CmConnection connection = listener.accept(pd, attr, 5, TimeUnit.SECONDS)) {
 *     connection.queuePair().postSend(request);
 * }
 * }</pre>
 *
 * <p>Any number of threads may accept.
 */
public final class CmListener implements AutoCloseable {
    private final EventChannel channel;
    private final CmId id;

    private CmListener(EventChannel channel, CmId id) {
        this.channel = channel;
        this.id = id;
    }

    /**
     * Listens.
     *
     * @param context the open device
     * @param address where; the wildcard for all of the device's addresses, port 0 for one that is free
     * @param backlog most requests that wait to be accepted; 0 for as many as there may be
     * @return the listener
     * @throws VerbsException {@link io.verbs4j.Errno#EADDRINUSE}, {@link io.verbs4j.Errno#EADDRNOTAVAIL}
     */
    public static CmListener listen(Context context, InetSocketAddress address, int backlog) {
        EventChannel channel = EventChannel.create();
        boolean done = false;
        try {
            CmId id = channel.createId(context, PortSpace.TCP);
            id.bind(address);
            id.listen(backlog);
            done = true;
            return new CmListener(channel, id);
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /**
     * Takes a connection, as {@link #accept(ProtectionDomain, QpInitAttr, ConnParam, Consumer, long, TimeUnit)}, with parameters as usual.
     *
     * @param pd domain of the queue pair
     * @param attr what the queue pair is made with, type RC
     * @param timeout longest time for all
     * @param unit its unit
     * @return the connection; null after the time
     * @throws InterruptedException where the thread is interrupted
     */
    public CmConnection accept(ProtectionDomain pd, QpInitAttr attr, long timeout, TimeUnit unit)
            throws InterruptedException {
        return accept(pd, attr, ConnParam.DEFAULT, CmConnection::unprepared, timeout, unit);
    }

    /**
     * Waits for a peer, makes a queue pair and connects it.
     *
     * @param pd domain of the queue pair
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param prepare given the queue pair before it is connected, to post receives
     * @param timeout longest time for all
     * @param unit its unit
     * @return the connection; null where no peer has come in the time
     * @throws InterruptedException where the thread is interrupted
     * @throws VerbsException where a peer has come and nothing came of it: {@link io.verbs4j.Errno#ETIMEDOUT}, {@link io.verbs4j.Errno#ECONNREFUSED}, or what making
     *     the queue pair says; the listener goes on. {@link io.verbs4j.Errno#EINVAL} after close
     */
    public CmConnection accept(
            ProtectionDomain pd,
            QpInitAttr attr,
            ConnParam param,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit)
            throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        while (true) {
            CmEvent event = channel.getEvent(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null) {
                return null;
            }
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                return CmConnection.accept(event, pd, attr, param, prepare, end);
            }
        }
    }

    /** {@return where it listens, with its port} */
    public InetSocketAddress address() {
        return id.localAddress();
    }

    /** {@return the id of the listener} */
    public CmId id() {
        return id;
    }

    /** Ends listening; requests that wait are rejected, connections stay. Threads that accept end with EINVAL. */
    @Override
    public void close() {
        channel.close();
    }

    @Override
    public String toString() {
        return "listener " + id;
    }
}

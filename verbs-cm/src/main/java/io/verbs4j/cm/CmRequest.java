/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A peer's request for a connection, from {@link CmListener#take}: accept it, reject it or close it. It survives its
 * listener. A request that is neither accepted nor rejected occupies a place in the backlog until it is closed.
 *
 * <p>All methods may be called from any thread. A request can be accepted or rejected once.
 */
public final class CmRequest implements AutoCloseable {
    /** How long a call that handles one peer at a time waits for it before checking whether other peers wait. */
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_REJECT_DATA = 148;
    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final EventChannel channel;
    private final CmId id;
    private final ConnParam conn;
    private final long limit;
    private final AtomicBoolean decided = new AtomicBoolean();
    private volatile boolean closed;

    private CmRequest(EventChannel channel, CmId id, ConnParam conn, long limit) {
        this.channel = channel;
        this.id = id;
        this.conn = conn;
        this.limit = limit;
    }

    /**
     * Makes the request of an event and gives its id a channel of its own. {@code limit} is the time for the handshake,
     * in nanoseconds.
     */
    static CmRequest of(CmEvent event, long limit) {
        EventChannel channel = EventChannel.create();
        boolean done = false;
        try {
            event.id().migrate(channel);
            done = true;
            return new CmRequest(channel, event.id(), event.conn(), limit);
        } finally {
            if (!done) {
                channel.close();
                event.id().close();
            }
        }
    }

    /** {@return the parameters of the peer's request, from this side's point of view, including its private data} */
    public ConnParam conn() {
        return conn;
    }

    /**
     * Returns the peer's private data.
     *
     * @return a copy; all bytes that the message has room for (56 on InfiniBand and RoCE), padded with zeros
     */
    public byte[] privateData() {
        return conn.privateData();
    }

    /** {@return the peer's address} */
    public InetSocketAddress peerAddress() {
        return id.peerAddress();
    }

    /** {@return the id of the request, for setting options; it becomes the id of the connection} */
    public CmId id() {
        return id;
    }

    /**
     * Accepts with default parameters, as {@link #accept(ProtectionDomain, QpInitAttr, ConnParam, Consumer)}.
     *
     * @param pd domain of the queue pair
     * @param attr attributes of the queue pair, type RC
     * @return the connection
     * @throws VerbsException as {@link #accept(ProtectionDomain, QpInitAttr, ConnParam, Consumer)}
     */
    public CmConnection accept(ProtectionDomain pd, QpInitAttr attr) {
        return accept(pd, attr, ConnParam.DEFAULT, CmConnection::unprepared);
    }

    /**
     * Makes a queue pair, accepts, and waits until the peer confirms the connection, at most for the listener's {@link
     * CmOptions#handshakeTimeout}. If this fails, the peer is rejected and everything that was made is closed.
     *
     * @param pd domain of the queue pair
     * @param attr attributes of the queue pair, type RC
     * @param param parameters, with private data for the peer
     * @param prepare receives the queue pair before it is connected, to post receives
     * @return the connection
     * @throws VerbsException {@link Errno#ECONNABORTED} if the peer has given up or does not confirm in time; {@link
     *     Errno#EINVAL} if the private data is too long; {@link Errno#EINTR} if the thread is interrupted (it stays
     *     interrupted); the error of making or modifying the queue pair. Without any effect: {@link Errno#EINVAL} if an
     *     argument is null or the request was accepted or rejected before, {@link Errno#EBADF} after close
     */
    public CmConnection accept(ProtectionDomain pd, QpInitAttr attr, ConnParam param, Consumer<QueuePair> prepare) {
        return accept(pd, attr, param, prepare, () -> false);
    }

    /** Accepts likewise, but gives up a peer that has not confirmed within {@link #PATIENCE} if others wait. */
    CmConnection accept(
            ProtectionDomain pd,
            QpInitAttr attr,
            ConnParam param,
            Consumer<QueuePair> prepare,
            BooleanSupplier othersWait) {
        String verb = "accept";
        Arguments.require(verb, "pd", pd);
        Arguments.require(verb, "attr", attr);
        Arguments.require(verb, "param", param);
        Arguments.require(verb, "prepare", prepare);
        decide(verb);
        boolean done = false;
        try {
            prepare.accept(id.createQp(pd, attr));
            id.accept(param);
            awaitConfirmation(othersWait);
            CmConnection connection = CmConnection.accepted(channel, id, conn);
            done = true;
            return connection;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private void awaitConfirmation(BooleanSupplier othersWait) {
        long start = System.nanoTime();
        long pause = Math.min(PATIENCE, limit);
        while (true) {
            CmEvent event = channel.get("accept", pause);
            long left = limit - (System.nanoTime() - start);
            if (event == null && (left <= 0 || othersWait.getAsBoolean())) {
                event = channel.get("accept", 0); // it may have arrived just now
                if (event == null) {
                    throw aborted("the connection was not confirmed in time", null);
                }
            }
            pause = Math.min(GLANCE, Math.max(0, left));
            switch (event == null ? CmEventType.TIMEWAIT_EXIT : event.type()) {
                case CmEventType.ESTABLISHED -> {
                    return;
                }
                case CmEventType.REJECTED,
                        CmEventType.UNREACHABLE,
                        CmEventType.CONNECT_ERROR,
                        CmEventType.DISCONNECTED,
                        CmEventType.DEVICE_REMOVAL ->
                    throw aborted(CmEventType.toString(event.type()) + ": " + event.statusText(), event.cause());
                default -> {
                    // nothing that ends the handshake
                }
            }
        }
    }

    private VerbsException aborted(String why, VerbsException cause) {
        return new VerbsException(Errno.ECONNABORTED, "accept", peerAddress() + ": " + why, cause);
    }

    /**
     * Rejects the request: the peer receives {@link RejectReason#CONSUMER_DEFINED}.
     *
     * @param privateData data for the program at the peer, at most 148 bytes
     * @throws VerbsException {@link Errno#EINVAL} if the request was accepted or rejected before, and if the private
     *     data is too long, in which case the peer is rejected without it; {@link Errno#EBADF} after close
     */
    public void reject(byte... privateData) {
        Arguments.require("reject", "privateData", privateData);
        decide("reject");
        try {
            id.reject(privateData);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EINVAL && privateData.length <= MAX_REJECT_DATA) {
                return; // the peer gave up before
            }
            throw e;
        } finally {
            channel.close();
        }
    }

    private void decide(String verb) {
        if (!decided.compareAndSet(false, true)) {
            throw closed
                    ? Arguments.closed(verb, toString())
                    : new VerbsException(Errno.EINVAL, verb, this + " was already accepted or rejected");
        }
    }

    /** Rejects the request unless it was accepted or rejected. */
    @Override
    public void close() {
        if (decided.compareAndSet(false, true)) {
            closed = true;
            channel.close();
        }
    }

    @Override
    public String toString() {
        return "request from " + peerAddress();
    }
}

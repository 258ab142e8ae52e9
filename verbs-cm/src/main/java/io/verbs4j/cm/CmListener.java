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
 * <p>Any number of threads may accept. Handshakes with several peers run side by side: a peer that asks for a
 * connection and then says nothing holds nobody up. What a call of {@code accept} has begun ends with it, as its queue
 * pairs are made with what that call was given. Calls that repeat the same objects (domain, queues, {@code param},
 * {@code prepare}) share their handshakes: what one has begun another one returns. So a loop with a short time serves
 * every peer, and {@code prepare}, called once for each peer, tells connections apart by the queue pair that it is
 * given. The queues are in use as long as such handshakes are: close the listener before them.
 */
public final class CmListener implements AutoCloseable {
    private static final Consumer<QueuePair> UNPREPARED = CmConnection::unprepared;

    private final CmId id;
    private final Handshakes handshakes;

    private CmListener(EventChannel channel, CmId id, CmOptions options) {
        this.id = id;
        handshakes = new Handshakes(channel, id, options.handshakeTimeout(TimeUnit.NANOSECONDS));
    }

    /**
     * Listens, with the default options.
     *
     * @param context the open device; closing it answers {@link io.verbs4j.Errno#EBUSY} as long as the listener is open
     * @param address where; the wildcard for all of the device's addresses, port 0 for one that is free
     * @param backlog most connections that are being made at a time; 0 for as many as there may be
     * @return the listener
     * @throws VerbsException as {@link #listen(Context, InetSocketAddress, int, CmOptions)}
     */
    public static CmListener listen(Context context, InetSocketAddress address, int backlog) {
        return listen(context, address, backlog, CmOptions.DEFAULT);
    }

    /**
     * Listens.
     *
     * @param context the open device; closing it answers {@link io.verbs4j.Errno#EBUSY} as long as the listener is open
     * @param address where; the wildcard for all of the device's addresses, port 0 for one that is free
     * @param backlog most connections that are being made at a time: requests that wait to be accepted, and accepted
     *     ones that the peer has not confirmed; 0 for 1024
     * @param options options of the listener, and of what it accepts
     * @return the listener
     * @throws VerbsException {@link io.verbs4j.Errno#EADDRINUSE} where another listener has the port, also another
     *     process's at {@code localhost}; {@link io.verbs4j.Errno#EADDRNOTAVAIL} where the device does not have the
     *     address
     */
    public static CmListener listen(Context context, InetSocketAddress address, int backlog, CmOptions options) {
        EventChannel channel = EventChannel.create();
        boolean done = false;
        try {
            CmId id = channel.createId(context, PortSpace.TCP);
            Arguments.require("listen", "options", options).apply(id);
            id.bind(address);
            id.listen(backlog);
            done = true;
            return new CmListener(channel, id, options);
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /**
     * Waits for a peer that asks for a connection, and leaves it to the program to accept or to reject it. Nothing was
     * sent to the peer, and no queue pair was made. The calls of any number of threads, also of {@code accept}, share
     * the requests that come.
     *
     * @param timeout longest time to wait for a peer; 0 only looks
     * @param unit its unit
     * @return the request, which is the caller's to accept, reject or close; null after the time
     * @throws VerbsException {@link io.verbs4j.Errno#EINTR} where the thread is interrupted (it stays interrupted);
     *     {@link io.verbs4j.Errno#EBADF} after close, also of a thread that waits
     */
    public CmRequest take(long timeout, TimeUnit unit) {
        return handshakes.take(Arguments.nanos("accept", timeout, unit));
    }

    /**
     * Takes a connection, as {@link #accept(ProtectionDomain, QpInitAttr, ConnParam, Consumer, long, TimeUnit)}, with parameters as usual.
     *
     * @param pd domain of the queue pair
     * @param attr what the queue pair is made with, type RC
     * @param timeout longest time to wait for a peer; 0 only looks
     * @param unit its unit
     * @return the connection; null after the time
     * @throws VerbsException likewise
     */
    public CmConnection accept(ProtectionDomain pd, QpInitAttr attr, long timeout, TimeUnit unit) {
        return accept(pd, attr, ConnParam.DEFAULT, UNPREPARED, timeout, unit);
    }

    /**
     * Waits for a peer, makes a queue pair and connects it. A peer that gives up, or does not confirm the connection in
     * the listener's {@link CmOptions#handshakeTimeout}, is skipped.
     *
     * @param pd domain of the queue pair
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param prepare given the queue pair before it is connected, to post receives; called for each peer
     * @param timeout longest time to wait for a peer; 0 only looks. Where one has come in that time, the call goes on
     *     until its handshake has ended, unless a next call can, by the same parameters
     * @param unit its unit
     * @return the connection; null where no peer has come in the time
     * @throws VerbsException what making or moving the queue pair says: the peer is rejected, and the listener goes on.
     *     {@link io.verbs4j.Errno#EINTR} where the thread is interrupted (it stays interrupted); {@link
     *     io.verbs4j.Errno#EBADF} after close; {@link io.verbs4j.Errno#EINVAL} for private data that is too long
     */
    public CmConnection accept(
            ProtectionDomain pd,
            QpInitAttr attr,
            ConnParam param,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit) {
        String verb = "accept";
        Handshakes.Offer offer = new Handshakes.Offer(
                Arguments.require(verb, "pd", pd),
                Arguments.require(verb, "attr", attr),
                Arguments.require(verb, "param", param),
                Arguments.require(verb, "prepare", prepare));
        return handshakes.accept(offer, Arguments.nanos(verb, timeout, unit));
    }

    /** {@return where it listens, with its port} */
    public InetSocketAddress address() {
        return id.localAddress();
    }

    /** {@return the id of the listener} */
    public CmId id() {
        return id;
    }

    /**
     * Ends listening; requests that wait are rejected, those that were taken and connections that were accepted stay.
     * Threads that wait end with EBADF.
     */
    @Override
    public void close() {
        handshakes.close();
    }

    @Override
    public String toString() {
        return "listener " + id;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.EventSubscription;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
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
     * the requests that come. The wait may end sooner than its time, when woken by {@link #wakeup()}.
     *
     * @param timeout longest time to wait for a peer; 0 only looks
     * @param unit its unit
     * @return the request, which is the caller's to accept, reject or close; null after the time, or when woken
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
     * @return the connection; null after the time, or when woken by {@link #wakeup()}
     * @throws VerbsException likewise
     */
    public CmConnection accept(ProtectionDomain pd, QpInitAttr attr, long timeout, TimeUnit unit) {
        return accept(pd, attr, ConnParam.DEFAULT, UNPREPARED, timeout, unit);
    }

    /**
     * Waits for a peer, makes a queue pair and connects it. A peer that gives up, or does not confirm the connection in
     * the listener's {@link CmOptions#handshakeTimeout}, is skipped. The wait for a peer may end sooner than its time,
     * when woken by {@link #wakeup()}.
     *
     * @param pd domain of the queue pair
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param prepare given the queue pair before it is connected, to post receives; called for each peer
     * @param timeout longest time to wait for a peer; 0 only looks. Where one has come in that time, the call goes on
     *     until its handshake has ended, unless a next call can, by the same parameters
     * @param unit its unit
     * @return the connection; null where no peer has come in the time, or till it was woken
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
        Offer offer = new Offer(
                Arguments.require(verb, "pd", pd),
                Arguments.require(verb, "attr", attr),
                Arguments.require(verb, "param", param),
                Arguments.require(verb, "prepare", prepare));
        return handshakes.accept(offer, Arguments.nanos(verb, timeout, unit));
    }

    /**
     * Ends a wait for a peer in {@link #take} or {@link #accept(ProtectionDomain, QpInitAttr, long, TimeUnit) accept}
     * before its time: it returns null. If no thread waits, the next call that would wait returns null at once instead;
     * a call with time 0 never waits and leaves that pending. So an event loop that waits here can be given other work
     * by any thread.
     *
     * <p>One call ends one wait; if several threads wait, a {@link #subscribe subscription} among them, any one of them
     * returns. Calls that come before a wait has ended count as one. A request or connection that is there is returned
     * first and leaves the wake-up pending. A call of {@code accept} that waits for the one peer that it connects is
     * not ended. Does not wait; does nothing after close.
     */
    public void wakeup() {
        handshakes.wakeup();
    }

    /**
     * Runs an action when a peer asks for a connection or confirms one, so that an event loop that waits elsewhere
     * needs no thread for this listener ({@link #subscribe} has one). The action only says that there may be something;
     * the loop then calls {@link #take} or {@code accept} with time 0 until it returns null. What comes after that, and
     * what such a call leaves to others, runs the action again, at least once; the action may also run for nothing, and
     * once for several peers.
     *
     * <p>A loop that accepts passes the same objects each time (domain, queues, {@code param}, {@code prepare}), so
     * that its calls share their handshakes; the first one with new objects may wait for its peer. Peers that never
     * confirm are skipped by calls that come after their time, so call {@code accept} now and then even when nothing
     * runs the action.
     *
     * <p>The action runs in the thread that brings the event: one of the connection manager's, one that receives
     * packets, or one that calls {@code take} or {@code accept}; with locks of the connection manager held, but not the
     * listener's. It must be quick, and must not block or call verbs: let it set a flag, unpark a thread, call {@code
     * wakeup()} of a selector or of a channel or listener that a loop waits in, or hand a task to an executor. What it
     * throws is logged and ignored.
     *
     * <p>A listener has one action; another one replaces it. If there is something already, the action runs at once, in
     * the calling thread. Closing the listener ends it.
     *
     * @param action what to run; null for nothing any more. After this has returned, an old action may still be running
     *     in another thread
     * @throws VerbsException {@link io.verbs4j.Errno#EBADF} after close
     */
    public void onEvent(Runnable action) {
        handshakes.onEvent(action);
    }

    /**
     * Has requests handed to the program from now on, as {@link #take} returns them, so that none of its threads waits:
     * for event loops and executors. Where several subscribe, or wait besides, each request goes to one of them.
     *
     * @param executor where the handler runs; {@code Runnable::run} is the subscription's own thread. {@link
     *     CmRequest#accept(ProtectionDomain, QpInitAttr) accept} of a request waits for the peer, so an executor with
     *     several threads serves several peers at a time
     * @param handler takes the request, which is its to accept, reject or close; an exception of it goes where the
     *     executor's exceptions go
     * @return the subscription; to be closed, and ended by closing the listener
     */
    public EventSubscription subscribe(Executor executor, Consumer<? super CmRequest> handler) {
        return EventSubscription.of(this, () -> handshakes.take(Long.MAX_VALUE), executor, handler);
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

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
 * Accepts connections, without events.
 *
 * <pre>{@code
 * try (CmListener listener = CmListener.listen(context, new InetSocketAddress(7471), 16);
 *         CmConnection connection = listener.accept(pd, attr, 5, TimeUnit.SECONDS)) {
 *     connection.queuePair().postSend(request);
 * }
 * }</pre>
 *
 * <p>Any number of threads may accept. Handshakes with several peers run in parallel, so a peer that requests a
 * connection and then goes silent blocks nobody.
 *
 * <p>A handshake uses what its call of {@code accept} was given, and normally ends with that call. Calls that repeat
 * the same objects (domain, queues, {@code param}, {@code prepare}) share their handshakes instead: one call may return
 * what another has begun. So a loop with a short timeout serves every peer, and {@code prepare}, called once for each
 * peer, can tell connections apart by their queue pairs. Such handshakes keep the queues in use: close the listener
 * before the queues.
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
     * @param context open device; closing it fails with {@link io.verbs4j.Errno#EBUSY} while the listener is open
     * @param address address to listen at; the wildcard for all addresses of the device, port 0 for any free port
     * @param backlog maximum number of connections being established at a time; 0 for 1024
     * @return the listener
     * @throws VerbsException as {@link #listen(Context, InetSocketAddress, int, CmOptions)}
     */
    public static CmListener listen(Context context, InetSocketAddress address, int backlog) {
        return listen(context, address, backlog, CmOptions.DEFAULT);
    }

    /**
     * Listens.
     *
     * @param context open device; closing it fails with {@link io.verbs4j.Errno#EBUSY} while the listener is open
     * @param address address to listen at; the wildcard for all addresses of the device, port 0 for any free port
     * @param backlog maximum number of connections being established at a time: requests that wait to be accepted, and
     *     accepted ones that the peer has not confirmed; 0 for 1024
     * @param options options of the listener and of the connections that it accepts
     * @return the listener
     * @throws VerbsException {@link io.verbs4j.Errno#EADDRINUSE} if another listener has the port, which may belong to
     *     another process at {@code localhost}; {@link io.verbs4j.Errno#EADDRNOTAVAIL} if the device does not have the
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
     * Waits for a peer that requests a connection, and lets the program accept or reject it. Nothing has been sent to
     * the peer yet, and no queue pair was made. Any number of threads may call this and {@code accept}; they share the
     * incoming requests. {@link #wakeup()} may end the wait early.
     *
     * @param timeout longest time to wait for a peer; 0 only checks
     * @param unit unit of {@code timeout}
     * @return the request, which the caller must accept, reject or close; null if the time is over, or after a wake-up
     * @throws VerbsException {@link io.verbs4j.Errno#EINTR} if the thread is interrupted (it stays interrupted); {@link
     *     io.verbs4j.Errno#EBADF} after close, also in a thread that is waiting
     */
    public CmRequest take(long timeout, TimeUnit unit) {
        return handshakes.take(Arguments.nanos("accept", timeout, unit));
    }

    /**
     * Accepts a connection with default parameters, as {@link #accept(ProtectionDomain, QpInitAttr, ConnParam,
     * Consumer, long, TimeUnit)}.
     *
     * @param pd domain of the queue pair
     * @param attr attributes of the queue pair, type RC
     * @param timeout longest time to wait for a peer; 0 only checks
     * @param unit unit of {@code timeout}
     * @return the connection; null if the time is over, or after a {@link #wakeup()}
     * @throws VerbsException as {@link #accept(ProtectionDomain, QpInitAttr, ConnParam, Consumer, long, TimeUnit)}
     */
    public CmConnection accept(ProtectionDomain pd, QpInitAttr attr, long timeout, TimeUnit unit) {
        return accept(pd, attr, ConnParam.DEFAULT, UNPREPARED, timeout, unit);
    }

    /**
     * Waits for a peer, makes a queue pair and connects it. A peer that gives up, or does not confirm the connection
     * within the listener's {@link CmOptions#handshakeTimeout}, is skipped. {@link #wakeup()} may end the wait for a
     * peer early.
     *
     * @param pd domain of the queue pair
     * @param attr attributes of the queue pair, type RC
     * @param param parameters
     * @param prepare receives the queue pair before it is connected, to post receives; called for each peer
     * @param timeout longest time to wait for a peer; 0 only checks. If a peer comes in that time, the call continues
     *     until its handshake ends, unless a later call with the same parameters can finish it
     * @param unit unit of {@code timeout}
     * @return the connection; null if no peer came in time or before a wake-up
     * @throws VerbsException the error of making or modifying the queue pair: the peer is rejected, and the listener
     *     continues. {@link io.verbs4j.Errno#EINTR} if the thread is interrupted (it stays interrupted); {@link
     *     io.verbs4j.Errno#EBADF} after close; {@link io.verbs4j.Errno#EINVAL} if the private data is too long
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
     * early: it returns null. If no thread waits, the next call that would wait returns null at once instead; a call
     * with time 0 never waits and leaves the wake-up pending. This lets any thread give other work to an event loop
     * that waits here.
     *
     * <p>One call ends one wait; if several threads wait, including those of {@link #subscribe subscriptions}, any one
     * of them returns. Calls made before a wait has ended count as one. Requests and connections that are ready are
     * returned first and leave the wake-up pending. A call of {@code accept} that waits for the one peer that it is
     * connecting does not end. Does not wait; does nothing after close.
     */
    public void wakeup() {
        handshakes.wakeup();
    }

    /**
     * Sets an action that runs when a peer requests or confirms a connection, so that an event loop that waits
     * elsewhere needs no thread for this listener (a {@link #subscribe subscription} has one). The action only signals
     * that there may be work: the loop then calls {@link #take} or {@code accept} with time 0 until it returns null.
     * Anything that comes later, or that such a call leaves to others, runs the action again at least once; the action
     * may also run for nothing, and once for several peers.
     *
     * <p>A loop that accepts must pass the same objects each time (domain, queues, {@code param}, {@code prepare}), so
     * that its calls share their handshakes; the first call with new objects may wait for its peer. Peers that never
     * confirm are skipped only by later calls, so call {@code accept} occasionally even if the action does not run.
     *
     * <p>The action runs in the thread that causes the event: a thread of the connection manager, one that receives
     * packets, or one that calls {@code take} or {@code accept}. Locks of the connection manager may be held, but not
     * the listener's. The action must be quick, and must not block or call verbs: let it set a flag, unpark a thread,
     * call {@code wakeup()} on a selector or on a channel or listener that a loop waits in, or hand a task to an
     * executor. Its exceptions are logged and ignored.
     *
     * <p>A listener has one action; setting another replaces it. If there is work already, the action runs at once, in
     * the calling thread. Closing the listener removes it.
     *
     * @param action action to run; null for none. After this method returns, an old action may still be running in
     *     another thread
     * @throws VerbsException {@link io.verbs4j.Errno#EBADF} after close
     */
    public void onEvent(Runnable action) {
        handshakes.onEvent(action);
    }

    /**
     * Passes requests to the program as they come, as {@link #take} returns them, so that no thread of the program
     * waits; for event loops and executors. If there are several subscriptions or threads that wait, each request goes
     * to one of them.
     *
     * @param executor runs the handler; {@code Runnable::run} uses the subscription's own thread. {@link
     *     CmRequest#accept(ProtectionDomain, QpInitAttr) CmRequest.accept} waits for the peer, so only an executor with
     *     several threads serves several peers at a time
     * @param handler receives the request, which it must accept, reject or close; its exceptions go where the
     *     executor's exceptions go
     * @return the subscription, for the program to close; closing the listener ends it as well
     */
    public EventSubscription subscribe(Executor executor, Consumer<? super CmRequest> handler) {
        return EventSubscription.of(this, () -> handshakes.take(Long.MAX_VALUE), executor, handler);
    }

    /** {@return the address that it listens at, with its port} */
    public InetSocketAddress address() {
        return id.localAddress();
    }

    /** {@return the id of the listener} */
    public CmId id() {
        return id;
    }

    /**
     * Stops listening. Waiting requests are rejected; requests already taken and accepted connections stay open.
     * Threads that wait fail with EBADF.
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

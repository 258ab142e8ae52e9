/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
 *
 * <p>When the peer disconnects, the queue pair goes to state ERR by itself: what is posted completes with {@code
 * WR_FLUSH_ERR}, receives too, so whoever waits for completions sees the end. {@link #close()} lets the send queue run
 * dry before: see {@link #drainTime}. A peer that is gone without a word is noticed, see {@link #keepAlive}. When the
 * JVM ends in order, what is connected is disconnected.
 *
 * <p>All methods may be called by any thread.
 */
public final class CmConnection implements AutoCloseable {
    /** Time that {@link #close()} waits for the send queue unless told otherwise, in seconds. */
    public static final int DEFAULT_DRAIN_SECONDS = 5;

    /** Time after which a silent peer of another machine is given up unless told otherwise, in seconds. */
    public static final int DEFAULT_KEEP_ALIVE_SECONDS = 60;

    private final EventChannel channel;
    private final CmId id;
    private volatile ConnParam peer;
    private volatile long drainNanos = TimeUnit.SECONDS.toNanos(DEFAULT_DRAIN_SECONDS);

    /** What is done before the queue pair is closed, or null. */
    private volatile Runnable beforeDestroy;

    /** The connection has ended, and somebody is to see to the queue pair. */
    private volatile boolean disconnected;

    /** The connection has ended and the queue pair is in state ERR, or all is closed. */
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Runs when that has come, once. */
    private final AtomicReference<Runnable> action = new AtomicReference<>();

    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private CmConnection(EventChannel channel, CmId id) {
        this.channel = channel;
        this.id = id;
        id.onEnd(this::onEnd);
        id.keepAlive(DEFAULT_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    }

    /** Called with locks held. */
    private void onEnd() {
        disconnected = true;
        EndThread.execute(this::end);
    }

    private void end() {
        id.failQp();
        ended.countDown();
        Actions.run(action.getAndSet(null), "the end of a connection");
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
     * @throws VerbsException likewise
     */
    public static CmConnection connect(
            ProtectionDomain pd, InetSocketAddress address, QpInitAttr attr, long timeout, TimeUnit unit) {
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
            TimeUnit unit) {
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
     * @throws VerbsException {@link CmRejectedException}, {@link Errno#ECONNREFUSED}, where the peer has rejected, with
     *     its reason and private data; {@link Errno#ETIMEDOUT} after the time, or where nobody answers; {@link
     *     Errno#EADDRNOTAVAIL} where no address of the device leads there; {@link Errno#EINTR} where the thread is
     *     interrupted (it stays interrupted). Nothing is left then
     */
    public static CmConnection connect(
            ProtectionDomain pd,
            InetSocketAddress address,
            QpInitAttr attr,
            ConnParam param,
            CmOptions options,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit) {
        return connect(EventChannel.create(), pd, address, attr, param, options, prepare, timeout, unit);
    }

    /** Connects; closing the channel ends that, and closes the queue pair. */
    private static CmConnection connect(
            EventChannel channel,
            ProtectionDomain pd,
            InetSocketAddress address,
            QpInitAttr attr,
            ConnParam param,
            CmOptions options,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit) {
        long start = System.nanoTime();
        boolean done = false;
        try {
            long limit = Arguments.nanos("connect", timeout, unit);
            Arguments.require("connect", "prepare", prepare);
            Context context = Arguments.require("connect", "pd", pd).context();
            CmId id = channel.createId(context, PortSpace.TCP);
            Arguments.require("connect", "options", options).apply(id);
            CmConnection connection = new CmConnection(channel, id);
            id.resolveAddress(null, address, limit, TimeUnit.NANOSECONDS);
            connection.await(CmEventType.ADDR_RESOLVED, address, start, limit);
            id.resolveRoute(limit, TimeUnit.NANOSECONDS);
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
     * Connects without waiting, with the default options.
     *
     * @param pd domain of the queue pair
     * @param address where a peer listens
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param prepare given the queue pair before it connects, to post receives
     * @param timeout longest time for all
     * @param unit its unit
     * @param executor waits in its threads
     * @return as {@link #connectAsync(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam, CmOptions, Consumer,
     *     long, TimeUnit, Executor)}
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
        return connectAsync(pd, address, attr, param, CmOptions.DEFAULT, prepare, timeout, unit, executor);
    }

    /**
     * Connects without waiting, as {@link #connect(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam,
     * CmOptions, Consumer, long, TimeUnit)}.
     *
     * @param pd domain of the queue pair
     * @param address where a peer listens; the wildcard address is {@code localhost}
     * @param attr what the queue pair is made with, type RC
     * @param param parameters
     * @param options options of the connection
     * @param prepare given the queue pair before it connects, to post receives
     * @param timeout longest time for all
     * @param unit its unit
     * @param executor waits in its threads; where it refuses the work, the future has failed with what it has thrown
     * @return the connection that will be. Where the future is cancelled, or completed otherwise, the attempt ends and
     *     its queue pair is closed; what is being made at that moment is closed by the thread that makes it
     */
    public static CompletableFuture<CmConnection> connectAsync(
            ProtectionDomain pd,
            InetSocketAddress address,
            QpInitAttr attr,
            ConnParam param,
            CmOptions options,
            Consumer<QueuePair> prepare,
            long timeout,
            TimeUnit unit,
            Executor executor) {
        EventChannel channel = EventChannel.create();
        CompletableFuture<CmConnection> future = new CompletableFuture<>();
        Runnable attempt = () -> {
            try {
                CmConnection connection = connect(channel, pd, address, attr, param, options, prepare, timeout, unit);
                if (!future.complete(connection)) {
                    connection.close(); // nobody wants it any more
                }
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
            }
        };
        CompletableFuture<CmConnection> unused = future.whenComplete((connection, failure) -> {
            if (failure != null) {
                channel.close();
            }
        });
        try {
            executor.execute(attempt);
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    /** The connection of an id whose peer has confirmed it, on a channel of its own. */
    static CmConnection accepted(EventChannel channel, CmId id, ConnParam peer) {
        CmConnection connection = new CmConnection(channel, id);
        connection.peer = peer;
        return connection;
    }

    /** The connection of an id whose peer has confirmed it: the id gets a channel of its own. */
    static CmConnection accepted(CmId id, ConnParam peer) {
        EventChannel channel = EventChannel.create();
        boolean done = false;
        try {
            id.migrate(channel);
            CmConnection connection = accepted(channel, id, peer);
            done = true;
            return connection;
        } finally {
            if (!done) {
                channel.close();
                id.close();
            }
        }
    }

    private CmEvent await(int type, InetSocketAddress address, long start, long limit) {
        long left = limit - (System.nanoTime() - start);
        CmEvent event = channel.get("connect", Math.max(0, left));
        if (event == null) {
            throw new VerbsException(Errno.ETIMEDOUT, "connect", "no answer of " + address + " in time");
        }
        if (event.type() == type) {
            return event;
        }
        String message = address + ": " + CmEventType.toString(event.type()) + ": " + event.statusText();
        if (event.type() == CmEventType.REJECTED) {
            throw new CmRejectedException("connect", message, new CmRejection(event.status(), event.conn()));
        }
        int errno = event.status() < 0 ? -event.status() : Errno.ECONNABORTED;
        throw new VerbsException(errno, "connect", message, event.cause());
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
     * Changes how long {@link #close()} waits until the peer has acknowledged what was posted; {@value
     * #DEFAULT_DRAIN_SECONDS} seconds unless told otherwise.
     *
     * @param time longest time; 0 or less for none: what the peer has not acknowledged by then is dropped without a
     *     word
     * @param unit its unit
     * @return this
     */
    public CmConnection drainTime(long time, TimeUnit unit) {
        drainNanos = Arguments.nanos("close", time, unit);
        return this;
    }

    /**
     * Changes what {@link #close()} does before it closes the queue pair: poll the completions there, those that nobody
     * has polled go with the queue pair. By then sends are acknowledged, the peer is told, the queue pair is in state
     * ERR, and what was posted has completed, receives with {@code WR_FLUSH_ERR}. On native devices the last of these
     * completions may come a moment later.
     *
     * <pre>{@code
     * connection.beforeDestroy(() -> queue.handle(handler)); // a WaitingQueue: every completion is handled
     * }</pre>
     *
     * @param action run once by the thread that closes, also where the peer has disconnected; what it throws is thrown
     *     by {@code close}, when all is closed. Null for nothing
     * @return this
     */
    public CmConnection beforeDestroy(Runnable action) {
        beforeDestroy = action;
        return this;
    }

    /**
     * Changes when a peer that is gone without a word is taken to have disconnected; {@value
     * #DEFAULT_KEEP_ALIVE_SECONDS} seconds unless told otherwise. A process of this machine that was killed is noticed
     * within two seconds, whatever the time is; one that is stopped is there. A peer of another machine is asked eight
     * times in the given time by messages of the connection manager, and taken to be gone where it answers none. On
     * native devices the kernel disconnects for processes that end, and the time does not count: a machine that is gone
     * is noticed by who sends.
     *
     * @param time time after which a silent peer of another machine is given up; 0 or less: nobody looks
     * @param unit its unit
     * @return this
     * @throws VerbsException {@link Errno#EBADF} after close
     */
    public CmConnection keepAlive(long time, TimeUnit unit) {
        id.keepAlive(time, unit);
        return this;
    }

    /**
     * Waits until the connection has ended: then the queue pair is in state ERR, and what was posted ends. It does so
     * too where nobody asks. Any number of threads may wait.
     *
     * @param timeout longest time to wait; 0 only looks
     * @param unit its unit
     * @return whether it has ended
     * @throws VerbsException {@link Errno#EBADF} where the connection was closed at this side before it ended, also
     *     while a thread waits; {@link Errno#EINTR} where the thread is interrupted (it stays interrupted)
     */
    public boolean awaitDisconnected(long timeout, TimeUnit unit) {
        if (disconnected && ended.getCount() > 0) {
            end(); // nobody has to wait for a thread
        }
        boolean over = awaitEnd(Arguments.nanos("get_cm_event", timeout, unit));
        if (over && !disconnected) {
            throw Arguments.closed("get_cm_event", "the connection");
        }
        return over;
    }

    private boolean awaitEnd(long nanos) {
        Interrupts.check("get_cm_event", nanos);
        try {
            return nanos == 0 ? ended.getCount() == 0 : ended.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw Interrupts.failed("get_cm_event", e);
        }
    }

    /**
     * Runs an action when the connection has ended, once, so that an event loop needs no thread in {@link
     * #awaitDisconnected}: then the queue pair is in state ERR, and what was posted ends. It runs at once, in the
     * calling thread, where the connection has ended already; it does not run where the connection is closed at this
     * side before.
     *
     * <p>The action runs in a thread of ours, the same one for all connections, or in one that calls {@link
     * #awaitDisconnected}; with no locks held: it may call verbs, but must be quick and must not wait. What it throws
     * is logged and ignored. A connection has one action; another one replaces it.
     *
     * @param value what to run; null for nothing any more. After this has returned, an old action may still be running
     *     in another thread
     */
    public void onDisconnected(Runnable value) {
        action.set(value);
        if (disconnected && ended.getCount() == 0) {
            Actions.run(action.getAndSet(null), "the end of a connection");
        }
    }

    /**
     * Waits until the peer has acknowledged all send requests that were accepted, disconnects, and closes the queue
     * pair. Completions need not be polled for it, and those that nobody has polled go with the queue pair: see {@link
     * #beforeDestroy}. It waits
     * for {@link #drainTime} at most, less where the connection ends, the queue pair fails or the thread is interrupted
     * (the flag stays). Where another thread is closing the connection, waits until it has.
     *
     * <p>Native devices are asked by a request more, a write of no bytes, which the program at the peer does not see.
     *
     * @throws VerbsException when all is closed, where requests were not acknowledged: {@link Errno#ETIMEDOUT} after
     *     the time, {@link Errno#ECONNRESET} where the peer disconnected meanwhile, {@link Errno#EINTR}, {@link
     *     Errno#EIO} where they failed meanwhile; what failed before is told by its completions alone. {@link
     *     Errno#EOPNOTSUPP} where the device does not say whether there are any: poll the completion of the last
     *     request before closing, or see {@link #drainTime}. {@link
     *     Errno#EBUSY} where the queue pair can't be closed, as somebody reads its completions: close again
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            closeAgain();
            return;
        }
        try (channel) {
            VerbsException lost = new SendDrain(id, () -> disconnected).await(drainNanos);
            lookOnce(lost);
            if (lost != null) {
                throw lost;
            }
        } finally {
            action.set(null);
            ended.countDown();
            closed.countDown();
        }
    }

    /** Ends the connection, and lets the program poll what has completed, before that goes with the queue pair. */
    private void lookOnce(VerbsException lost) {
        Runnable action = beforeDestroy;
        if (action == null) {
            return;
        }
        try {
            if (!disconnected) {
                id.disconnect();
            }
            id.failQp();
            action.run();
        } catch (RuntimeException | Error e) {
            if (lost != null) {
                e.addSuppressed(lost);
            }
            throw e;
        }
    }

    /** Ends when the connection is closed, and tries once more what could not be closed. */
    private void closeAgain() {
        boolean interrupted = false;
        while (true) {
            try {
                closed.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // the one that closes ends in bounded time
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        id.close();
    }

    @Override
    public String toString() {
        return "connection of " + id;
    }
}

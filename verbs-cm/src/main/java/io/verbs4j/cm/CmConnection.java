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
 * A connected queue pair, without events.
 *
 * <pre>{@code
 * try (CmConnection connection = CmConnection.connect(pd, address, attr, 5, TimeUnit.SECONDS)) {
 *     connection.queuePair().postSend(request);
 * }
 * }</pre>
 *
 * <p>To be able to receive the peer's first message, post receives in {@code prepare}, before the connection is
 * established.
 *
 * <p>When the peer disconnects, the queue pair goes to state ERR: posted requests, receives included, complete with
 * {@code WR_FLUSH_ERR}, so a program that waits for completions learns of the end. {@link #close()} first waits for the
 * send queue to drain (see {@link #drainTime}). A peer that vanishes without disconnecting is detected (see {@link
 * #keepAlive}). An orderly exit of the JVM disconnects all connections.
 *
 * <p>All methods may be called from any thread.
 */
// Longer than 500 lines because each way to connect and to accept is a documented method of the one class that programs
// use.
public final class CmConnection implements AutoCloseable {
    /** Default time that {@link #close()} waits for the send queue, in seconds. */
    public static final int DEFAULT_DRAIN_SECONDS = 5;

    /** Default time after which a silent peer on another machine is given up, in seconds. */
    public static final int DEFAULT_KEEP_ALIVE_SECONDS = 60;

    private final EventChannel channel;
    private final CmId id;
    private volatile ConnParam peer;
    private volatile long drainNanos = TimeUnit.SECONDS.toNanos(DEFAULT_DRAIN_SECONDS);

    /** Runs before the queue pair is closed, or null. */
    private volatile Runnable beforeDestroy;

    /** Set when the connection has ended, possibly before the queue pair is in state ERR. */
    private volatile boolean disconnected;

    /** Released when the connection has ended and the queue pair is in state ERR, or after close. */
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Runs once, after {@link #ended} was released by the end of the connection. */
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
     * Makes a queue pair and connects it, with default parameters and options.
     *
     * @param pd domain of the queue pair
     * @param address address that the peer listens at
     * @param attr attributes of the queue pair, type RC
     * @param timeout time limit for the whole call
     * @param unit unit of {@code timeout}
     * @return the connection
     * @throws VerbsException as {@link #connect(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam, CmOptions,
     *     Consumer, long, TimeUnit)}
     */
    public static CmConnection connect(
            ProtectionDomain pd, InetSocketAddress address, QpInitAttr attr, long timeout, TimeUnit unit) {
        return connect(pd, address, attr, ConnParam.DEFAULT, CmConnection::unprepared, timeout, unit);
    }

    /**
     * Makes a queue pair and connects it, with the default options.
     *
     * @param pd domain of the queue pair
     * @param address address that the peer listens at
     * @param attr attributes of the queue pair, type RC
     * @param param parameters
     * @param prepare receives the queue pair before it connects, to post receives
     * @param timeout time limit for the whole call
     * @param unit unit of {@code timeout}
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
     * @param address address that the peer listens at; the wildcard address means {@code localhost}, as for {@link
     *     java.net.Socket}
     * @param attr attributes of the queue pair, type RC
     * @param param parameters
     * @param options options of the connection
     * @param prepare receives the queue pair before it connects, to post receives
     * @param timeout time limit for the whole call
     * @param unit unit of {@code timeout}
     * @return the connection
     * @throws VerbsException {@link CmRejectedException}, {@link Errno#ECONNREFUSED}, with the peer's reason and
     *     private data, if the peer rejects; {@link Errno#ETIMEDOUT} if the time is over or nobody answers; {@link
     *     Errno#EADDRNOTAVAIL} if no address of the device leads there; {@link Errno#EINTR} if the thread is
     *     interrupted (it stays interrupted). On failure everything that was made is closed
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

    /** Connects. Closing the channel aborts the attempt and closes the queue pair. */
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
        // posts no receives before the connection is established
    }

    /**
     * Connects asynchronously, with the default options.
     *
     * @param pd domain of the queue pair
     * @param address address that the peer listens at
     * @param attr attributes of the queue pair, type RC
     * @param param parameters
     * @param prepare receives the queue pair before it connects, to post receives
     * @param timeout time limit for the whole attempt
     * @param unit unit of {@code timeout}
     * @param executor provides the thread that waits
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
     * Connects asynchronously, as {@link #connect(ProtectionDomain, InetSocketAddress, QpInitAttr, ConnParam,
     * CmOptions, Consumer, long, TimeUnit)}.
     *
     * @param pd domain of the queue pair
     * @param address address that the peer listens at; the wildcard address means {@code localhost}
     * @param attr attributes of the queue pair, type RC
     * @param param parameters
     * @param options options of the connection
     * @param prepare receives the queue pair before it connects, to post receives
     * @param timeout time limit for the whole attempt
     * @param unit unit of {@code timeout}
     * @param executor provides the thread that waits; if it throws, the future fails with that exception
     * @return a future that completes with the connection. If the future is cancelled or completed otherwise, the
     *     attempt is aborted and its queue pair closed; the attempting thread closes whatever it is making at that
     *     moment
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
                    connection.close(); // the future was completed otherwise
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

    /** Returns the connection of an id that its peer has confirmed and that has a channel of its own. */
    static CmConnection accepted(EventChannel channel, CmId id, ConnParam peer) {
        CmConnection connection = new CmConnection(channel, id);
        connection.peer = peer;
        return connection;
    }

    /** Returns the connection of an id that its peer has confirmed, and gives the id a channel of its own. */
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
            throw new VerbsException(Errno.ETIMEDOUT, "connect", "no answer from " + address + " in time");
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

    /** {@return the connected queue pair, which is closed with the connection} */
    public QueuePair queuePair() {
        return id.queuePair();
    }

    /** {@return the id of this end} */
    public CmId id() {
        return id;
    }

    /** {@return the parameters that the peer sent when it connected or accepted, including its private data} */
    public ConnParam peer() {
        return peer;
    }

    /**
     * Changes how long {@link #close()} waits for the peer to acknowledge posted requests; {@value
     * #DEFAULT_DRAIN_SECONDS} seconds by default.
     *
     * @param time longest time to wait; 0 or less does not wait, and silently drops requests that the peer has not
     *     acknowledged
     * @param unit unit of {@code time}
     * @return this
     */
    public CmConnection drainTime(long time, TimeUnit unit) {
        drainNanos = Arguments.nanos("close", time, unit);
        return this;
    }

    /**
     * Sets an action that {@link #close()} runs before it closes the queue pair. Poll the remaining completions there:
     * any left are lost with the queue pair. At that point sends are acknowledged, the peer is disconnected, the queue
     * pair is in state ERR, and all posted requests have completed, receives with {@code WR_FLUSH_ERR}. On native
     * devices the last of these completions may arrive a moment later.
     *
     * <pre>{@code
     * connection.beforeDestroy(() -> queue.handle(handler)); // a WaitingQueue: every completion is handled
     * }</pre>
     *
     * @param action runs once, in the closing thread, even if the peer has disconnected; {@code close} rethrows its
     *     exceptions after closing everything. Null for no action
     * @return this
     */
    public CmConnection beforeDestroy(Runnable action) {
        beforeDestroy = action;
        return this;
    }

    /**
     * Changes when a peer that vanishes without disconnecting counts as disconnected; {@value
     * #DEFAULT_KEEP_ALIVE_SECONDS} seconds by default.
     *
     * <p>A killed process on this machine is detected within two seconds, whatever the time (unless it is 0 or less); a
     * stopped process counts as alive. A peer on another machine is probed eight times within the time by messages of
     * the connection manager, and counts as gone if it answers none. On native devices the kernel disconnects for
     * processes that end and the time has no effect: only failing sends reveal a machine that is gone.
     *
     * @param time time after which a silent peer on another machine is given up; 0 or less disables detection
     * @param unit unit of {@code time}
     * @return this
     * @throws VerbsException {@link Errno#EBADF} after close
     */
    public CmConnection keepAlive(long time, TimeUnit unit) {
        id.keepAlive(time, unit);
        return this;
    }

    /**
     * Waits until the connection has ended: the queue pair is in state ERR, and posted requests end. This happens even
     * if nobody calls this method. Any number of threads may wait.
     *
     * @param timeout longest time to wait; 0 only checks
     * @param unit unit of {@code timeout}
     * @return whether the connection has ended
     * @throws VerbsException {@link Errno#EBADF} if this side closed the connection before it ended, also if it does so
     *     during the wait; {@link Errno#EINTR} if the thread is interrupted (it stays interrupted)
     */
    public boolean awaitDisconnected(long timeout, TimeUnit unit) {
        if (disconnected && ended.getCount() > 0) {
            end(); // does not depend on the end thread
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
     * Sets an action that runs once when the connection has ended, so that an event loop needs no thread in {@link
     * #awaitDisconnected}. By then the queue pair is in state ERR, and posted requests end. If the connection has
     * already ended, the action runs at once, in the calling thread. It does not run if this side closes the connection
     * first.
     *
     * <p>The action runs in a thread of the library that all connections share, or in one that calls {@link
     * #awaitDisconnected}. No locks are held, so it may call verbs, but it must be quick and must not wait. Its
     * exceptions are logged and ignored. A connection has one action; setting another replaces it.
     *
     * @param value action to run; null for none. After this method returns, an old action may still be running in
     *     another thread
     */
    public void onDisconnected(Runnable value) {
        action.set(value);
        if (disconnected && ended.getCount() == 0) {
            Actions.run(action.getAndSet(null), "the end of a connection");
        }
    }

    /**
     * Waits until the peer has acknowledged all accepted send requests, disconnects, and closes the queue pair.
     *
     * <p>Completions need not be polled for this; any that are still unpolled are lost with the queue pair (see {@link
     * #beforeDestroy}). The wait lasts for {@link #drainTime} at most, and ends early if the connection ends, the queue
     * pair fails or the thread is interrupted (it stays interrupted). If another thread is already closing the
     * connection, this call waits for it.
     *
     * <p>On native devices the library posts an additional request, a write of no bytes, which the program at the peer
     * does not see.
     *
     * @throws VerbsException once everything is closed, if requests were not acknowledged: {@link Errno#ETIMEDOUT} if
     *     the time was over, {@link Errno#ECONNRESET} if the peer disconnected during the wait, {@link Errno#EINTR}, or
     *     {@link Errno#EIO} if they failed during the wait; earlier failures are reported only by their completions.
     *     {@link Errno#EOPNOTSUPP} if the device cannot report unfinished requests: poll the completion of the last
     *     request before closing, or see {@link #drainTime}. {@link Errno#EBUSY} if the queue pair cannot be closed
     *     because a thread is reading its completions: close again
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

    /** Ends the connection and lets the program poll its completions, before the queue pair takes them with it. */
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

    /** Returns when the connection is closed, and retries closing what could not be closed. */
    private void closeAgain() {
        boolean interrupted = false;
        while (true) {
            try {
                closed.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // the closing thread ends in bounded time
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

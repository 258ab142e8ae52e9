/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.EventChannel;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs {@link VerbsServerSocketChannel} and {@link VerbsSocketChannel} in a Netty event loop.
 *
 * <pre>{@code
 * EventLoopGroup group = new MultiThreadIoEventLoopGroup(VerbsIoHandler.newFactory());
 * }</pre>
 *
 * <p>The loop sleeps while it has nothing to do, no matter how many channels it has. Only Netty calls the methods of a
 * handler.
 */
public final class VerbsIoHandler implements IoHandler {
    /** Longest time that a closing loop waits for peers to acknowledge written data. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Interval between checks while the loop is closing or memory is short. */
    private static final long LAST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int LOOKS_PER_CLOCK = 16;

    /** Pause after a failure that is likely to recur. */
    private static final long FAILED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(VerbsIoHandler.class);

    private final ThreadAwareExecutor executor;
    private final SharedDevice device;
    private final LoopSleep sleep;
    private final LoopEvents events;
    private final Slab slab;
    private final LinkTable links = new LinkTable();
    private final Set<VerbsHandle> handles = new LinkedHashSet<>();
    private final ArrayDeque<Link> touched = new ArrayDeque<>();
    private final Set<Link> starved = new LinkedHashSet<>();
    private final LinkDeadlines deadlines = new LinkDeadlines();
    private final long spinNanos;
    private LoopQueues queues;

    private VerbsIoHandler(ThreadAwareExecutor executor, VerbsOptions options) {
        this.executor = executor;
        this.spinNanos = options.spin(TimeUnit.NANOSECONDS);
        this.device = SharedDevice.acquire(options.device());
        try {
            sleep = new LoopSleep(device.context().createCompChannel());
        } catch (VerbsException e) {
            device.release();
            throw e;
        }
        slab = new Slab(device, executor, options.messageSize(), options.maxMemory());
        events = new LoopEvents(sleep::wakeup);
    }

    /**
     * Returns a factory of event loops with default options.
     *
     * @return a factory for {@link io.netty.channel.MultiThreadIoEventLoopGroup}, whose constructor fails if no RDMA
     *     device can be used
     */
    public static IoHandlerFactory newFactory() {
        return newFactory(VerbsOptions.DEFAULT);
    }

    /**
     * Returns a factory of event loops. Groups that share channels, such as those of a server bootstrap, must use one
     * device.
     *
     * @param options options of the event loops
     * @return a factory for {@link io.netty.channel.MultiThreadIoEventLoopGroup}, whose constructor fails if no RDMA
     *     device can be used; the cause says why
     */
    public static IoHandlerFactory newFactory(VerbsOptions options) {
        return executor -> new VerbsIoHandler(executor, options);
    }

    /**
     * Returns why event loops with these options cannot be made.
     *
     * @param options options of the event loops
     * @return null if their device can be used; otherwise the reason, whose message says what to use instead
     */
    public static Throwable unavailabilityCause(VerbsOptions options) {
        try {
            SharedDevice.acquire(options.device()).release();
            return null;
        } catch (IllegalStateException e) {
            return e;
        }
    }

    SharedDevice device() {
        return device;
    }

    EventChannel events() {
        return events.channel();
    }

    Slab slab() {
        return slab;
    }

    LinkTable links() {
        return links;
    }

    /** Returns the queues of connections, made on first use: a loop with listeners only does not need them. */
    LoopQueues queues() {
        if (queues == null) {
            queues = new LoopQueues(device, sleep.channel(), slab, links);
        }
        return queues;
    }

    void execute(Runnable task) {
        executor.execute(task);
    }

    void touched(Link link) {
        touched.addLast(link);
    }

    /** Registers a connection that waits for memory which others will return. */
    void starved(Link link) {
        starved.add(link);
    }

    /** Registers a connection that has a deadline. */
    void await(Link link) {
        deadlines.add(link);
    }

    @Override
    public int run(IoHandlerContext context) {
        try {
            return runOnce(context);
        } catch (VerbsException e) { // the loop's other work goes on
            LOGGER.warn("an event loop's device failed", e);
            LockSupport.parkNanos(FAILED_NANOS);
            return 0;
        }
    }

    private int runOnce(IoHandlerContext context) {
        int done = work();
        if (done == 0 && touched.isEmpty() && context.canBlock()) {
            done = spin(context);
            if (done == 0 && touched.isEmpty() && context.canBlock()) {
                done = sleep(context);
            }
        }
        return done;
    }

    /** {@return how much work was done} */
    private int work() {
        int done = queues == null ? 0 : queues.poll();
        done += events.handle(this);
        for (int n = touched.size(); n > 0; n--) { // links touched in the meantime follow next time
            touched.pollFirst().process();
            done++;
        }
        if (!starved.isEmpty() && slab.hasFree()) {
            starved.forEach(Link::touch);
            starved.clear();
        }
        deadlines.look();
        return done;
    }

    void pollAll() {
        while (queues != null && queues.poll() > 0) {
            // the next batch
        }
    }

    /** Takes events to be handled later. */
    void collectEvents() {
        events.collect(this);
    }

    private int spin(IoHandlerContext context) {
        if (spinNanos == 0) {
            return 0;
        }
        long begin = System.nanoTime();
        int looks = 0;
        while (true) {
            int done = work();
            if (done != 0 || !context.canBlock()) {
                return done;
            }
            Thread.onSpinWait();
            if (++looks % LOOKS_PER_CLOCK == 0 && System.nanoTime() - begin > spinNanos) {
                return 0;
            }
        }
    }

    private int sleep(IoHandlerContext context) {
        sleep.begin();
        try {
            if (queues != null) {
                queues.arm();
            }
            int done = work(); // whatever came before that does not wake the loop
            if (done != 0 || !touched.isEmpty() || !events.isEmpty() || !context.canBlock()) {
                return done;
            }
            long nanos = context.deadlineNanos() == -1 ? Long.MAX_VALUE : context.delayNanos(System.nanoTime());
            if (!deadlines.isEmpty()) {
                nanos = Math.min(nanos, LinkDeadlines.LOOK_NANOS);
            }
            if (!starved.isEmpty()) {
                nanos = Math.min(nanos, LAST_LOOK_NANOS); // other threads return memory without notice
            }
            if (nanos > 0) {
                sleep.await(nanos);
            }
        } finally {
            sleep.end();
        }
        return work();
    }

    @Override
    public void wakeup() {
        sleep.wakeup();
    }

    @Override
    public IoRegistration register(IoHandle handle) {
        return new VerbsRegistration(this, handles, (VerbsHandle) handle);
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return VerbsHandle.class.isAssignableFrom(handleType);
    }

    @Override
    public void prepareToDestroy() {
        List.copyOf(handles).forEach(VerbsHandle::close);
    }

    @Override
    public void destroy() {
        // channels that came after the others were closed; their pipelines cannot run any more
        links.all().forEach(link -> link.close(LAST_NANOS));
        long end = System.nanoTime() + LAST_NANOS;
        while (links.size() > 0 && System.nanoTime() - end < 0) {
            if (work() == 0) {
                queues.arm();
                if (work() == 0) {
                    sleep.await(LAST_LOOK_NANOS);
                }
            }
        }
        try {
            links.all().forEach(Link::finish);
            events.close();
            if (queues != null) {
                queues.close();
            }
            sleep.close();
        } finally {
            slab.close();
            device.release();
        }
    }
}

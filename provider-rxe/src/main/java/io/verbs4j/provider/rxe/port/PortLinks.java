/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.base.Mishaps;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.LinkCounters;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.packet.Dispatcher;
import io.verbs4j.provider.rxe.packet.PacketPaths;
import io.verbs4j.provider.rxe.queue.EventQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The open links of a port, and the threads that receive from them. A thread that polls a completion queue processes
 * packets itself; a thread waits for packets only while none polls. That is a thread of the program that sleeps until
 * something completes, or otherwise a thread of the link's own. Waking two threads for each packet would cost more than
 * the packet.
 */
final class PortLinks {
    /** How long after a poll a program is considered to be polling. */
    private static final long POLLING = 1_000_000;

    private static final int BURST = 64;

    /** More bursts than a socket's receive buffer can hold packets. */
    private static final int FULL = 256;

    private static final int BUSY = -1;

    /** Maximum number of bursts in a row for a caller that does not keep polling. */
    private static final int BURSTS = 16;

    /** How long the receiving thread leaves a link alone while another thread receives from it. */
    private static final long BUSY_WAIT = 100_000;

    /** How long the receiving thread leaves a link alone at most while the program keeps polling. */
    private static final long LONGEST_POLLED = 4_000_000;

    static final long LONGEST_WAIT = 50_000_000;

    /** How long after its last packet a link is considered in use. */
    private static final long IN_USE = 20_000_000;

    /** A link, with the thread of its own that receives from it. */
    final class Receiver implements Loop.Body {
        final Link link;
        final Dispatcher dispatcher;
        final AtomicBoolean busy = new AtomicBoolean();

        /** The thread that waits for packets: the link's own, one of the program's, or null. */
        final AtomicReference<Thread> waiter = new AtomicReference<>();

        /** Whether a thread of the program wanted to wait here, but another thread was waiting. */
        volatile boolean asked;

        /** How often threads of the program have waited here. */
        private final AtomicInteger posts = new AtomicInteger();

        /** Whether the link's own thread naps long, because a thread of the program waits. */
        private volatile boolean naps;

        /** The naps of the link's own thread while a thread of the program waits. */
        private final GrowingNap manned = new GrowingNap(POLLING, LONGEST_WAIT);

        /** The naps of the link's own thread while the program polls. */
        private final GrowingNap polled = new GrowingNap(POLLING, LONGEST_POLLED);

        /** The post where a thread of the program waits; null until one has. */
        private volatile EventQueue.Post post;

        /** When the last packet was received, by the device's clock. */
        private volatile long lastPacket;

        /** Whether the receiving thread waits for packets and therefore does not check on what is held back. */
        volatile boolean waits;

        private final PollWatch polls = new PollWatch(PortLinks.this.polls, POLLING);

        final Loop loop;

        /** Everything that had arrived by this time has been processed. Written by the thread that is busy. */
        final AtomicLong seen;

        /**
         * Number of bursts since the queue was last found empty, and when they began; owned by the thread that is busy.
         */
        private int bursts;

        private long since;

        Receiver(Link link, Dispatcher dispatcher, long now, String name) {
            this.seen = new AtomicLong(now);
            this.lastPacket = now;
            this.link = link;
            this.dispatcher = dispatcher;
            this.loop = new Loop(name, this);
        }

        @Override
        public void pass() {
            receive(this);
        }

        @Override
        public void died() {
            port.failPacketPaths();
        }

        boolean isInUse(long now) {
            return now - lastPacket < IN_USE;
        }

        /** {@return whether a thread of the program waits here} */
        boolean isManned() {
            Thread one = waiter.get();
            return one != null && !loop.is(one);
        }

        /** Lets the calling thread of the program wait here, or notes that it wanted to and returns false. */
        boolean man() {
            if (!waiter.compareAndSet(null, Thread.currentThread())) {
                asked = true;
                return false;
            }
            posts.incrementAndGet();
            return true;
        }

        /** Ends the calling thread's waiting here. */
        void leave() {
            if (waiter.compareAndSet(Thread.currentThread(), null) && (naps || sleepers.get() > 0)) {
                loop.wake();
            }
        }

        // ---- for the link's own thread

        /** Naps while a thread of the program waits for packets; longer naps as long as it is the same wait. */
        void nap() {
            long nap = manned.next(posts.get());
            naps = nap > POLLING; // before checking; leave() uses the reverse order
            try {
                if (isManned()) {
                    LockSupport.parkNanos(this, nap);
                }
            } finally {
                naps = false;
            }
        }

        /** Records a processed burst that began at some time. A queue that never gets empty still makes progress. */
        void taken(long began) {
            if (link.isDrained()) {
                bursts = 0;
                seen.lazySet(began);
            } else if (bursts++ == 0) {
                since = began;
            } else if (bursts > FULL) {
                bursts = 0;
                seen.lazySet(since);
            }
        }
    }

    private final Port port;
    private final DeviceClock clock;
    private final PacketPaths packetPaths;
    private final Mishaps mishaps = new Mishaps("packets could not be received");
    private final AtomicInteger sleepers = new AtomicInteger();

    /**
     * Number of queue pairs for which latency matters more than processor time; while there are any, no receiving
     * thread sleeps.
     */
    private final AtomicInteger urgent = new AtomicInteger();

    private final Map<String, Long> closed = new LinkedHashMap<>();
    private volatile Receiver[] receivers = {};

    /** Null while no link is open. */
    private WatchedCounters watched;

    /**
     * Acknowledges what a program has received if the JVM ends before the device is closed; null until something is
     * held back.
     */
    private volatile Thread atExit;

    private final FruitlessPolls fruitless = new FruitlessPolls();

    /** Changes with each poll. */
    private final AtomicLong polls = new AtomicLong();

    /** Creates it without links. */
    PortLinks(Port port, DeviceClock clock, PacketPaths packetPaths) {
        this.port = port;
        this.clock = clock;
        this.packetPaths = packetPaths;
    }

    synchronized Link open(Gid local) {
        for (Receiver r : receivers) {
            if (r.link.localGid().equals(local)) {
                return r.link;
            }
        }
        Receiver[] before = receivers;
        Link link = Links.open(local.toInetAddress(), port.config().linkOptions());
        try {
            String thread = port.name() + "-receiver-" + link.localGid();
            Receiver self = new Receiver(link, packetPaths.newDispatcher(), clock.lately(), thread);
            Receiver[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = self;
            receivers = more;
            self.loop.start();
            if (watched == null) {
                watched = WatchedCounters.of(port.name(), port::counters);
            }
        } catch (OutOfMemoryError e) {
            receivers = before; // no memory or no thread: undone completely
            link.close();
            throw e;
        }
        return link;
    }

    synchronized void close() {
        Receiver[] old = receivers;
        receivers = new Receiver[0];
        if (watched != null) {
            watched.close();
            watched = null;
        }
        for (Receiver r : old) {
            r.link.close();
            count(r, closed);
            r.loop.stop();
        }
        if (atExit != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException e) {
                // the JVM is shutting down
            }
            atExit = null;
        }
    }

    private synchronized void acknowledgeAtExit() {
        if (atExit == null && receivers.length > 0) {
            atExit = new Thread(this::receive, port.name() + "-exit");
            try {
                Runtime.getRuntime().addShutdownHook(atExit);
            } catch (IllegalStateException e) {
                // the JVM is shutting down
            }
        }
    }

    private static void count(Receiver r, Map<String, Long> into) {
        r.link.counters().snapshot().forEach((counter, value) -> into.merge(counter, value, Long::sum));
    }

    /** Returns the counters of all links, open and closed, by name. Before the first link, all are 0. */
    synchronized Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>(closed);
        for (Receiver r : receivers) {
            count(r, all);
        }
        return all.isEmpty() ? LinkCounters.none() : all;
    }

    List<Link> all() {
        List<Link> links = new ArrayList<>();
        for (Receiver r : receivers) {
            links.add(r.link);
        }
        return links;
    }

    /** Processes what has arrived, unless another thread is doing so. */
    void poll() {
        Receiver[] all = receivers;
        if (all.length == 0) {
            return;
        }
        PollWatch.count(polls);
        int packets = 0;
        for (Receiver r : all) {
            if (all.length == 1 || !r.waits || r.isInUse(clock.lately())) { // otherwise its own thread takes care of it
                packets += Math.max(receiveNow(r, true), 0);
            }
        }
        if (packets > 0) {
            fruitless.end();
        } else if (fruitless.add()) {
            fruitless.letOthersRun();
        }
    }

    /**
     * Processes everything that has arrived, except on links where another thread is doing so.
     *
     * @return a time; everything that had arrived by then on any link has been processed
     */
    long receive() {
        long now = clock.lately();
        long seen = now;
        for (Receiver r : receivers) {
            int left = BURSTS;
            while (left > 0 && receiveNow(r, false) != BUSY && r.seen.get() - now < 0) {
                left--;
            }
            seen = Math.min(seen, r.seen.get());
        }
        return seen;
    }

    void sleeperBegins() {
        if (sleepers.getAndIncrement() == 0) {
            for (Receiver r : receivers) {
                if (!r.isManned()) {
                    r.loop.wake();
                }
            }
        }
    }

    void sleeperEnds() {
        sleepers.decrementAndGet();
    }

    /** Returns the post of the link that was used last, for the calling thread to wait at; null if it can't. */
    EventQueue.Post post() {
        if (urgent.get() > 0 || VirtualThreads.isCurrentVirtual()) {
            return null;
        }
        Receiver best = null;
        for (Receiver r : receivers) {
            if (best == null || r.lastPacket - best.lastPacket > 0) {
                best = r;
            }
        }
        if (best == null || !best.link.isForAnyThread() || !best.man()) {
            return null;
        }
        EventQueue.Post post = best.post;
        if (post == null) {
            post = LinkPost.of(this, best); // its class is loaded only when needed
            best.post = post;
        }
        return post;
    }

    /** Returns whether a thread of the program may continue to wait at a link. */
    boolean mayWait(Receiver r) {
        return urgent.get() == 0 && isOpen(r);
    }

    /** Processes the packets that a thread of the program has waited for. */
    void take(Receiver r) {
        if (receiveNow(r, false) == BUSY) {
            LockSupport.parkNanos(this, BUSY_WAIT);
        }
    }

    void survive(Throwable failure) {
        mishaps.survive(failure);
    }

    private boolean isOpen(Receiver r) {
        for (Receiver one : receivers) {
            if (one == r) {
                return true;
            }
        }
        return false;
    }

    void urgentBegins() {
        if (urgent.getAndIncrement() == 0) {
            for (Receiver r : receivers) {
                r.loop.wake();
                r.link.wakeup();
            }
        }
    }

    void urgentEnds() {
        urgent.decrementAndGet();
    }

    /**
     * Processes at most {@link #BURST} arrived packets, on behalf of a polling program or not. Returns how many, or
     * {@link #BUSY}.
     */
    private int receiveNow(Receiver r, boolean polled) {
        if (r.busy.get() || !r.busy.compareAndSet(false, true)) {
            return BUSY;
        }
        try {
            long began = clock.lately();
            int packets;
            r.dispatcher.burstBegins();
            try {
                packets = r.link.poll(r.dispatcher, BURST);
            } finally {
                r.dispatcher.burstEnded(polled && !r.waits);
            }
            if (r.dispatcher.awaitsAnswers()) {
                if (r.waits) {
                    r.dispatcher.burstBegins(); // it may have looked before something was held back
                } else if (atExit == null) {
                    acknowledgeAtExit();
                }
            }
            r.taken(began);
            if (packets > 0) {
                r.lastPacket = began;
            }
            return packets;
        } catch (Throwable e) {
            mishaps.survive(e); // whatever was not processed comes again, and a poll must not throw this
            return 0;
        } finally {
            r.busy.lazySet(false);
        }
    }

    /** A pass of the link's own thread. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing to wait on: the packet is the peer's to send
    private void receive(Receiver r) {
        r.link.maintain();
        if (urgent.get() > 0) {
            if (receiveNow(r, false) <= 0) {
                Thread.yield();
            }
            return;
        }
        if (isPolled(r)) {
            LockSupport.parkNanos(this, r.polled.next());
            return;
        }
        r.polled.restart();
        if (gives(r)) {
            LockSupport.parkNanos(this, POLLING);
        } else if (!r.waiter.compareAndSet(null, Thread.currentThread())) {
            r.nap();
        } else {
            boolean some;
            try {
                some = awaitsPackets(r, LONGEST_WAIT);
            } finally {
                r.waiter.set(null);
            }
            if (some && receiveNow(r, false) == BUSY) {
                LockSupport.parkNanos(this, BUSY_WAIT); // the packets are for the other thread, which needs a processor
            }
        }
    }

    private boolean isPolled(Receiver r) {
        boolean polled = r.polls.isPolled(System.nanoTime());
        return polled && sleepers.get() == 0 && (receivers.length == 1 || r.isInUse(clock.lately()));
    }

    /**
     * Returns whether to leave the link to a thread of the program, which has asked for it and is about to sleep again.
     */
    private boolean gives(Receiver r) {
        if (!r.asked) {
            return false;
        }
        r.asked = false;
        return sleepers.get() <= 1;
    }

    /**
     * Waits for packets, unless an acknowledgement waits for an answer that the program should have sent by now;
     * returns whether to receive.
     */
    boolean awaitsPackets(Receiver r, long nanos) {
        r.waits = true; // before checking; receiveNow() uses the reverse order
        try {
            return r.dispatcher.awaitsAnswers() || r.link.await(nanos);
        } finally {
            r.waits = false;
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.packet.Dispatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The open links of a port, and who receives from them: a thread that polls a completion queue takes packets in itself;
 * only while none does, a thread of each link's own waits for packets. Two waking up for each packet would cost more than
 * the packet.
 */
final class PortLinks {
    /** How long after a poll a program is taken to go on polling. */
    private static final long POLLING = 1_000_000;

    private static final int BURST = 64;

    /** Polls that find nothing before a polling thread lets others run. */
    private static final int PATIENCE = 2;

    private static final long LONGEST_WAIT = 50_000_000;

    private static final class Receiver {
        final Link link;
        final Dispatcher dispatcher;
        final AtomicBoolean busy = new AtomicBoolean();
        final Loop loop;

        Receiver(Link link, Dispatcher dispatcher, String name, Consumer<Receiver> pass, Runnable died) {
            this.link = link;
            this.dispatcher = dispatcher;
            this.loop = new Loop(name, () -> pass.accept(this), died);
        }
    }

    private final String name;
    private final RxeConfig config;
    private final Supplier<Dispatcher> dispatchers;
    private final Runnable died;
    private final Mishaps mishaps = new Mishaps("packets could not be received");
    private final AtomicInteger sleepers = new AtomicInteger();
    private final Map<String, Long> closed = new LinkedHashMap<>();
    private volatile Receiver[] receivers = {};

    /** Polls in a row that found nothing. Not exact where several threads poll. */
    private int fruitless;

    private volatile long lastPoll = System.nanoTime() - 2 * POLLING;

    /** Makes it, without links; {@code died} is called where a thread that receives has died. */
    PortLinks(String name, RxeConfig config, Supplier<Dispatcher> dispatchers, Runnable died) {
        this.name = name;
        this.config = config;
        this.dispatchers = dispatchers;
        this.died = died;
    }

    synchronized Link open(Gid local) {
        for (Receiver r : receivers) {
            if (r.link.localGid().equals(local)) {
                return r.link;
            }
        }
        Receiver[] before = receivers;
        Link link = Links.open(local.toInetAddress(), config.linkOptions());
        try {
            String thread = name + "-receiver-" + link.localGid();
            Receiver self = new Receiver(link, dispatchers.get(), thread, this::receive, died);
            Receiver[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = self;
            receivers = more;
            self.loop.start();
        } catch (OutOfMemoryError e) {
            receivers = before; // no memory, or no thread: as if it had not been tried
            link.close();
            throw e;
        }
        return link;
    }

    synchronized void close() {
        Receiver[] old = receivers;
        receivers = new Receiver[0];
        for (Receiver r : old) {
            r.link.close();
            count(r, closed);
            r.loop.stop();
        }
    }

    private static void count(Receiver r, Map<String, Long> into) {
        r.link.counters().snapshot().forEach((counter, value) -> into.merge(counter, value, Long::sum));
    }

    /** What all links have counted, by name: those that are open and those that were. */
    synchronized Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>(closed);
        for (Receiver r : receivers) {
            count(r, all);
        }
        return all;
    }

    List<Link> all() {
        List<Link> links = new ArrayList<>();
        for (Receiver r : receivers) {
            links.add(r.link);
        }
        return links;
    }

    /** Takes in what has arrived, unless another thread does so now. */
    @SuppressWarnings("ThreadPriorityCheck") // no condition to wait for: the packet is the peer's to send
    void poll() {
        Receiver[] all = receivers;
        if (all.length == 0) {
            return;
        }
        lastPoll = System.nanoTime();
        int packets = 0;
        for (Receiver r : all) {
            packets += receiveNow(r);
        }
        if (packets > 0) {
            fruitless = 0;
        } else if (++fruitless >= PATIENCE) {
            // On a machine with more to do than processors, who spins keeps the peer from answering.
            Thread.yield();
        }
    }

    /** As {@link #poll}, for a thread that does not go on doing so. */
    void receive() {
        for (Receiver r : receivers) {
            receiveNow(r);
        }
    }

    void sleeperBegins() {
        if (sleepers.getAndIncrement() == 0) {
            for (Receiver r : receivers) {
                r.loop.wake();
            }
        }
    }

    void sleeperEnds() {
        sleepers.decrementAndGet();
    }

    private int receiveNow(Receiver r) {
        if (r.busy.get() || !r.busy.compareAndSet(false, true)) {
            return 0;
        }
        try {
            try {
                return r.link.poll(r.dispatcher, BURST);
            } finally {
                r.dispatcher.burstEnded();
            }
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            mishaps.note(e); // what was not taken in comes again, and whoever polls is not to be told
            return 0;
        } finally {
            r.busy.set(false);
        }
    }

    /** A pass of the thread that receives. */
    private void receive(Receiver r) {
        boolean polled = sleepers.get() == 0 && System.nanoTime() - lastPoll < POLLING;
        if (polled) {
            LockSupport.parkNanos(this, POLLING);
        } else if (r.link.await(LONGEST_WAIT)) {
            receiveNow(r);
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.clock.SystemClock;
import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.provider.rxe.clock.WallClock;
import io.verbs4j.provider.rxe.link.EventFd;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.local.LocalPath;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.memory.RxeDm;
import io.verbs4j.provider.rxe.packet.ManagementPackets;
import io.verbs4j.provider.rxe.packet.PacketHost;
import io.verbs4j.provider.rxe.packet.PacketPaths;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.qp.QpHost;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.queue.CqHost;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.RxeCq;
import io.verbs4j.provider.rxe.random.KernelRandom;
import io.verbs4j.provider.rxe.share.SystemUse;
import io.verbs4j.provider.rxe.xrc.XrcDomains;
import io.verbs4j.rxedv.RxeDv;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The port of an embedded device: its addresses, its queue pairs and its threads. All open contexts of the device share
 * it.
 */
// More than 30 public methods because it implements what queue pairs, completion queues, packets, events and XRC
// domains each need of the port.
public final class Port implements QpHost, CqHost, PacketHost, EventQueue.Waiters, XrcDomains.Host, RxeDv {
    /** Largest path MTU of any link, in bytes. */
    public static final int MTU = 4096;

    /** Finds a queue pair of this JVM, which may not exist yet. */
    private record LocalPeer(Port port, int qpNum) implements Supplier<RxeQp> {
        @Override
        public RxeQp get() {
            return port.find(qpNum);
        }
    }

    private static final int FIRST_QPN = 16; // lower numbers are special
    private static final int QPN_SPAN = (1 << 24) - 1 - FIRST_QPN;

    private final String name;
    private final RxeConfig config;
    private final CounterReport report;
    private final List<Gid> gids;
    private final List<Gid> localGids;
    private final MemoryKeys keys = new MemoryKeys();
    private final RxeDm.Pool deviceMemory = new RxeDm.Pool();
    private final AtomicInteger completionCounters = new AtomicInteger();
    private final IntTable<RxeQp> qps = new IntTable<>();
    private final Random random = new KernelRandom();
    private final MulticastGroups groups = new MulticastGroups(this);
    private final XrcDomains xrcDomains;
    private final PacketPaths packetPaths = new PacketPaths(this);
    private Executor helpers; // created when first requested: most programs never do
    private final LongSupplier nanos;
    private final DeviceClock clock;
    private final TickClock tickClock;
    private final WallClock wallClock;
    private volatile PortWorker worker;
    private final PortLinks links;
    private final int[] pathMtus;
    private volatile ManagementPackets management;
    private final Dependents dependents = new Dependents();
    private Object service;
    private int users;

    /** Creates a port with addresses, without opening anything. */
    public Port(String name, RxeConfig config, List<Gid> gids) {
        this(name, config, gids, new SystemClock());
    }

    /** Creates a port whose timers use a clock of nanoseconds. */
    public Port(String name, RxeConfig config, List<Gid> gids, LongSupplier nanos) {
        this.name = name;
        this.config = config;
        this.report = CounterReport.to(config.counters());
        this.gids = List.copyOf(gids);
        this.localGids = config.loopback() ? this.gids : List.of();
        this.xrcDomains = new XrcDomains(keys, name, this);
        this.pathMtus = new int[gids.size()];
        this.nanos = nanos;
        this.clock = new DeviceClock(nanos);
        this.tickClock = new TickClock(config.clock(), nanos);
        this.wallClock = new WallClock(nanos);
        this.links = new PortLinks(this, clock, packetPaths);
        this.worker = newWorker();
    }

    /** Starts a context's use of the port. */
    @Override
    public synchronized void acquire() {
        if (users++ == 0) {
            report.opened(name, this);
            // A new worker, because the thread of the previous one may still be in the middle of something.
            PortWorker begins = newWorker();
            worker = begins;
            begins.start();
        }
    }

    /** {@return the worker whose thread has served the port since it was last opened} */
    PortWorker worker() {
        return worker;
    }

    private PortWorker newWorker() {
        return new PortWorker(name, qps, clock, links);
    }

    /** Ends a context's use of the port. */
    @Override
    public synchronized void release() {
        if (--users == 0) {
            links.close();
            worker.stop();
            Arrays.fill(pathMtus, 0);
            report.closed(name);
        }
    }

    /** {@return the name of the device} */
    public String name() {
        return name;
    }

    @Override
    public ManagementPackets management() {
        return management;
    }

    /** Sets {@link #management()}. */
    public void management(ManagementPackets value) {
        management = value;
    }

    /**
     * Returns the single object that serves all contexts of the device, and creates it when first requested. Untyped,
     * because its class may be absent.
     */
    public synchronized Object service(Supplier<Object> make) {
        if (service == null) {
            service = make.get();
        }
        return service;
    }

    /** {@return the objects that keep contexts of the device from being closed} */
    public Dependents dependents() {
        return dependents;
    }

    /** {@return the GID table; index 0 works between all processes of this machine} */
    @Override
    public List<Gid> gids() {
        return gids;
    }

    @Override
    public List<Gid> localGids() {
        return localGids;
    }

    /** Returns the GID at an index. */
    public Gid gid(int index) {
        if (index < 0 || index >= gids.size()) {
            throw new VerbsException(
                    Errno.EINVAL, "query_gid", "the port has GID indexes 0 to " + (gids.size() - 1) + ", not " + index);
        }
        return gids.get(index);
    }

    /**
     * Returns the largest packet payload that the interface of a GID supports. The system is asked once; the value is
     * kept until the last context is closed.
     */
    public synchronized int pathMtu(int index) {
        if (pathMtus[index] == 0) {
            try {
                pathMtus[index] = Links.pathMtu(gids.get(index).toInetAddress());
            } catch (VerbsException e) {
                return MTU; // no such address; opening a link there reports that
            }
        }
        return pathMtus[index];
    }

    /**
     * Returns the index of a GID's network interface, as in {@code if_nametoindex}; 0 if no interface has the GID any
     * more.
     */
    public int interfaceIndex(int index) {
        try {
            return Links.interfaceIndex(gid(index).toInetAddress());
        } catch (VerbsException e) {
            return 0;
        }
    }

    /** {@return the clock of time stamps} */
    public TickClock tickClock() {
        return tickClock;
    }

    /** {@return the wall clock} */
    public WallClock wallClock() {
        return wallClock;
    }

    /** {@return the configuration of the device} */
    public RxeConfig config() {
        return config;
    }

    /** Chooses an unused queue pair number. {@link #add} makes the queue pair visible under it. */
    public int newQpNum() {
        int number;
        do {
            number = FIRST_QPN + random.nextInt(QPN_SPAN);
        } while (qps.get(number) != null);
        return number;
    }

    /** Makes a queue pair visible; returns false if its number has been taken meanwhile. */
    public boolean add(RxeQp qp) {
        return qps.putIfAbsent(qp.qpNum(), qp);
    }

    /** Removes a queue pair. */
    public void remove(RxeQp qp) {
        qps.remove(qp.qpNum());
    }

    @Override
    public IntTable<RxeQp> queuePairs() {
        return qps;
    }

    /** Returns the queue pair with this number, or null. */
    public RxeQp find(int qpNum) {
        return qps.get(qpNum);
    }

    /** {@return the number of queue pairs} */
    public int queuePairCount() {
        return qps.size();
    }

    /**
     * Returns this port if it has the address and messages may reach it without packets, otherwise null. Two devices of
     * one JVM exchange packets, like two adapters of one machine.
     */
    public Port localPort(Gid gid) {
        return localGids.contains(gid) ? this : null;
    }

    /** {@return the pool of device memory} */
    public RxeDm.Pool deviceMemory() {
        return deviceMemory;
    }

    /** {@return the number of completion counters of all contexts} */
    public AtomicInteger completionCounters() {
        return completionCounters;
    }

    @Override
    public RxeQp[] attached(Gid group) {
        return groups.attached(group);
    }

    /** {@return the multicast groups} */
    public MulticastGroups groups() {
        return groups;
    }

    /** {@return the XRC domains} */
    public XrcDomains xrcDomains() {
        return xrcDomains;
    }

    @Override
    public Link link(Gid local) {
        return links.open(local);
    }

    /** Creates a descriptor for event loops; returns null if it can't. */
    public EventFd newEventFd() {
        return Links.newEventFd(config.linkOptions());
    }

    /** Returns the system calls by which processes share objects, see {@link Links#systemUse}. */
    public SystemUse systemUse(String verb) {
        return Links.systemUse(config.linkOptions(), verb);
    }

    /** {@return the counters of the transport} */
    public TransportCounters transportCounters() {
        return packetPaths.counters();
    }

    /** Asks the system each time, without opening anything. */
    @Override
    public String oneCopyProblem() {
        String problem = Links.oneCopyProblem(config.linkOptions());
        return problem == null ? "" : problem;
    }

    @Override
    public String reach() {
        String reach = Links.reach();
        return reach == null ? "" : reach;
    }

    /** {@return all counters since the device was first opened, by name} */
    @Override
    public Map<String, Long> counters() {
        Map<String, Long> all = links.counters();
        transportCounters().snapshot().forEach((n, value) -> all.merge(n, value, Long::sum));
        all.putAll(keys.pages().snapshot());
        return all;
    }

    /** {@return all open links} */
    public List<Link> openLinks() {
        return links.all();
    }

    // ---- for queue pairs

    @Override
    public MemoryKeys keys() {
        return keys;
    }

    @Override
    public long now() {
        return clock.now();
    }

    @Override
    public long soon() {
        return clock.soon();
    }

    @Override
    public long nanos() {
        return nanos.getAsLong();
    }

    @Override
    public void kick(RxeQp qp) {
        worker.kick(qp);
    }

    @Override
    public void deadlineSet(long time) {
        worker.deadlineSet(time);
    }

    @Override
    public void watch(RxeCq cq, boolean on) {
        worker.watch(cq, on);
    }

    @Override
    public SendPath newPath(RxeQp qp) {
        if (qp.qpType() == QpType.UD) {
            return packetPaths.datagrams(qp);
        }
        Gid remote = qp.settings().remoteGid();
        Port there = localPort(remote);
        if (there != null) {
            return new LocalPath(qp, new LocalPeer(there, qp.settings().destQpn()));
        }
        return packetPaths.connected(qp, link(gid(qp.settings().sourceGidIndex())));
    }

    @Override
    public synchronized Executor helpers() {
        if (helpers == null) {
            helpers = Helpers.of(name + "-flush");
        }
        return helpers;
    }

    @Override
    public void communicating(int qpNum) {
        ManagementPackets now = management;
        if (now != null) {
            now.communicating(qpNum);
        }
    }

    /** Fails the queue pairs that wait for packets, because no thread receives any. */
    void failPacketPaths() {
        qps.forEach(qp -> {
            if (packetPaths.isOne(qp.path())) {
                qp.fail();
            }
        });
    }

    // ---- moving packets

    @Override
    public void poll() {
        links.poll();
        packetPaths.flushHeld();
    }

    /** Notes a new queue pair for which latency matters more than processor time. */
    public void urgentBegins() {
        links.urgentBegins();
    }

    /** Notes that such a queue pair is gone. */
    public void urgentEnds() {
        links.urgentEnds();
    }

    @Override
    public void begin() {
        links.sleeperBegins();
    }

    @Override
    public void end() {
        links.sleeperEnds();
    }

    @Override
    public EventQueue.Post post() {
        return links.post();
    }
}

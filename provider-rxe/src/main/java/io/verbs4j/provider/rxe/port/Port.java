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
import io.verbs4j.provider.rxe.memory.RxeDeviceMemory;
import io.verbs4j.provider.rxe.packet.ManagementPackets;
import io.verbs4j.provider.rxe.packet.PacketHost;
import io.verbs4j.provider.rxe.packet.PacketPaths;
import io.verbs4j.provider.rxe.packet.TransportCounters;
import io.verbs4j.provider.rxe.qp.QpHost;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.provider.rxe.queue.CqHost;
import io.verbs4j.provider.rxe.queue.EventQueue;
import io.verbs4j.provider.rxe.queue.RxeCompletionQueue;
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
 * The port of an embedded device: its addresses, its queue pairs, its threads.All open contexts of the device share it.
 */
public final class Port implements QpHost, CqHost, PacketHost, EventQueue.Waiters, XrcDomains.Host, RxeDv {
    /** Largest path MTU of any link, in bytes. */
    public static final int MTU = 4096;

    /** Finds a queue pair of this JVM, which may not be there yet. */
    private record LocalPeer(Port port, int qpNum) implements Supplier<RxeQueuePair> {
        @Override
        public RxeQueuePair get() {
            return port.find(qpNum);
        }
    }

    private static final int FIRST_QPN = 16; // below are the special ones
    private static final int QPN_SPAN = (1 << 24) - 1 - FIRST_QPN;

    private final String name;
    private final RxeConfig config;
    private final CounterReport report;
    private final List<Gid> gids;
    private final List<Gid> localGids;
    private final MemoryKeys keys = new MemoryKeys();
    private final RxeDeviceMemory.Pool deviceMemory = new RxeDeviceMemory.Pool();
    private final AtomicInteger completionCounters = new AtomicInteger();
    private final IntTable<RxeQueuePair> qps = new IntTable<>();
    private final Random random = new KernelRandom();
    private final MulticastGroups groups = new MulticastGroups(this);
    private final XrcDomains xrcDomains;
    private final PacketPaths packetPaths = new PacketPaths(this);
    private Executor helpers; // made when it is first asked for: most programs never do
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

    /** Makes a port with addresses; nothing is opened yet. */
    public Port(String name, RxeConfig config, List<Gid> gids) {
        this(name, config, gids, new SystemClock());
    }

    /** Makes a port whose timers go by a clock of nanoseconds. */
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

    /** A context begins to use the port. */
    @Override
    public synchronized void acquire() {
        if (users++ == 0) {
            report.opened(name, this);
            // Not the one of before: its thread may be in the midst of something still.
            PortWorker begins = newWorker();
            worker = begins;
            begins.start();
        }
    }

    /** Whose thread serves the port since it was opened the last time. */
    PortWorker worker() {
        return worker;
    }

    private PortWorker newWorker() {
        return new PortWorker(name, qps, clock, links);
    }

    /** A context has ended to use the port. */
    @Override
    public synchronized void release() {
        if (--users == 0) {
            links.close();
            worker.stop();
            Arrays.fill(pathMtus, 0);
            report.closed(name);
        }
    }

    /** The name of its device. */
    public String name() {
        return name;
    }

    @Override
    public ManagementPackets management() {
        return management;
    }

    /** Changes {@link #management()}. */
    public void management(ManagementPackets value) {
        management = value;
    }

    /** The one object that serves all contexts of the device, made when it is first asked for; of a type that need not be there. */
    public synchronized Object service(Supplier<Object> make) {
        if (service == null) {
            service = make.get();
        }
        return service;
    }

    /** What keeps contexts of the device from being closed. */
    public Dependents dependents() {
        return dependents;
    }

    /** The GID table; index 0 works between all processes of this machine. */
    @Override
    public List<Gid> gids() {
        return gids;
    }

    @Override
    public List<Gid> localGids() {
        return localGids;
    }

    /** The GID of an index. */
    public Gid gid(int index) {
        if (index < 0 || index >= gids.size()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "query_gid",
                    "the port has the GID indexes 0 to " + (gids.size() - 1) + ", not " + index);
        }
        return gids.get(index);
    }

    /**
     * The largest payload of a packet that the interface of a GID carries. Asked of the system until the last context is
     * closed, not at each call.
     */
    public synchronized int pathMtu(int index) {
        if (pathMtus[index] == 0) {
            try {
                pathMtus[index] = Links.pathMtu(gids.get(index).toInetAddress());
            } catch (VerbsException e) {
                return MTU; // no such address: whoever opens a link there is told
            }
        }
        return pathMtus[index];
    }

    /** Index of the network interface of a GID, as in {@code if_nametoindex}; 0 where no interface has it any more. */
    public int interfaceIndex(int index) {
        try {
            return Links.interfaceIndex(gid(index).toInetAddress());
        } catch (VerbsException e) {
            return 0;
        }
    }

    /** The clock of time stamps. */
    public TickClock tickClock() {
        return tickClock;
    }

    /** The time of day. */
    public WallClock wallClock() {
        return wallClock;
    }

    /** How the device was set up. */
    public RxeConfig config() {
        return config;
    }

    /** Chooses a number for a queue pair; it is found by it from {@link #add} on. */
    public int newQpNum() {
        int number;
        do {
            number = FIRST_QPN + random.nextInt(QPN_SPAN);
        } while (qps.get(number) != null);
        return number;
    }

    /** Makes a queue pair known; false where the number was taken meanwhile. */
    public boolean add(RxeQueuePair qp) {
        return qps.putIfAbsent(qp.qpNum(), qp);
    }

    /** Forgets a queue pair. */
    public void remove(RxeQueuePair qp) {
        qps.remove(qp.qpNum());
    }

    @Override
    public IntTable<RxeQueuePair> queuePairs() {
        return qps;
    }

    /** The queue pair of a number, or null. */
    public RxeQueuePair find(int qpNum) {
        return qps.get(qpNum);
    }

    /** How many queue pairs there are. */
    public int queuePairCount() {
        return qps.size();
    }

    /**
     * This port, where it has an address and messages may go to it without packets; else null. Between two devices of
     * one JVM there are packets, as between two adapters of one machine.
     */
    public Port localPort(Gid gid) {
        return localGids.contains(gid) ? this : null;
    }

    /** The memory that the device has of its own. */
    public RxeDeviceMemory.Pool deviceMemory() {
        return deviceMemory;
    }

    /** How many completion counters there are, of all contexts. */
    public AtomicInteger completionCounters() {
        return completionCounters;
    }

    @Override
    public RxeQueuePair[] attached(Gid group) {
        return groups.attached(group);
    }

    /** Multicast groups. */
    public MulticastGroups groups() {
        return groups;
    }

    /** XRC domains. */
    public XrcDomains xrcDomains() {
        return xrcDomains;
    }

    @Override
    public Link link(Gid local) {
        return links.open(local);
    }

    /** A new descriptor for event loops; null where none can be made. */
    public EventFd newEventFd() {
        return Links.newEventFd(config.linkOptions());
    }

    /** The system calls by which processes share objects, as {@link Links#systemUse}. */
    public SystemUse systemUse(String verb) {
        return Links.systemUse(config.linkOptions(), verb);
    }

    /** What the transport has counted. */
    public TransportCounters transportCounters() {
        return packetPaths.counters();
    }

    /** Asked of the system each time, without opening anything. */
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

    /** All that was counted since the device was first opened, by name. */
    @Override
    public Map<String, Long> counters() {
        Map<String, Long> all = links.counters();
        transportCounters().snapshot().forEach((n, value) -> all.merge(n, value, Long::sum));
        all.putAll(keys.pages().snapshot());
        return all;
    }

    /** All links that are open. */
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
    public long nanos() {
        return nanos.getAsLong();
    }

    @Override
    public void kick(RxeQueuePair qp) {
        worker.kick(qp);
    }

    @Override
    public void deadlineSet(long time) {
        worker.deadlineSet(time);
    }

    @Override
    public void watch(RxeCompletionQueue cq, boolean on) {
        worker.watch(cq, on);
    }

    @Override
    public SendPath newPath(RxeQueuePair qp) {
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

    /** Nobody receives packets: the queue pairs that wait for them end. */
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

    /** A queue pair begins to be there for which latency counts more than processor time. */
    public void urgentBegins() {
        links.urgentBegins();
    }

    /** Such a queue pair is gone. */
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.share.Channel;
import io.verbs4j.provider.rxe.share.OneCopy;
import io.verbs4j.provider.rxe.share.Signal;
import io.verbs4j.provider.rxe.share.Surroundings;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * UDP through Linux's system calls, many packets per call. The caller of the constructor must have called {@link
 * Posix#enter}; closing the link undoes that.
 */
final class UdpLink implements Link, Surroundings {
    /** Polls of rings before the socket is polled as well, which costs a system call. */
    private static final int RINGS_ALONE = 64;

    /** Nanoseconds without packets before the socket is polled as well: a program may poll rarely. */
    private static final long SOCKET_ALONE = 10_000;

    /** Maximum bursts of packets taken from the socket before a ring's later packets. */
    private static final int DRAIN = 64;

    private final Gid local;
    private final LocalInterface nic;
    private final LinkOptions options;
    private final PacketTap tap;
    private final LinkCounters counters = new LinkCounters();
    private final UdpSocket socket;
    private final Poller poller;
    private final RxRing ring;
    private final RxPath path;
    private final Map<Gid, Group> groups = new HashMap<>();
    private final BatchPool batches = new BatchPool(this::newBatch);

    /** The socket of the address and those of the groups; replaced, never changed. */
    private volatile UdpSocket[] sockets;

    private volatile boolean segments;
    private volatile boolean closed;

    /** Whether received packets are still to be delivered; no system call would report these. */
    private volatile boolean backlog;

    private volatile boolean waiting;
    private int first;
    private boolean drained;

    /** One copy, or null if the options rule it out. */
    private final OneCopy oneCopy;

    private final ProcessCalls.Calls calls = new ProcessCalls.Calls();
    /**
     * Whether starting one copy was attempted, and whether its system calls are bound. Written under the lock of {@link
     * #calls}.
     */
    private volatile boolean tried;

    private boolean bound;
    private final Runnable drain = this::drainSocket;
    private volatile PacketHandler handler;
    private int ringsAlone;
    private long socketPolled;
    private int records;

    /** Has a lock of its own. */
    private final SignalSender signals;

    private static final class Group {
        final UdpSocket socket;
        int members;

        Group(UdpSocket socket) {
            this.socket = socket;
        }
    }

    UdpLink(Gid local, LocalInterface nic, LinkOptions options, PacketTap tap) {
        this.local = local;
        this.nic = nic;
        this.options = options;
        this.tap = tap;
        path = new RxPath(counters, tap);
        ring = new RxRing(options.gro(), local.isIpv4Mapped() ? Posix.AF_INET : Posix.AF_INET6, counters);
        oneCopy = options.oneCopyProblem() == null ? new OneCopy(calls, local, this) : null;
        if (oneCopy != null) {
            path.signals(this::onSignal);
        }
        UdpSocket bound = UdpSocket.unicast(local, nic.index(), options);
        boolean complete = false;
        Poller waits = null;
        try {
            waits = Poller.open(local);
            poller = waits;
            socket = bound;
            sockets = new UdpSocket[] {socket};
            segments = options.gso() && socket.canSegment();
            signals = new SignalSender(socket, nic.index());
            complete = true;
        } finally {
            if (!complete) { // otherwise the address would stay in use
                bound.close();
                if (waits != null) {
                    waits.close();
                }
            }
        }
    }

    /**
     * Starts one copy, once. If it is unavailable, packets use the socket; {@link Links#oneCopyProblem} reports the
     * reason.
     */
    private void beginOneCopy() {
        synchronized (calls) {
            if (tried || closed || ProcessCalls.enter() != null) {
                tried = true;
                return;
            }
            tried = true;
            bound = true;
        }
        try {
            oneCopy.begin();
        } catch (IOException | UnsupportedOperationException | OutOfMemoryError e) {
            // as above
        }
    }

    // ---- one copy

    @Override
    public void count(Count what, long n) {
        counters.add(what, n);
    }

    @Override
    public void countAlone(Count what, long n) {
        counters.addAlone(what, n);
    }

    @Override
    public void signal(Gid to, long kind, long address) {
        signals.send(to, kind, address);
    }

    private void onSignal(long kind, long address, long srcHigh, long srcLow) {
        if (kind == Signal.RING) {
            oneCopy.offered(srcHigh, srcLow, address);
        } else if (kind == Signal.WAKE && waiting) {
            // The polling thread has taken the datagram meant for the waiting thread, which would sleep on, because the
            // sender sends no other.
            wakeup();
        }
    }

    @Override
    public Channel reach(Gid to) {
        Channel channel = oneCopy == null ? null : oneCopy.reach(to);
        if (channel != null && channel.ring() == null && waiting) {
            wakeup(); // the waiting thread looks for a ring
        }
        return channel;
    }

    /** Returns the channel to an address if one was requested, otherwise null. */
    Channel channel(long high, long low) {
        return oneCopy == null ? null : oneCopy.channel(high, low);
    }

    @Override
    public void maintain() {
        if (oneCopy != null) {
            if (!tried) {
                beginOneCopy();
            }
            oneCopy.maintain();
        }
    }

    @Override
    public void wish(Gid to) {
        if (oneCopy != null) {
            oneCopy.wish(to);
        }
    }

    /** Receives what came through the socket before a ring's records. */
    private void drainSocket() {
        for (int i = 0; i < DRAIN; i++) {
            if (receiveFromSockets(handler, RINGS_ALONE, 0) < RINGS_ALONE) {
                return;
            }
        }
    }

    @Override
    public Gid localGid() {
        return local;
    }

    @Override
    public int pathMtu() {
        return nic.pathMtu();
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public TxBatch newBatch() {
        return new UdpBatch(this, local, tap);
    }

    @Override
    public BatchPool batches() {
        return batches;
    }

    UdpSocket socket() {
        return socket;
    }

    int interfaceIndex() {
        return nic.index();
    }

    /** Returns whether the kernel is to cut batches into packets. */
    boolean segments() {
        return segments;
    }

    /** Notes that the kernel did not segment a batch, or never will. */
    void cannotSegment(boolean ever) {
        counters.add(LinkCounters.TX_UNSEGMENTED, 1);
        if (ever) {
            segments = false;
        }
    }

    @Override
    public int poll(PacketHandler handler, int maxPackets) {
        int good;
        try {
            receive(handler, maxPackets);
        } finally {
            good = path.settle() + records;
            records = 0;
            noteBacklog();
        }
        return good;
    }

    private void noteBacklog() {
        boolean now = ring.hasPackets();
        if (now != backlog) {
            backlog = now;
        }
        if (now && waiting) {
            wakeup();
        }
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    private void receive(PacketHandler to, int maxPackets) {
        drained = closed;
        if (closed) {
            return;
        }
        if (to != handler) {
            handler = to;
        }
        int seen = ring.deliver(path, to, maxPackets);
        if (oneCopy != null && oneCopy.isReceiving()) {
            int byRings = oneCopy.poll(to, maxPackets - seen, drain);
            records += byRings;
            seen += byRings;
            if (++ringsAlone < RINGS_ALONE && (byRings > 0 || !isTimeForSocket())) {
                return; // not drained, because the socket was not polled
            }
            ringsAlone = 0;
            socketPolled = System.nanoTime();
        }
        drained = receiveFromSockets(to, maxPackets, seen) < maxPackets;
    }

    /** Looks at the time in one poll of several, as that costs as much as the rest of a poll without packets. */
    private boolean isTimeForSocket() {
        return (ringsAlone & 3) == 0 && System.nanoTime() - socketPolled >= SOCKET_ALONE;
    }

    /** Receives until the given number of packets were seen, including those seen before; returns the number seen. */
    private int receiveFromSockets(PacketHandler to, int maxPackets, int before) {
        UdpSocket[] all = sockets;
        int seen = before;
        // Starts at another socket each time, so that a busy one does not starve the others.
        first = first + 1 < all.length ? first + 1 : 0;
        for (int i = 0; i < all.length && seen < maxPackets; i++) {
            int at = first + i;
            UdpSocket from = all[at < all.length ? at : at - all.length];
            boolean more = true;
            while (more && seen < maxPackets) {
                more = !ring.hasPackets() && ring.receive(from);
                seen += ring.deliver(path, to, maxPackets - seen);
            }
        }
        return seen;
    }

    @Override
    public boolean await(long timeoutNanos) {
        waiting = true; // before checking the backlog; noteBacklog() uses the reverse order
        try {
            if (backlog) {
                return !closed;
            }
            if (oneCopy == null) {
                return poller.await(sockets, timeoutNanos);
            }
            oneCopy.sleeps();
            // After sleeps(), so that the sender of a later record wakes this thread.
            PacketHandler known = handler;
            if (!oneCopy.isEmpty() || known != null && known.hasReceipts()) {
                return true;
            }
            boolean readable = poller.await(sockets, timeoutNanos);
            if (readable) {
                ringsAlone = RINGS_ALONE; // otherwise the next wait would end at once, again and again
            }
            return readable;
        } finally {
            waiting = false;
            if (oneCopy != null) {
                oneCopy.wakes();
            }
        }
    }

    @Override
    public boolean isForAnyThread() {
        return true;
    }

    @Override
    public void wakeup() {
        poller.wakeup();
    }

    @Override
    public void joinMulticast(Gid group) {
        if (!group.isMulticast() || group.isIpv4Mapped() != local.isIpv4Mapped()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "attach_mcast",
                    group + " is not a multicast group of the address family of " + local);
        }
        synchronized (groups) {
            if (closed) {
                throw new VerbsException(Errno.EBADF, "attach_mcast", "the device is closed");
            }
            Group g = groups.get(group);
            if (g == null) {
                g = new Group(UdpSocket.multicast(group, nic.index(), options));
                groups.put(group, g);
                UdpSocket[] more = Arrays.copyOf(sockets, sockets.length + 1);
                more[sockets.length] = g.socket;
                sockets = more;
                wakeup(); // a waiting thread only knows the previous sockets
            }
            g.members++;
        }
    }

    @Override
    public void leaveMulticast(Gid group) {
        synchronized (groups) {
            Group g = groups.get(group);
            if (g == null || --g.members > 0) {
                return;
            }
            groups.remove(group);
            UdpSocket left = g.socket;
            sockets = Arrays.stream(sockets).filter(s -> s != left).toArray(UdpSocket[]::new);
            wakeup();
            left.close(); // here, so that it does not race with a close of the link
        }
    }

    @Override
    public void close() {
        UdpSocket[] all;
        synchronized (groups) {
            if (closed) {
                return;
            }
            closed = true;
            groups.clear();
            all = sockets;
        }
        if (oneCopy != null) {
            oneCopy.close();
        }
        poller.close();
        for (UdpSocket s : all) {
            s.close();
        }
        calls.shut();
        synchronized (calls) {
            tried = true;
            if (bound) {
                ProcessCalls.exit();
            }
        }
        Posix.exit(); // descriptors were closed once no call used them
        if (tap != null) {
            tap.flush();
        }
    }
}

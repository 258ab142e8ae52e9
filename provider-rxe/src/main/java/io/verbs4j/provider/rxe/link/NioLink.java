/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.provider.rxe.base.IoErrno;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * UDP through the JDK's channels, for machines where {@link UdpLink} does not work: packet by packet, and with
 * allocations.
 *
 * <p>The JDK (before 19) cannot forbid fragmentation, so the identification in the IPv4 header differs from the one
 * that the ICRC covers. Other verbs4j devices understand these packets; the kernel's rxe and hardware adapters
 * understand them over IPv6 only.
 */
final class NioLink implements Link {
    private static final int ROOM = 65536;
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long FULL_WAIT_NANOS = 500_000;

    private final Gid local;
    private final LocalInterface nic;
    private final Addressing addresses;
    private final boolean ipv4;
    private final LinkOptions options;
    private final PacketTap tap;
    private final LinkCounters counters = new LinkCounters();
    private final RxPath path;
    private final ByteBuffer data = ByteBuffer.allocateDirect(ROOM);
    private final Selector selector;
    private final Map<Gid, Source> groups = new HashMap<>();
    private final BatchPool batches = new BatchPool(this::newBatch);
    private final Source unicast;
    private volatile Source[] sources;
    private volatile boolean closed;
    private int first;
    private boolean drained;

    /** A channel and the address that packets from it were sent to. */
    private static final class Source {
        final DatagramChannel channel;
        final Gid bound;
        int members;

        Source(DatagramChannel channel, Gid bound) {
            this.channel = channel;
            this.bound = bound;
        }
    }

    /** The sender of the previous packet, which usually sends the next one as well. */
    private InetSocketAddress sender;

    private Gid senderGid = Gid.ZERO;

    /** Opens a link whose GIDs are addresses. */
    static NioLink direct(InetAddress local, LocalInterface nic, LinkOptions options, PacketTap tap) {
        return new NioLink(Gid.of(local), nic, new DirectAddresses(local, nic), options, tap);
    }

    /** Opens a link whose GIDs are names of ports of the loopback address. */
    static NioLink named(Gid local, LocalInterface nic, LinkOptions options, PacketTap tap) {
        return new NioLink(local, nic, new NamedAddresses(local, InetAddress.getLoopbackAddress()), options, tap);
    }

    private NioLink(Gid local, LocalInterface nic, Addressing addresses, LinkOptions options, PacketTap tap) {
        this.local = local;
        this.nic = nic;
        this.addresses = addresses;
        ipv4 = addresses.own().getAddress() instanceof Inet4Address;
        this.options = options;
        this.tap = tap;
        path = new RxPath(counters, tap);
        Selector s = null;
        DatagramChannel channel = null;
        boolean complete = false;
        try {
            s = Selector.open();
            channel = open();
            channel.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBufferBytes());
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, nic.nic());
            channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
            forbidFragments(channel);
            channel.bind(addresses.own());
            channel.register(s, SelectionKey.OP_READ);
            addresses.bound((InetSocketAddress) channel.getLocalAddress());
            complete = true;
        } catch (IOException e) {
            throw SocketErrors.failed("open_device", "opening a channel", IoErrno.of(e), local, e);
        } finally {
            if (!complete) { // otherwise the address would stay in use
                closeQuietly(channel);
                closeQuietly(s);
            }
        }
        selector = s;
        unicast = new Source(channel, local);
        sources = new Source[] {unicast};
    }

    private DatagramChannel open() throws IOException {
        DatagramChannel channel =
                DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        boolean complete = false;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferBytes());
            complete = true;
            return channel;
        } finally {
            if (!complete) {
                closeQuietly(channel);
            }
        }
    }

    @SuppressWarnings("unchecked") // the option's type was checked
    private static void forbidFragments(DatagramChannel channel) throws IOException {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if ("IP_DONTFRAGMENT".equals(option.name()) && option.type() == Boolean.class) { // JDK 19
                channel.setOption((SocketOption<Boolean>) option, true);
            }
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        if (resource == null) {
            return;
        }
        try {
            resource.close();
        } catch (Exception e) {
            System.getLogger(NioLink.class.getName()).log(System.Logger.Level.DEBUG, "closing", e);
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
        return new Batch();
    }

    @Override
    public BatchPool batches() {
        return batches;
    }

    @Override
    public int poll(PacketHandler handler, int maxPackets) {
        int good;
        try {
            receive(handler, maxPackets);
        } finally {
            good = path.settle();
        }
        return good;
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    private void receive(PacketHandler handler, int maxPackets) {
        drained = false;
        Source[] all = sources;
        first = first + 1 < all.length ? first + 1 : 0;
        int seen = 0;
        for (int i = 0; i < all.length; i++) {
            int at = first + i;
            Source from = all[at < all.length ? at : at - all.length];
            while (seen < maxPackets && !closed && receive(from, handler)) {
                seen++;
            }
        }
        drained = seen < maxPackets;
    }

    /** Receives a datagram; returns false if there is none. */
    private boolean receive(Source from, PacketHandler handler) {
        InetSocketAddress source;
        data.clear();
        try {
            source = (InetSocketAddress) from.channel.receive(data);
        } catch (IOException e) {
            if (!closed && from.channel.isOpen()) {
                counters.add(LinkCounters.RX_ERRORS, 1);
            }
            return false;
        }
        if (source == null) {
            return false;
        }
        if (!addresses.isFixed() || !source.equals(sender)) {
            sender = source;
            senderGid = addresses.of(source);
        }
        int length = data.position();
        data.clear();
        if (senderGid == null) {
            counters.add(LinkCounters.RX_BAD_SOURCE, 1);
            return true;
        }
        path.deliver(
                data,
                0,
                length,
                senderGid.subnetPrefix(),
                senderGid.interfaceId(),
                addresses.port(source),
                from.bound.subnetPrefix(),
                from.bound.interfaceId(),
                handler);
        return true;
    }

    @Override
    public boolean await(long timeoutNanos) {
        try {
            int n;
            if (timeoutNanos <= 0) {
                n = selector.selectNow();
            } else if (timeoutNanos > Long.MAX_VALUE - NANOS_PER_MS) {
                n = selector.select();
            } else {
                n = selector.select((timeoutNanos + NANOS_PER_MS - 1) / NANOS_PER_MS);
            }
            selector.selectedKeys().clear();
            return n > 0;
        } catch (IOException | ClosedSelectorException e) {
            return false;
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void joinMulticast(Gid group) {
        if (!group.isMulticast() || group.isIpv4Mapped() != ipv4) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "attach_mcast",
                    group + " is not a multicast group of the address family of " + local);
        }
        synchronized (groups) {
            if (closed) {
                throw new VerbsException(Errno.EBADF, "attach_mcast", "the device is closed");
            }
            Source s = groups.get(group);
            if (s == null) {
                s = new Source(join(group), group);
                groups.put(group, s);
                Source[] more = Arrays.copyOf(sources, sources.length + 1);
                more[sources.length] = s;
                sources = more;
                selector.wakeup();
            }
            s.members++;
        }
    }

    private DatagramChannel join(Gid group) {
        DatagramChannel channel = null;
        boolean complete = false;
        try {
            channel = open();
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            InetAddress ip = DirectAddresses.scoped(group, nic);
            channel.bind(new InetSocketAddress(ip, PORT));
            channel.join(ip, nic.nic());
            channel.register(selector, SelectionKey.OP_READ);
            complete = true;
            return channel;
        } catch (IOException e) {
            throw SocketErrors.failed("attach_mcast", "joining", IoErrno.of(e), group, e);
        } finally {
            if (!complete) {
                closeQuietly(channel);
            }
        }
    }

    @Override
    public void leaveMulticast(Gid group) {
        Source left;
        synchronized (groups) {
            Source s = groups.get(group);
            if (s == null || --s.members > 0) {
                return;
            }
            groups.remove(group);
            left = s;
            sources = Arrays.stream(sources).filter(each -> each != left).toArray(Source[]::new);
        }
        closeQuietly(left.channel);
        selector.wakeup(); // the channel closes fully only when the selector releases it
    }

    @Override
    public void close() {
        synchronized (groups) {
            if (closed) {
                return;
            }
            closed = true;
            groups.clear();
        }
        closeQuietly(addresses);
        for (Source s : sources) {
            closeQuietly(s.channel);
        }
        closeQuietly(selector);
        if (tap != null) {
            tap.flush();
        }
    }

    /** A batch that is sent packet by packet. */
    private final class Batch extends TxBatch {
        private final ByteBuffer view = buffer().duplicate();
        private InetSocketAddress target;
        private long targetHigh;
        private long targetLow;

        Batch() {
            super(local.subnetPrefix(), local.interfaceId(), MAX_SEGMENTS, tap);
        }

        @Override
        void transmit(long dstHigh, long dstLow, int offset, int length, int packets, int size) {
            if (target == null || !addresses.isFixed() || dstLow != targetLow || dstHigh != targetHigh) {
                target = addresses.of(Gid.of(dstHigh, dstLow));
                targetHigh = dstHigh;
                targetLow = dstLow;
            }
            if (target == null) {
                counters.add(LinkCounters.TX_UNREACHABLE, packets);
                return;
            }
            int end = offset + length;
            for (int at = offset; at < end; at += size) {
                int n = Math.min(size, end - at);
                view.clear().position(at).limit(at + n);
                counters.add(send(n), 1);
            }
        }

        /** Sends a packet; returns the counter to increment. */
        private int send(int length) {
            try {
                for (int attempt = 0; attempt < 8; attempt++) {
                    if (unicast.channel.send(view, target) > 0) {
                        counters.add(LinkCounters.TX_BYTES, length);
                        counters.add(LinkCounters.TX_BATCHES, 1);
                        return LinkCounters.TX_PACKETS;
                    }
                    Nap.nanos(this, FULL_WAIT_NANOS);
                }
                return LinkCounters.TX_FULL;
            } catch (IOException e) {
                return refusal(e);
            } catch (UnresolvedAddressException | UnsupportedAddressTypeException e) {
                return LinkCounters.TX_UNREACHABLE;
            }
        }

        private int refusal(IOException e) {
            if (closed || e instanceof ClosedChannelException) {
                return LinkCounters.TX_CLOSED;
            }
            switch (IoErrno.of(e)) {
                case Errno.EMSGSIZE:
                    return LinkCounters.TX_TOO_LONG;
                case Errno.ENETUNREACH:
                    return LinkCounters.TX_UNREACHABLE;
                default:
                    return LinkCounters.TX_ERRORS;
            }
        }
    }
}

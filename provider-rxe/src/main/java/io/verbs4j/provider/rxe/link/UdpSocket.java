/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;

/** A non-blocking UDP socket of Linux, bound to the port of RoCEv2. */
final class UdpSocket {
    /**
     * Duration of one wait for room in a full send buffer, and number of waits; after that, the transport's own retry
     * is better.
     */
    private static final long FULL_WAIT_NANOS = 1_000_000;

    private static final int FULL_WAITS = 4;

    private final FileDescriptor descriptor;
    private final long boundHigh;
    private final long boundLow;
    private final String verb;
    private int overruns;

    private UdpSocket(FileDescriptor descriptor, Gid bound, String verb) {
        this.descriptor = descriptor;
        this.boundHigh = bound.subnetPrefix();
        this.boundLow = bound.interfaceId();
        this.verb = verb;
    }

    /** Opens a socket for the packets of one address. */
    static UdpSocket unicast(Gid local, int interfaceIndex, LinkOptions options) {
        return open(local, interfaceIndex, options, "open_device", socket -> {
            socket.prepareToSend(local, interfaceIndex, options);
        });
    }

    /** Opens a socket for packets to a group that arrive on one interface. */
    static UdpSocket multicast(Gid group, int interfaceIndex, LinkOptions options) {
        return open(group, interfaceIndex, options, "attach_mcast", socket -> {
            // Several sockets, of any user, may listen to one group, and each gets all packets.
            socket.require("SO_REUSEADDR", Posix.SOL_SOCKET, Posix.SO_REUSEADDR, 1);
            socket.join(group, interfaceIndex);
        });
    }

    private interface Setup {
        void accept(UdpSocket socket);
    }

    private static UdpSocket open(Gid bound, int interfaceIndex, LinkOptions options, String verb, Setup setup) {
        int family = bound.isIpv4Mapped() ? Posix.AF_INET : Posix.AF_INET6;
        int fd = Posix.calls().socket(family, Posix.SOCK_DGRAM | Posix.SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw SocketErrors.failed(verb, "socket", Posix.calls().errno(), bound);
        }
        boolean complete = false;
        try {
            UdpSocket socket = new UdpSocket(new FileDescriptor(fd), bound, verb);
            if (family == Posix.AF_INET6) {
                socket.require("IPV6_V6ONLY", Posix.IPPROTO_IPV6, Posix.IPV6_V6ONLY, 1);
                // RoCE v2 packets need no UDP checksum, and rdma_rxe sends none; over IPv6 the kernel would drop them.
                socket.require("UDP_NO_CHECK6_RX", Posix.SOL_UDP, Posix.UDP_NO_CHECK6_RX, 1);
            }
            socket.prepareToReceive(options);
            setup.accept(socket);
            StructBuffer address = new StructBuffer(SockAddr.SPACE);
            int size = SockAddr.put(address, 0, bound.subnetPrefix(), bound.interfaceId(), Link.PORT, interfaceIndex);
            int rc = Posix.calls().bind(fd, address.address(0), size);
            address.keepUntilHere();
            if (rc != 0) {
                throw SocketErrors.failed(verb, "bind", Posix.calls().errno(), bound);
            }
            complete = true;
            return socket;
        } finally {
            if (!complete) { // otherwise the address would stay in use
                Posix.calls().close(fd);
            }
        }
    }

    private void prepareToReceive(LinkOptions options) {
        if (!set(Posix.SOL_SOCKET, Posix.SO_RCVBUFFORCE, options.receiveBufferBytes())) {
            set(Posix.SOL_SOCKET, Posix.SO_RCVBUF, options.receiveBufferBytes()); // up to net.core.rmem_max
        }
        set(Posix.SOL_SOCKET, Posix.SO_RXQ_OVFL, 1);
        if (options.gro()) {
            set(Posix.SOL_UDP, Posix.UDP_GRO, 1);
        }
    }

    private void prepareToSend(Gid local, int interfaceIndex, LinkOptions options) {
        if (!set(Posix.SOL_SOCKET, Posix.SO_SNDBUFFORCE, options.sendBufferBytes())) {
            set(Posix.SOL_SOCKET, Posix.SO_SNDBUF, options.sendBufferBytes());
        }
        if (local.isIpv4Mapped()) {
            // "Don't fragment" makes the kernel send identification 0, which the ICRC covers.
            require("IP_MTU_DISCOVER", Posix.IPPROTO_IP, Posix.IP_MTU_DISCOVER, Posix.PMTUDISC_DO);
            StructBuffer mreqn = mreqn(Gid.of(0, 0xffff_0000_0000L), interfaceIndex);
            require("IP_MULTICAST_IF", Posix.IPPROTO_IP, Posix.IP_MULTICAST_IF, mreqn, 12);
            require("IP_MULTICAST_TTL", Posix.IPPROTO_IP, Posix.IP_MULTICAST_TTL, 1);
            require("IP_MULTICAST_LOOP", Posix.IPPROTO_IP, Posix.IP_MULTICAST_LOOP, 1);
        } else {
            require("IPV6_MTU_DISCOVER", Posix.IPPROTO_IPV6, Posix.IPV6_MTU_DISCOVER, Posix.PMTUDISC_DO);
            require("IPV6_DONTFRAG", Posix.IPPROTO_IPV6, Posix.IPV6_DONTFRAG, 1);
            require("IPV6_MULTICAST_IF", Posix.IPPROTO_IPV6, Posix.IPV6_MULTICAST_IF, interfaceIndex);
            require("IPV6_MULTICAST_HOPS", Posix.IPPROTO_IPV6, Posix.IPV6_MULTICAST_HOPS, 1);
            require("IPV6_MULTICAST_LOOP", Posix.IPPROTO_IPV6, Posix.IPV6_MULTICAST_LOOP, 1);
        }
    }

    private void join(Gid group, int interfaceIndex) {
        if (group.isIpv4Mapped()) {
            require("IP_ADD_MEMBERSHIP", Posix.IPPROTO_IP, Posix.IP_ADD_MEMBERSHIP, mreqn(group, interfaceIndex), 12);
            set(Posix.IPPROTO_IP, Posix.IP_MULTICAST_ALL, 0); // not what others joined on other interfaces
        } else {
            StructBuffer mreq = new StructBuffer(20); // ipv6_mreq: group(16), interface(4)
            mreq.putNetLong(0, group.subnetPrefix());
            mreq.putNetLong(8, group.interfaceId());
            mreq.putInt(16, interfaceIndex);
            require("IPV6_JOIN_GROUP", Posix.IPPROTO_IPV6, Posix.IPV6_JOIN_GROUP, mreq, 20);
            set(Posix.IPPROTO_IPV6, Posix.IPV6_MULTICAST_ALL, 0);
        }
    }

    /** Creates an ip_mreqn: group(4), local address(4), interface(4). */
    private static StructBuffer mreqn(Gid group, int interfaceIndex) {
        StructBuffer m = new StructBuffer(12);
        m.putNetInt(0, (int) group.interfaceId());
        m.putInt(8, interfaceIndex);
        return m;
    }

    /** Returns whether the kernel can segment messages, which it does since Linux 4.18. */
    boolean canSegment() {
        StructBuffer m = new StructBuffer(8);
        m.putInt(4, 4);
        int rc =
                Posix.calls().getsockopt(descriptor.fd(), Posix.SOL_UDP, Posix.UDP_SEGMENT, m.address(0), m.address(4));
        m.keepUntilHere();
        return rc == 0;
    }

    private boolean set(int level, int option, int value) {
        StructBuffer m = new StructBuffer(4);
        m.putInt(0, value);
        return set(level, option, m, 4);
    }

    private boolean set(int level, int option, StructBuffer value, int size) {
        int rc = Posix.calls().setsockopt(descriptor.fd(), level, option, value.address(0), size);
        value.keepUntilHere();
        return rc == 0;
    }

    private void require(String name, int level, int option, int value) {
        StructBuffer m = new StructBuffer(4);
        m.putInt(0, value);
        require(name, level, option, m, 4);
    }

    private void require(String name, int level, int option, StructBuffer value, int size) {
        if (!set(level, option, value, size)) {
            throw SocketErrors.failed(verb, name, Posix.calls().errno(), Gid.of(boundHigh, boundLow));
        }
    }

    /** {@return the upper half of the address bound to, the destination of packets received here} */
    long boundHigh() {
        return boundHigh;
    }

    /** {@return the lower half of the address bound to} */
    long boundLow() {
        return boundLow;
    }

    /** {@return the descriptor, for {@code ppoll}} */
    FileDescriptor descriptor() {
        return descriptor;
    }

    /**
     * Sends a message.
     *
     * @param msghdr its address
     * @param waiting room for a pollfd and a timespec
     * @return 0 or an error number; {@link Errno#EBADF} if the socket is closed
     */
    int send(long msghdr, StructBuffer waiting) {
        if (!descriptor.enter()) {
            return Errno.EBADF;
        }
        try {
            int fullFor = 0;
            for (int attempts = 0; ; attempts++) {
                if (Posix.calls().sendmsg(descriptor.fd(), msghdr, Posix.MSG_DONTWAIT) >= 0) {
                    return 0;
                }
                int errno = Posix.calls().errno();
                if (errno == Posix.EAGAIN && fullFor < FULL_WAITS) {
                    fullFor++;
                    Poller.awaitWritable(descriptor.fd(), waiting, FULL_WAIT_NANOS);
                } else if (errno != Posix.EINTR && errno != Posix.ECONNREFUSED || attempts > 2 * FULL_WAITS) {
                    // ECONNREFUSED is about an earlier packet, to a host where nobody listens: this one was not tried.
                    return errno;
                }
            }
        } finally {
            descriptor.exit();
        }
    }

    /**
     * Receives messages.
     *
     * @param mmsghdrs address of an array
     * @param count its length
     * @return the number received, or a negated error number; 0 if the socket is closed
     */
    int receive(long mmsghdrs, int count) {
        if (!descriptor.enter()) {
            return 0;
        }
        try {
            int n = Posix.calls().recvmmsg(descriptor.fd(), mmsghdrs, count, Posix.MSG_DONTWAIT, 0);
            return n >= 0 ? n : -Posix.calls().errno();
        } finally {
            descriptor.exit();
        }
    }

    /**
     * Returns the number of datagrams dropped for lack of room since the last call; the kernel counts modulo 2^32. For
     * the polling thread.
     */
    long overrunSince(int total) {
        int more = total - overruns;
        overruns = total;
        return Integer.toUnsignedLong(more);
    }

    void close() {
        descriptor.close();
    }
}

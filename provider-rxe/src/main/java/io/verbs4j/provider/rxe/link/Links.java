/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.base.IoErrno;
import io.verbs4j.provider.rxe.share.SystemUse;
import io.verbs4j.provider.rxe.wire.PcapWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Opens links. */
public final class Links {
    /** Whether the warning about slow links was logged. */
    private static boolean told;

    /** Packet files, shared by all links of the process that write to them. Each stays open for later links. */
    private static final ConcurrentMap<Path, PacketTap> TAPS = new ConcurrentHashMap<>();

    private Links() {}

    /**
     * Opens a link at a local address.
     *
     * @param local address of an interface of this machine, not a wildcard
     * @param options the options
     * @return the link
     * @throws VerbsException if the address is not available; the message says what to do
     * @throws IllegalArgumentException if the faults in the options are invalid
     */
    public static Link open(InetAddress local, LinkOptions options) {
        FaultPlan plan = options.faults() == null ? null : FaultPlan.parse(options.faults());
        if (local.isAnyLocalAddress() || local.isMulticastAddress()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_device",
                    local.getHostAddress() + " is not the address of an interface: use one that 'ip address' lists");
        }
        LocalInterface nic = LocalInterface.of(local);
        PacketTap tap = options.pcapFile() == null ? null : tap(options.pcapFile(), options.pcapLimit());
        Link link = open(local, nic, options, tap);
        if (plan == null) {
            return link;
        }
        try {
            return new FaultLink(link, plan);
        } catch (OutOfMemoryError e) {
            link.close(); // otherwise the address would stay in use
            throw e;
        }
    }

    private static Link open(InetAddress local, LocalInterface nic, LinkOptions options, PacketTap tap) {
        try {
            return enterNative(options.kind())
                    ? udp(local, nic, options, tap)
                    : NioLink.direct(local, nic, options, tap);
        } catch (VerbsException e) {
            Gid gid = Gid.of(local);
            if (e.errno() != Errno.EADDRNOTAVAIL || !isInLoopback(gid)) {
                throw e;
            }
            return NioLink.named(gid, nic, options, tap);
        }
    }

    /**
     * Returns whether GIDs in 127.0.0.0/8 are names on this machine, because it has a single loopback address, as macOS
     * does. Tested once.
     *
     * @return whether they are; false as well if this cannot be tested
     */
    public static boolean areNames() {
        return Loopback.IS_ONE_ADDRESS;
    }

    /**
     * Returns whether a GID is a name here, not an address.
     *
     * @param gid of a port of any process
     * @return whether {@link #areNames}, and it is in 127.0.0.0/8
     */
    public static boolean isName(Gid gid) {
        return isInLoopback(gid) && areNames();
    }

    /** Returns whether a GID is in 127.0.0.0/8, and so an address that no other machine can have. */
    private static boolean isInLoopback(Gid gid) {
        return gid.isIpv4Mapped() && (gid.interfaceId() >>> 24 & 0xff) == 127;
    }

    /**
     * Explains why packets cannot get from one GID to another.
     *
     * @param source a GID of this process
     * @param destination any GID
     * @return the reason and what to do instead, as the end of a message; null if packets may get there
     */
    public static String noWay(Gid source, Gid destination) {
        boolean named = isInLoopback(source);
        if (destination.isMulticast() || named == isInLoopback(destination) || !areNames()) {
            return null;
        }
        return (named ? source : destination) + " is a name: " + NamedAddresses.reach()
                + "; to reach other machines, use a GID index with the address of an interface on both sides";
    }

    /** {@return which processes GIDs in 127.0.0.0/8 reach, if they are names; null if they are addresses} */
    public static String reach() {
        return areNames() ? NamedAddresses.reach() : null;
    }

    /** Holder of the test result, so that the test runs on first use. */
    private static final class Loopback {
        static final boolean IS_ONE_ADDRESS = isOneAddress();

        private static boolean isOneAddress() {
            byte[] another = {127, 64, 0, 1};
            try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
                channel.bind(new InetSocketAddress(InetAddress.getByAddress(another), 0));
                return false;
            } catch (IOException e) {
                return IoErrno.of(e) == Errno.EADDRNOTAVAIL;
            }
        }
    }

    /**
     * Returns the largest payload of a packet that the interface of a local address carries, without opening anything.
     *
     * @param local address of an interface of this machine
     * @return 256, 512, 1024, 2048 or 4096
     * @throws VerbsException if no interface has the address
     */
    public static int pathMtu(InetAddress local) {
        return LocalInterface.of(local).pathMtu();
    }

    /**
     * Returns the number of the network interface with a local address, as in {@code if_nametoindex}. Throws if no
     * interface has the address.
     */
    public static int interfaceIndex(InetAddress local) {
        return LocalInterface.of(local).index();
    }

    /** Warns if links will be slow, without opening one. */
    public static void check(LinkOptions options) {
        if (options.kind() == LinkOptions.Kind.AUTO) {
            warn(Posix.unavailable());
        }
    }

    /**
     * Returns the system calls by which processes share objects. Throws if these options or this machine rule them out.
     *
     * @param options the options
     * @param verb verb to name in an exception
     */
    public static SystemUse systemUse(LinkOptions options, String verb) {
        if (options.kind() == LinkOptions.Kind.NIO) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the embedded device needs system calls to share contexts, but " + LinkOptions.KIND_PROPERTY
                            + " is nio; do not set it");
        }
        return LinuxUse.begin(verb);
    }

    /**
     * Creates a descriptor for event loops. Returns null if these options or this machine rule out system calls, or if
     * no descriptor is left.
     */
    public static EventFd newEventFd(LinkOptions options) {
        return options.kind() == LinkOptions.Kind.NIO ? null : EventFd.open();
    }

    /**
     * Returns why links with these options would not use one copy, as far as known without a peer; null if they would.
     */
    public static String oneCopyProblem(LinkOptions options) {
        String problem = options.oneCopyProblem();
        if (problem != null) {
            return problem;
        }
        problem = Posix.enter();
        if (problem != null) {
            return problem;
        }
        try {
            return ProcessCalls.problem();
        } finally {
            Posix.exit();
        }
    }

    /** Logs at DEBUG level outside Linux, where the user could do nothing about it. */
    private static void warn(String problem) {
        if (problem != null && isFirst()) {
            log().log(
                            Posix.isLinux() ? Logger.Level.WARNING : Logger.Level.DEBUG,
                            "the embedded device sends its packets through the JDK's channels, at more than ten times"
                                    + " the cost of batched Linux system calls: " + problem + "; -D"
                                    + LinkOptions.KIND_PROPERTY + "=nio silences this warning");
        }
    }

    private static synchronized boolean isFirst() {
        boolean before = told;
        told = true;
        return !before;
    }

    private static UdpLink udp(InetAddress local, LocalInterface nic, LinkOptions options, PacketTap tap) {
        boolean opened = false;
        try {
            UdpLink link = new UdpLink(Gid.of(local), nic, options, tap);
            opened = true;
            return link;
        } finally {
            if (!opened) {
                Posix.exit();
            }
        }
    }

    /** Returns whether to use system calls. If so, {@link Posix#enter} has been called. */
    private static boolean enterNative(LinkOptions.Kind kind) {
        if (kind == LinkOptions.Kind.NIO) {
            return false;
        }
        String problem = Posix.enter();
        if (problem == null) {
            return true;
        }
        if (kind == LinkOptions.Kind.UDP) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "open_device",
                    "system calls were requested, but " + problem + "; or set " + LinkOptions.KIND_PROPERTY
                            + " to auto");
        }
        warn(problem);
        return false;
    }

    private static PacketTap tap(String file, long limit) {
        return TAPS.computeIfAbsent(
                Path.of(file).toAbsolutePath().normalize(), p -> new PacketTap(new PcapWriter(p, limit)));
    }

    /** Not a constant, because loading the logging classes takes longer than opening the device. */
    private static Logger log() {
        return System.getLogger(Links.class.getName());
    }
}

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
    /** Whether it was told that links are slow here. */
    private static boolean told;

    /** A file is written by all links of the process that are to write to it, and stays open for those that may come. */
    private static final ConcurrentMap<Path, PacketTap> TAPS = new ConcurrentHashMap<>();

    private Links() {}

    /**
     * Opens a link at a local address.
     *
     * @param local address of an interface of this machine, not a wildcard
     * @param options how
     * @return the link
     * @throws VerbsException where the address can't be had: the message says what to do
     * @throws IllegalArgumentException where the faults in the options can't be read
     */
    public static Link open(InetAddress local, LinkOptions options) {
        FaultPlan plan = options.faults() == null ? null : FaultPlan.parse(options.faults());
        if (local.isAnyLocalAddress() || local.isMulticastAddress()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "open_device",
                    local.getHostAddress() + " is not the address of one interface: give one that 'ip address' lists");
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
            link.close(); // else the address would stay in use
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
     * Whether GIDs in 127.0.0.0/8 are names on this machine, as it has one loopback address and not all of them: macOS,
     * for instance. Tried once.
     *
     * @return whether they are; false also where that can't be tried
     */
    public static boolean areNames() {
        return Loopback.IS_ONE_ADDRESS;
    }

    /**
     * Whether a GID is a name here, and no address.
     *
     * @param gid of a port of any process
     * @return whether {@link #areNames}, and it is in 127.0.0.0/8
     */
    public static boolean isName(Gid gid) {
        return isInLoopback(gid) && areNames();
    }

    /** Whether a GID is in 127.0.0.0/8: an address that no other machine can have. */
    private static boolean isInLoopback(Gid gid) {
        return gid.isIpv4Mapped() && (gid.interfaceId() >>> 24 & 0xff) == 127;
    }

    /**
     * Why nothing gets from one GID to another; null where something may.
     *
     * @param source a GID of this process
     * @param destination any GID
     * @return what to do instead, as the end of a message
     */
    public static String noWay(Gid source, Gid destination) {
        boolean named = isInLoopback(source);
        if (destination.isMulticast() || named == isInLoopback(destination) || !areNames()) {
            return null;
        }
        return (named ? source : destination) + " is a name: " + NamedAddresses.reach()
                + "; for other machines use a GID index with an address of an interface, at both ends";
    }

    /** {@return whom GIDs in 127.0.0.0/8 reach where they are names; null where they are addresses} */
    public static String reach() {
        return areNames() ? NamedAddresses.reach() : null;
    }

    /** What is tried when somebody asks. */
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
     * Largest payload of a packet that the interface of a local address carries; without opening anything.
     *
     * @param local address of an interface of this machine
     * @return 256, 512, 1024, 2048 or 4096
     * @throws VerbsException where no interface has the address
     */
    public static int pathMtu(InetAddress local) {
        return LocalInterface.of(local).pathMtu();
    }

    /** The number of the network interface of a local address, as in {@code if_nametoindex}; throws where no interface has it. */
    public static int interfaceIndex(InetAddress local) {
        return LocalInterface.of(local).index();
    }

    /** Warns where the links will be slow, without opening one. */
    public static void check(LinkOptions options) {
        if (options.kind() == LinkOptions.Kind.AUTO) {
            warn(Posix.unavailable());
        }
    }

    /**
     * The system calls by which processes share objects; throws where these options or this machine have none.
     *
     * @param verb what for
     */
    public static SystemUse systemUse(LinkOptions options, String verb) {
        if (options.kind() == LinkOptions.Kind.NIO) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the embedded device shares contexts by system calls, and " + LinkOptions.KIND_PROPERTY
                            + " is nio; leave that out");
        }
        return LinuxUse.begin(verb);
    }

    /** Makes a descriptor for event loops; null where these options or this machine have no system calls, or none is left. */
    public static EventFd newEventFd(LinkOptions options) {
        return options.kind() == LinkOptions.Kind.NIO ? null : EventFd.open();
    }

    /** Why links with these options would have no one copy, as far as can be told without a peer; null where they would. */
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

    /** No warning on other systems than Linux: nobody could do anything about it. */
    private static void warn(String problem) {
        if (problem != null && isFirst()) {
            log().log(
                            Posix.isLinux() ? Logger.Level.WARNING : Logger.Level.DEBUG,
                            "the embedded device sends its packets through the JDK's channels, at more than ten times the cost of"
                                    + " Linux' system calls in bulk: " + problem + "; -D" + LinkOptions.KIND_PROPERTY
                                    + "=nio keeps this quiet");
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

    /** Whether system calls are to be made; {@link Posix#enter} has then been called. */
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
                    "system calls were asked for but " + problem + "; or leave " + LinkOptions.KIND_PROPERTY
                            + " at auto");
        }
        warn(problem);
        return false;
    }

    private static PacketTap tap(String file, long limit) {
        return TAPS.computeIfAbsent(
                Path.of(file).toAbsolutePath().normalize(), p -> new PacketTap(new PcapWriter(p, limit)));
    }

    /** Not a constant: to load what logs takes longer than to open the device. */
    private static Logger log() {
        return System.getLogger(Links.class.getName());
    }
}

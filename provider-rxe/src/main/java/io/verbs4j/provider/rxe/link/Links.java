/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.wire.PcapWriter;
import java.lang.System.Logger;
import java.net.InetAddress;
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
        Link link = enterNative(options.kind()) ? udp(local, nic, options, tap) : new NioLink(local, nic, options, tap);
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

    private static void warn(String problem) {
        if (problem != null && isFirst()) {
            log().log(
                            Logger.Level.WARNING,
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
                    "system calls were asked for but " + problem + ": leave " + LinkOptions.KIND_PROPERTY
                            + " at auto, or add JNA to the class path");
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

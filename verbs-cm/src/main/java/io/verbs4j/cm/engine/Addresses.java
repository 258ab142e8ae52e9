/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.cm.spi.GsiPort;
import java.net.InetAddress;

/** Maps the program's addresses to those of a port. */
final class Addresses {
    private static final int IPV4_LENGTH = 4;

    private Addresses() {}

    /** Returns the GID of an address of the port; {@code localhost} maps to the port's loopback address. */
    static Gid local(GsiPort port, InetAddress address, String verb) {
        Gid gid = Gid.of(address);
        if (isLocalhost(port, gid)) {
            gid = loopback(port);
        }
        if (!port.gids().contains(gid)) {
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    verb,
                    address.getHostAddress() + " is not an address of the device: " + port.gids());
        }
        return gid;
    }

    /**
     * Returns whether an address means this machine but none of its devices. Embedded devices have addresses from
     * 127.64.0.0 up.
     */
    static boolean isLocalhost(GsiPort port, Gid gid) {
        if (!AddressCheck.isLoopback(gid) || port.gids().contains(gid)) {
            return false;
        }
        int second = (int) gid.interfaceId() >>> 16 & 0xff;
        return !gid.isIpv4Mapped() || second < 64;
    }

    /** Returns why an address cannot be the peer of a connection, or null if it can. */
    static String whyNoPeer(InetAddress host) {
        if (host.isMulticastAddress()) {
            return host.getHostAddress() + " is a multicast group: a connection has one peer";
        }
        byte[] bytes = host.getAddress();
        return bytes.length == IPV4_LENGTH && (bytes[0] & bytes[1] & bytes[2] & bytes[3] & 0xff) == 0xff
                ? host.getHostAddress() + " is a broadcast address: a connection has one peer"
                : null;
    }

    static String whyNoWay(GsiPort port, InetAddress host) {
        return "no address of the device can reach " + host.getHostAddress() + "; it has " + port.gids();
    }

    /**
     * Describes where a listener was looked up by name, if an event reports that it does not exist; otherwise returns
     * null.
     */
    static String whereSought(GsiPort port, int remotePort, int type, int status) {
        boolean nobody = type == CmEventType.REJECTED && status == RejectReason.INVALID_SERVICE_ID
                || type == CmEventType.UNREACHABLE && status == SidrTable.NOBODY;
        String where = nobody ? port.nameFolder() : null;
        return where == null
                ? null
                : "no process has published port " + remotePort + " in " + where
                        + "; use the address to reach a listener of another user, in another container or with another"
                        + " folder for temporary files";
    }

    /** Returns the port's address for use within this machine. */
    static Gid loopback(GsiPort port) {
        for (Gid gid : port.gids()) {
            if (AddressCheck.isLoopback(gid)) {
                return gid;
            }
        }
        return port.gids().get(0);
    }
}

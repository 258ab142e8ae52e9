/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.spi.GsiPort;
import java.net.InetAddress;

/** What addresses of programs mean at a port. */
final class Addresses {
    private Addresses() {}

    /** The GID of an address of the port; {@code localhost} means the one that the port has of that kind. */
    static Gid local(GsiPort port, InetAddress address, String verb) {
        Gid gid = Gid.of(address);
        if (isLocalhost(port, gid)) {
            gid = loopback(port);
        }
        if (!port.gids().contains(gid)) {
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    verb,
                    address.getHostAddress() + " is no address of the device: " + port.gids());
        }
        return gid;
    }

    /**
     * Whether an address means this machine, and not one of its devices: embedded devices have addresses from 127.64.0.0 up.
     */
    static boolean isLocalhost(GsiPort port, Gid gid) {
        if (!AddressCheck.isLoopback(gid) || port.gids().contains(gid)) {
            return false;
        }
        int second = (int) gid.interfaceId() >>> 16 & 0xff;
        return !gid.isIpv4Mapped() || second < 64;
    }

    /** The port's address for its own machine. */
    static Gid loopback(GsiPort port) {
        for (Gid gid : port.gids()) {
            if (AddressCheck.isLoopback(gid)) {
                return gid;
            }
        }
        return port.gids().get(0);
    }
}

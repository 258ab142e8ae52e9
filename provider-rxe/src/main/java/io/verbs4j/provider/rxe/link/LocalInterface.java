/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;

/**
 * The network interface of a local address.
 *
 * @param nic the interface
 * @param index its number, as in {@code if_nametoindex}
 * @param pathMtu largest payload of a packet that it carries
 */
record LocalInterface(NetworkInterface nic, int index, int pathMtu) {
    private static final int SMALLEST = 256;
    private static final int LARGEST = 4096;

    static LocalInterface of(InetAddress local) {
        try {
            NetworkInterface nic = find(local);
            if (nic == null) {
                throw SocketErrors.failed("open_device", "finding the interface", Errno.EADDRNOTAVAIL, Gid.of(local));
            }
            return new LocalInterface(nic, nic.getIndex(), pathMtu(nic.getMTU()));
        } catch (SocketException e) {
            throw new VerbsException(
                    Errno.ENODEV,
                    "open_device",
                    "no network interface of this machine is up, not even loopback (" + e.getMessage()
                            + "); on Linux 'ip link set lo up' is enough for processes of one machine",
                    e);
        }
    }

    private static NetworkInterface find(InetAddress local) throws SocketException {
        NetworkInterface loopback = null;
        for (NetworkInterface nic : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (Collections.list(nic.getInetAddresses()).contains(local)) {
                return nic;
            }
            if (loopback == null && local.isLoopbackAddress() && nic.isLoopback()) {
                loopback = nic;
            }
        }
        return loopback; // all of 127.0.0.0/8 is local on Linux, but only 127.0.0.1 is listed
    }

    /** Returns the largest path MTU whose packets, with all headers, fit an interface's MTU. */
    static int pathMtu(int mtu) {
        int fits = LARGEST;
        while (fits > SMALLEST && fits > mtu - Link.HEADROOM) {
            fits /= 2;
        }
        return fits;
    }
}

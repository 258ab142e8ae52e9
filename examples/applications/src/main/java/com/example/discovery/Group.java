/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.discovery;

import io.verbs4j.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The multicast group that finders ask. */
final class Group {
    private Group() {}

    /**
     * The group for a port. On RoCE its GID is an IP address, IPv4 ones mapped into IPv6, and of the family of the
     * port's own; the operating system or the device joins it on the network. On InfiniBand the subnet manager gives
     * out groups.
     */
    static Gid of(Gid port) {
        try {
            return Gid.of(InetAddress.getByName(port.isIpv4Mapped() ? "239.83.71.1" : "ff15::5347:1"));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // no name is looked up
        }
    }
}

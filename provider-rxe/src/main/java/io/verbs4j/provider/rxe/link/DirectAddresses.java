/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** GIDs that are IP addresses, all with the UDP port of RoCE v2. */
final class DirectAddresses implements Addressing {
    private final InetAddress local;
    private final LocalInterface nic;

    DirectAddresses(InetAddress local, LocalInterface nic) {
        this.local = local;
        this.nic = nic;
    }

    /** Returns the address of a GID; a link-local one gets the scope of this link's interface. */
    static InetAddress scoped(Gid gid, LocalInterface nic) {
        InetAddress ip = gid.toInetAddress();
        if (!SockAddr.isLinkLocal(gid.subnetPrefix())) {
            return ip;
        }
        try {
            return Inet6Address.getByAddress(null, ip.getAddress(), nic.index());
        } catch (UnknownHostException e) {
            return ip; // not an IPv6 address after all
        }
    }

    @Override
    public InetSocketAddress own() {
        return new InetSocketAddress(local, Link.PORT);
    }

    @Override
    public void bound(InetSocketAddress at) {
        // the GID already is the address
    }

    @Override
    public InetSocketAddress of(Gid gid) {
        return new InetSocketAddress(scoped(gid, nic), Link.PORT);
    }

    @Override
    public Gid of(InetSocketAddress socket) {
        return Gid.of(socket.getAddress());
    }

    @Override
    public int port(InetSocketAddress sender) {
        return sender.getPort();
    }

    @Override
    public boolean isFixed() {
        return true;
    }
}

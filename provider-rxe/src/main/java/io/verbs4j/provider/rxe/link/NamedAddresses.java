/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.files.PortNames;
import io.verbs4j.provider.rxe.port.OwnProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * GIDs that are names, for machines with one loopback address: each is a port of that. Groups are what they are
 * elsewhere. All packets look as if they came from the UDP port of RoCE v2.
 */
final class NamedAddresses implements Addressing {
    private final Gid local;
    private final InetAddress loopback;
    private final PortNames names;

    /**
     * Makes it.
     *
     * @param local the name, an address in 127.0.0.0/8 that this machine does not have
     * @param loopback the address that it has
     */
    NamedAddresses(Gid local, InetAddress loopback) {
        this.local = local;
        this.loopback = loopback;
        names = new PortNames(local);
    }

    /** Whether a GID is a name where those are needed: an address that nobody else can have. */
    static boolean isName(Gid gid) {
        return gid.isIpv4Mapped() && (gid.interfaceId() >>> 24 & 0xff) == 127;
    }

    @Override
    public InetSocketAddress own() {
        return new InetSocketAddress(loopback, 0);
    }

    @Override
    public void bound(InetSocketAddress at) throws IOException {
        OwnProcess holder = names.publish(at.getPort());
        if (holder != null) {
            throw new VerbsException(
                    Errno.EADDRINUSE,
                    "open_device",
                    "process " + holder.pid() + " has the name " + local + ": give this device another address");
        }
    }

    @Override
    public InetSocketAddress of(Gid gid) {
        if (gid.isMulticast()) {
            return new InetSocketAddress(gid.toInetAddress(), Link.PORT);
        }
        int port = names.find(gid);
        return port == 0 ? null : new InetSocketAddress(loopback, port);
    }

    @Override
    public Gid of(InetSocketAddress socket) {
        return socket.getAddress().equals(loopback) ? names.name(socket.getPort()) : null;
    }

    @Override
    public int port(InetSocketAddress sender) {
        return Link.PORT;
    }

    @Override
    public boolean isFixed() {
        return false;
    }

    @Override
    public void close() {
        names.withdraw();
    }
}

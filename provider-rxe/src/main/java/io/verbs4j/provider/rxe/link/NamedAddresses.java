/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.files.PortNames;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * GIDs that are names, for machines with one loopback address: each is a port of that address. Multicast groups work as
 * on other machines. All packets look as if they came from the UDP port of RoCE v2.
 */
final class NamedAddresses implements Addressing {
    private static final Long TOLD = Long.MIN_VALUE;

    /** Grace period, because a peer that communicated its GID otherwise may publish it a moment later. */
    private static final long SOON = TimeUnit.SECONDS.toNanos(1);

    private final Gid local;
    private final InetAddress loopback;
    private final PortNames names;

    /** Time since which packets to a GID go nowhere; {@link #TOLD} once this was logged. */
    private final ConcurrentMap<Gid, Long> nowhere = new ConcurrentHashMap<>();

    /**
     * Creates the mapping.
     *
     * @param local the name, an address in 127.0.0.0/8 that this machine does not have
     * @param loopback the loopback address that it has
     */
    NamedAddresses(Gid local, InetAddress loopback) {
        this.local = local;
        this.loopback = loopback;
        names = new PortNames(local);
    }

    /** Returns a sentence about which processes names reach. */
    static String reach() {
        return "this machine has only 127.0.0.1, so GIDs in 127.0.0.0/8 are names, which reach only processes of this"
                + " user on this machine with the same folder for temporary files (java.io.tmpdir, here "
                + System.getProperty("java.io.tmpdir") + ")";
    }

    @Override
    public InetSocketAddress own() {
        return new InetSocketAddress(loopback, 0);
    }

    @Override
    public void bound(InetSocketAddress at) {
        long holder;
        try {
            holder = names.publish(at.getPort());
        } catch (IOException e) {
            throw new VerbsException(
                    Errno.EACCES,
                    "open_device",
                    "no process could find " + local
                            + " because this one can't write to the folder for temporary files, "
                            + System.getProperty("java.io.tmpdir") + ": " + e
                            + "; use -Djava.io.tmpdir to choose another one, on both sides",
                    e);
        }
        if (holder != 0) {
            throw new VerbsException(
                    Errno.EADDRINUSE,
                    "open_device",
                    "process " + holder + " already has the name " + local + ": give this device another address");
        }
    }

    @Override
    public InetSocketAddress of(Gid gid) {
        if (gid.isMulticast()) {
            return new InetSocketAddress(gid.toInetAddress(), Link.PORT);
        }
        int port = names.find(gid);
        if (port == 0) {
            nowhere(gid);
            return null;
        }
        nowhere.remove(gid);
        return new InetSocketAddress(loopback, port);
    }

    private void nowhere(Gid gid) {
        long now = System.nanoTime();
        Long since = nowhere.putIfAbsent(gid, now);
        if (since != null && !since.equals(TOLD) && now - since > SOON && nowhere.replace(gid, since, TOLD)) {
            System.getLogger(NamedAddresses.class.getName())
                    .log(Level.WARNING, "packets to " + gid + " go nowhere: no process has that GID; " + reach());
        }
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

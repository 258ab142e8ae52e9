/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.ContextOps;
import io.verbs4j.Gid;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.cm.spi.GsiReceiver;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Management packets from the first port of a device to itself, from hand to hand. */
final class LocalGsi implements GsiPort {
    private static final int PORT = 1;

    private final long guid;
    private final List<Gid> gids = new ArrayList<>();
    private final int mtu;
    private volatile GsiReceiver receiver;

    /** That of an open device, which is asked now only. */
    LocalGsi(long guid, ContextOps device) {
        this.guid = guid;
        PortAttr attr = new PortAttr();
        device.queryPort(PORT, attr);
        mtu = Mtu.toBytes(attr.activeMtu());
        for (int i = 0; i < attr.gidTblLen(); i++) {
            gids.add(device.queryGid(PORT, i));
        }
    }

    @Override
    public String name() {
        return ManagedProvider.DEVICE;
    }

    @Override
    public long guid() {
        return guid;
    }

    @Override
    public List<Gid> gids() {
        return gids;
    }

    @Override
    public int pathMtu(int gidIndex) {
        return mtu;
    }

    @Override
    public Gid sourceFor(Gid destination) {
        return gids.contains(destination) ? destination : null;
    }

    @Override
    public void open(GsiReceiver to) {
        receiver = to;
    }

    @Override
    public void close() {
        receiver = null;
    }

    @Override
    public void send(Gid source, Gid destination, int trafficClass, ByteBuffer mad) {
        GsiReceiver now = receiver;
        if (now != null && gids.contains(destination)) {
            now.received(source, destination, mad, 0, MAD_LENGTH);
        }
    }

    @Override
    public void publish(int portSpace, int port, Gid address) {
        // no other process reaches this device
    }

    @Override
    public void withdraw(int portSpace, int port) {
        // as it was not made known
    }

    @Override
    public Gid lookUp(int portSpace, int port) {
        return null;
    }
}

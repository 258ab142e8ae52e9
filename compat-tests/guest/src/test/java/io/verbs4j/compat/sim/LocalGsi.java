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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Passes management packets directly from the first port of a device to itself. */
final class LocalGsi implements GsiPort {
    /** System property: the delay in milliseconds of a confirmation, the last of the three messages. */
    static final String LATE = "verbs4j.sim.late";

    private static final int PORT = 1;
    private static final int ATTRIBUTE = 16;
    private static final int READY_TO_USE = 0x14;

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
        if (!gids.contains(destination)) {
            return;
        }
        int late = mad.getShort(ATTRIBUTE) == READY_TO_USE ? Integer.getInteger(LATE, 0) : 0;
        if (late == 0) {
            deliver(source, destination, mad);
        } else {
            ByteBuffer copy = ByteBuffer.allocate(MAD_LENGTH).put(0, mad, 0, MAD_LENGTH);
            CompletableFuture.delayedExecutor(late, TimeUnit.MILLISECONDS)
                    .execute(() -> deliver(source, destination, copy));
        }
    }

    private void deliver(Gid source, Gid destination, ByteBuffer mad) {
        GsiReceiver now = receiver;
        if (now != null) {
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

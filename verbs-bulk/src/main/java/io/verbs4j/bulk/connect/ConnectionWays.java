/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.strategy.Abilities;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;

/** An endpoint's connection methods; finds out which of them a device supports. */
public final class ConnectionWays implements AutoCloseable {
    private final Resources resources = new Resources();
    private final CmConnections byManager = resources.add(new CmConnections());
    private final TcpConnections byTcp;

    /**
     * Creates the methods of an endpoint.
     *
     * @param name part of thread names
     */
    public ConnectionWays(String name) {
        byTcp = resources.add(new TcpConnections(name + "-tcp"));
    }

    /** Connections by TCP. */
    public Connections tcp() {
        return byTcp;
    }

    /** Uses the device's connection manager, or TCP if the device has none or supports only datagrams. */
    public Connections automatic(Context context, Abilities abilities) {
        return !abilities.usesDatagrams() && managerRefusal(context) == null ? byManager : byTcp;
    }

    /**
     * Uses the device's connection manager.
     *
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if it has none
     */
    public Connections manager(Context context, Abilities abilities) {
        if (abilities.usesDatagrams()) {
            throw refused(context, "it has no reliable connections", null);
        }
        VerbsException refusal = managerRefusal(context);
        if (refusal != null) {
            throw refused(context, refusal.getMessage(), refusal);
        }
        return byManager;
    }

    private static VerbsException refused(Context context, String why, VerbsException cause) {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                "bulk_open",
                "no connection manager for " + context.device() + ": " + why
                        + "; use BulkConnections.TCP on both sides, or another device",
                cause);
    }

    /** Returns why a device has no connection manager, or null if it has one. Finds out by creating an id. */
    private static VerbsException managerRefusal(Context context) {
        try (EventChannel channel = EventChannel.create()) {
            channel.createId(context, PortSpace.TCP).close();
            return null;
        } catch (VerbsException e) {
            return switch (e.errno()) {
                case Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.ENODEV, Errno.ENOENT -> e;
                default -> throw e;
            };
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}

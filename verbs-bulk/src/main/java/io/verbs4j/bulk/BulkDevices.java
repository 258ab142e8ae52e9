/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionWays;
import io.verbs4j.bulk.connect.Connections;
import io.verbs4j.bulk.progress.Adapter;
import io.verbs4j.bulk.strategy.Abilities;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates an endpoint's adapters as its configuration requires. */
final class BulkDevices {
    private final BulkConfig config;
    private final ConnectionWays ways;
    private final AtomicInteger made = new AtomicInteger();

    BulkDevices(BulkConfig config, ConnectionWays ways) {
        this.config = config;
        this.ways = ways;
    }

    /**
     * Creates the adapter of a device; fails if the device lacks an operation.
     *
     * @param index its place in the endpoint
     */
    Adapter make(Context context, int index) {
        Abilities abilities = requireAble(context);
        Connections connections = switch (config.connections()) {
            case AUTOMATIC -> ways.automatic(context, abilities);
            case CM -> ways.manager(context, abilities);
            case TCP -> ways.tcp();
        };
        return new Adapter(context, made.getAndIncrement(), abilities, connections, index, config.limits());
    }

    private static Abilities requireAble(Context context) {
        Abilities abilities = Abilities.of(context);
        String missing = abilities.missing();
        if (missing != null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "bulk_open",
                    context.device() + " can't use reliable connections, because it lacks " + missing
                            + ", and does not support datagrams; use another device");
        }
        return abilities;
    }
}

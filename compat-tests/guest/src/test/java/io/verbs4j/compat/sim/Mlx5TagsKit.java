/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.Capability;
import java.util.EnumSet;
import java.util.Set;

/** A simulated ConnectX on InfiniBand, by libmlx5's path, which supports tag matching. Runs under device-sim/run. */
class Mlx5TagsKit extends Mlx5Kit {
    @Override
    protected int gidIndex() {
        return 0;
    }

    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = super.capabilities();
        all.removeAll(EnumSet.range(Capability.ETHERNET, Capability.WORK_QUEUES));
        all.addAll(EnumSet.of(Capability.TAG_MATCHING, Capability.TAG_RENDEZVOUS));
        return all;
    }
}

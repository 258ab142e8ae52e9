/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.Capability;
import io.verbs4j.compat.kit.FullKit;
import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * A simulated ConnectX through libmlx5, by the data path that the provider's property selects. Runs under
 * device-sim/run.
 */
class Mlx5Kit extends FullKit {
    /** Property: whether the device binds memory windows. */
    static final String WINDOWS = "verbs4j.kit.windows";

    /** Property: the release of rdma-core; 0 for the installed one. */
    static final String RELEASE = "verbs4j.kit.release";

    private static final boolean HAS_WINDOWS = Boolean.parseBoolean(System.getProperty(WINDOWS, "true"));

    @Override
    protected VerbsProvider provider() {
        return new Mlx5Provider();
    }

    @Override
    protected int level() {
        return 4;
    }

    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = super.capabilities();
        if (!HAS_WINDOWS) {
            all.removeAll(EnumSet.of(Capability.MEMORY_WINDOWS, Capability.TYPE_2_WINDOWS, Capability.SEND_WITH_INV));
        }
        all.remove(Capability.RATE_LIMIT); // the simulator has limits only on request
        all.addAll(EnumSet.of(
                Capability.REG_MR_EX,
                Capability.DMABUF, // the simulator accepts any file as a dma-buf
                Capability.ZERO_BASED,
                Capability.NULL_MR,
                Capability.ON_DEMAND,
                Capability.ADVISE_MR,
                Capability.DEVICE_MEMORY,
                Capability.PARENT_DOMAIN,
                Capability.RING_ALLOCATORS,
                Capability.BLOCK_SELF_MULTICAST,
                Capability.IMPORTS));
        all.addAll(EnumSet.range(Capability.ETHERNET, Capability.WORK_QUEUES));
        if (!"native".equals(System.getProperty("io.verbs4j.mlx5.path"))) {
            // Java writes them into the ring; libmlx5 has no call for them.
            all.addAll(EnumSet.of(
                    Capability.NOP, Capability.MASKED_ATOMICS, Capability.CROSS_CHANNEL, Capability.FAST_REGISTER));
        }
        if (Integer.getInteger(RELEASE, 0) >= 59) {
            all.add(Capability.DMA_HINTS);
        }
        if (Integer.getInteger(RELEASE, 0) >= 64) {
            all.add(Capability.DMA_BUFFERS);
        }
        return all;
    }

    @Override
    protected String deviceName() {
        return "mlx5_0";
    }

    @Override
    protected int gidIndex() {
        return 1;
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
    }

    /** A frame reaches only the other ports of the segment. */
    @Override
    protected int framePort() {
        return 2;
    }
}

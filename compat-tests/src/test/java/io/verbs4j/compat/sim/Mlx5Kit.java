/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.FullKit;
import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** A simulated ConnectX through libmlx5, by the data path that the provider's property names. Runs under device-sim/run. */
class Mlx5Kit extends FullKit {
    @Override
    protected VerbsProvider provider() {
        return new Mlx5Provider();
    }

    @Override
    protected int level() {
        return 3;
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

    /** The simulator has limits only where it is asked to. */
    @Override
    protected boolean hasRateLimit() {
        return false;
    }
}

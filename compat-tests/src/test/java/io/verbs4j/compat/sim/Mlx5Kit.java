/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** A simulated ConnectX through libmlx5, by the data path that the provider's property names. Runs under device-sim/run. */
class Mlx5Kit extends ProviderKit {
    @Override
    protected VerbsProvider provider() {
        return new Mlx5Provider();
    }

    @Override
    protected int level() {
        return 2;
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

    /** A queue that Java polls can't be resized. */
    @Override
    protected boolean hasResizeCq() {
        return "native".equals(System.getProperty("io.verbs4j.mlx5.path"));
    }

    @Override
    protected boolean hasMulticast() {
        return true;
    }

    @Override
    protected boolean hasUc() {
        return true;
    }

    @Override
    protected boolean hasUd() {
        return true;
    }

    @Override
    protected boolean hasRdmaWrite() {
        return true;
    }

    @Override
    protected boolean hasRdmaRead() {
        return true;
    }

    @Override
    protected boolean hasAtomics() {
        return true;
    }

    @Override
    protected boolean hasImmediate() {
        return true;
    }

    @Override
    protected boolean hasInline() {
        return true;
    }

    @Override
    protected boolean hasSrq() {
        return true;
    }

    @Override
    protected boolean hasMemoryWindows() {
        return true;
    }

    @Override
    protected boolean hasCompletionEvents() {
        return true;
    }

    @Override
    protected boolean hasAsyncEvents() {
        return true;
    }

    @Override
    protected boolean hasRnr() {
        return true;
    }

    @Override
    protected boolean hasExtendedVerbs() {
        return true;
    }

    @Override
    protected boolean hasXrc() {
        return true;
    }
}

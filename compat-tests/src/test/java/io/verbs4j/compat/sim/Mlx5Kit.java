/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.FullKit;
import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** A simulated ConnectX through libmlx5, by the data path that the provider's property names. Runs under device-sim/run. */
class Mlx5Kit extends FullKit {
    /** The property that says whether the device binds memory windows. */
    static final String WINDOWS = "verbs4j.kit.windows";

    /** The property that names the release of rdma-core; 0 for the installed one. */
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

    @Override
    protected boolean hasMemoryWindows() {
        return HAS_WINDOWS;
    }

    @Override
    protected boolean hasTypeTwoWindows() {
        return HAS_WINDOWS;
    }

    @Override
    protected boolean hasSendWithInvalidate() {
        return HAS_WINDOWS;
    }

    /** The simulator has limits only where it is asked to. */
    @Override
    protected boolean hasRateLimit() {
        return false;
    }

    // ---- the rest of level 3

    @Override
    protected boolean hasRegMrEx() {
        return true;
    }

    @Override
    protected boolean hasZeroBased() {
        return true;
    }

    @Override
    protected boolean hasNullMr() {
        return true;
    }

    @Override
    protected boolean hasOnDemand() {
        return true;
    }

    @Override
    protected boolean hasAdviseMr() {
        return true;
    }

    @Override
    protected boolean hasDeviceMemory() {
        return true;
    }

    @Override
    protected boolean hasParentDomain() {
        return true;
    }

    @Override
    protected boolean hasRingAllocators() {
        return true;
    }

    @Override
    protected boolean hasBlockSelfMulticast() {
        return true;
    }

    /** The simulator takes any file for a dma-buf. */
    @Override
    protected boolean hasDmabufOfFiles() {
        return true;
    }

    /** Java writes them into the ring; libmlx5 has no call for them. */
    private static boolean writesRing() {
        return !"native".equals(System.getProperty("io.verbs4j.mlx5.path"));
    }

    @Override
    protected boolean hasNop() {
        return writesRing();
    }

    @Override
    protected boolean hasMaskedAtomics() {
        return writesRing();
    }

    @Override
    protected boolean hasCrossChannel() {
        return writesRing();
    }

    @Override
    protected boolean hasFastRegister() {
        return writesRing();
    }

    // ---- level 4

    @Override
    protected boolean hasDmaBuffers() {
        return Integer.getInteger(RELEASE, 0) >= 64;
    }

    @Override
    protected boolean hasDmaHints() {
        return Integer.getInteger(RELEASE, 0) >= 59;
    }

    @Override
    protected boolean hasImports() {
        return true;
    }

    @Override
    protected boolean hasEthernet() {
        return true;
    }

    @Override
    protected boolean hasFlowActions() {
        return hasEthernet();
    }

    @Override
    protected boolean hasFlowCounters() {
        return hasEthernet();
    }

    @Override
    protected boolean hasChecksums() {
        return hasEthernet();
    }

    @Override
    protected boolean hasVlanStripping() {
        return hasEthernet();
    }

    @Override
    protected boolean hasTso() {
        return hasEthernet();
    }

    @Override
    protected boolean hasWorkQueues() {
        return hasEthernet();
    }

    /** A frame reaches only the other ports of the segment. */
    @Override
    protected int framePort() {
        return 2;
    }
}

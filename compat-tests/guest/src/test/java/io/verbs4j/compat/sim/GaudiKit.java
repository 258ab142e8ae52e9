/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.Capability;
import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.provider.gaudi.GaudiProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * A simulated Gaudi: RDMA writes only, one context, one key, late numbers and few error details. Runs under
 * device-sim/run.
 */
class GaudiKit extends ProviderKit {
    /** Property: the device of the other side; by default the same device. */
    static final String PEER = "verbs4j.kit.peer";

    @Override
    protected VerbsProvider provider() {
        return new GaudiProvider();
    }

    @Override
    protected int level() {
        return 4;
    }

    @Override
    protected Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.RC,
                Capability.SENDER_ADDRESS,
                Capability.RDMA_WRITE,
                Capability.ASYNC_EVENTS,
                Capability.EXTENDED,
                Capability.SEND_OPS,
                Capability.EXTENDED_CQ,
                Capability.QUERY_DEVICE_EX,
                Capability.QUERY_GID_EX,
                Capability.DATA_IN_ORDER);
    }

    @Override
    protected String deviceName() {
        return "hbl_0";
    }

    @Override
    protected String peerDeviceName() {
        return System.getProperty(PEER, deviceName());
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
    }

    @Override
    protected boolean hasNumbersAtCreation() {
        return false;
    }

    @Override
    protected boolean hasRemoteReasons() {
        return false;
    }

    @Override
    protected boolean hasOverrunErrors() {
        return false;
    }
}

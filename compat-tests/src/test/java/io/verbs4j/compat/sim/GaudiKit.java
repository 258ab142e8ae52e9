/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.provider.gaudi.GaudiProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** A simulated Gaudi, which writes and does nothing else, has one context and one key, late numbers and few words for errors. Runs under device-sim/run. */
class GaudiKit extends ProviderKit {
    /** The property that names the device of the other side; without it, that is the same device. */
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
    protected boolean hasSend() {
        return false;
    }

    @Override
    protected boolean hasRdmaWrite() {
        return true;
    }

    @Override
    protected boolean hasSeveralContexts() {
        return false;
    }

    @Override
    protected boolean hasRegionKeys() {
        return false;
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

    @Override
    protected boolean hasAsyncEvents() {
        return true;
    }

    @Override
    protected boolean hasExtendedVerbs() {
        return true;
    }

    @Override
    protected boolean hasSendOps() {
        return true;
    }

    @Override
    protected boolean hasExtendedCq() {
        return true;
    }

    @Override
    protected boolean hasQueryDeviceEx() {
        return true;
    }

    @Override
    protected boolean hasQueryGidEx() {
        return true;
    }

    @Override
    protected boolean hasDataInOrder() {
        return true;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.provider.efa.EfaProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;

/** A simulated EFA through libefa, which has no connections. Runs under device-sim/run. */
class EfaKit extends ProviderKit {
    /** The property that names the release of rdma-core, by which libefa has more or less. */
    static final String RELEASE = "verbs4j.kit.release";

    private static boolean since(int release) {
        return Integer.getInteger(RELEASE) >= release;
    }

    @Override
    protected VerbsProvider provider() {
        return new EfaProvider();
    }

    @Override
    protected int level() {
        return 4;
    }

    @Override
    protected String deviceName() {
        return "efa_0";
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
    }

    @Override
    protected boolean hasRc() {
        return false;
    }

    @Override
    protected boolean hasUd() {
        return true;
    }

    @Override
    protected boolean hasSenderAddress() {
        return false; // a completion names an address handle
    }

    @Override
    protected boolean hasReliableDatagrams() {
        return true;
    }

    @Override
    protected boolean hasRdmaRead() {
        return true;
    }

    @Override
    protected boolean hasRdmaWrite() {
        return since(46);
    }

    @Override
    protected boolean hasRemoteWriteRights() {
        return true; // by whoever has a newer libefa
    }

    @Override
    protected boolean hasParentDomain() {
        return since(59);
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
    protected boolean hasRnr() {
        return true;
    }

    @Override
    protected boolean hasCompletionEvents() {
        return since(38);
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
        return since(44); // its libibverbs has it, its libefa says that nothing is in order
    }

    @Override
    protected boolean hasDmaBuffers() {
        return since(64);
    }

    @Override
    protected boolean hasCompletionCounters() {
        return since(65);
    }
}

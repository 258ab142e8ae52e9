/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.compat.kit.Capability;
import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.provider.efa.EfaProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** A simulated EFA through libefa, without connections. Runs under device-sim/run. */
class EfaKit extends ProviderKit {
    /** Property: the release of rdma-core, on which libefa's abilities depend. */
    static final String RELEASE = "verbs4j.kit.release";

    /** The release of rdma-core that added each of these capabilities. */
    private static final Map<Capability, Integer> SINCE = Map.of(
            Capability.COMPLETION_EVENTS, 38,
            Capability.DATA_IN_ORDER, 44, // libibverbs has it, but libefa reports that nothing is in order
            Capability.RDMA_WRITE, 46,
            Capability.PARENT_DOMAIN, 59,
            Capability.DMA_BUFFERS, 64,
            Capability.COMPLETION_COUNTERS, 65);

    @Override
    protected VerbsProvider provider() {
        return new EfaProvider();
    }

    @Override
    protected int level() {
        return 4;
    }

    /** Leaves out SENDER_ADDRESS, because a completion names an address handle. */
    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = EnumSet.of(
                Capability.UD,
                Capability.RELIABLE_DATAGRAMS,
                Capability.SEND,
                Capability.RDMA_READ,
                Capability.IMMEDIATE,
                Capability.INLINE,
                Capability.RNR,
                Capability.ASYNC_EVENTS,
                Capability.SEVERAL_CONTEXTS,
                Capability.REGION_KEYS,
                Capability.EXTENDED,
                Capability.SEND_OPS,
                Capability.EXTENDED_CQ,
                Capability.QUERY_DEVICE_EX,
                Capability.QUERY_GID_EX);
        SINCE.forEach((capability, release) -> {
            if (Integer.getInteger(RELEASE) >= release) {
                all.add(capability);
            }
        });
        return all;
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
    protected boolean hasRemoteWriteRights() {
        return true; // by whoever has a newer libefa
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import io.verbs4j.compat.kit.Capability;
import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.spi.VerbsProvider;
import java.util.EnumSet;
import java.util.Set;

/** The provider of level 3 conforms to its level. */
class LaterLoopKitTest extends ProviderKit {
    @Override
    protected VerbsProvider provider() {
        return new LaterLoopProvider();
    }

    @Override
    protected int level() {
        return 3;
    }

    @Override
    protected Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.RC,
                Capability.SEND,
                Capability.RDMA_WRITE,
                Capability.RNR,
                Capability.SEVERAL_CONTEXTS,
                Capability.REGION_KEYS,
                Capability.EXTENDED,
                Capability.QUERY_DEVICE_EX);
    }
}

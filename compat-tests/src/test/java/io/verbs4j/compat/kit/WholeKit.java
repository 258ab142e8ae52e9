/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.util.EnumSet;
import java.util.Set;

/** The kit on a device that claims every capability, also those of level 4, except Ethernet, ECE and hints. */
public abstract class WholeKit extends FullKit {
    @Override
    protected Set<Capability> capabilities() {
        Set<Capability> all = super.capabilities();
        all.addAll(EnumSet.range(Capability.ATOMIC_WRITE, Capability.CROSS_CHANNEL));
        all.addAll(EnumSet.of(
                Capability.IMPORTS,
                Capability.COMPLETION_COUNTERS,
                Capability.TAG_MATCHING,
                Capability.TAG_RENDEZVOUS,
                Capability.DMA_BUFFERS));
        return all;
    }
}

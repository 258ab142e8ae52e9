/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.CompCntrCapsLayout;

/**
 * What completion counters a device has: the answer of {@link EfaDv#queryCompCntrCaps()}. Here until the verb
 * comes, see {@link EfaCompCntr}. Source: ibv_query_comp_cntr_caps(3).
 */
public final class EfaCompCntrCaps extends Answer {
    private record Values(long maxValue, int maxCounters, int attachOps) {}

    private final Values values;

    EfaCompCntrCaps(long at) {
        this(new Values(
                NativeMemory.getLong(at + CompCntrCapsLayout.MAX_VALUE),
                NativeMemory.getInt(at + CompCntrCapsLayout.MAX_COUNTERS),
                NativeMemory.getInt(at + CompCntrCapsLayout.SUPPORTED_QP_ATTACH_OPS)));
    }

    private EfaCompCntrCaps(Values values) {
        super(values);
        this.values = values;
    }

    /** {@return the highest value, after which a counter begins at 0 again; unsigned} */
    public long maxValue() {
        return values.maxValue();
    }

    /** {@return the most counters of the device, unsigned} */
    public int maxCounters() {
        return values.maxCounters();
    }

    /** {@return what can be counted, {@link EfaCompCntrOps} bits} */
    public int attachOps() {
        return values.attachOps();
    }
}

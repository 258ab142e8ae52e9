/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.CompCntrCapsLayout;

/**
 * The limits of a device's completion counters, returned by {@link EfaDv#queryCompCntrCaps()}. For counters of any
 * device see {@link io.verbs4j.CompCntrCaps}. Source: {@code ibv_query_comp_cntr_caps(3)}.
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

    /** {@return the highest value, after which a counter continues at 0; unsigned} */
    public long maxValue() {
        return values.maxValue();
    }

    /** {@return the maximum number of counters of the device, unsigned} */
    public int maxCounters() {
        return values.maxCounters();
    }

    /** {@return the operations that can be counted, {@link EfaCompCntrOps} bits} */
    public int attachOps() {
        return values.attachOps();
    }
}

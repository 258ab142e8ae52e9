/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.Counters;

/** Counters of a native device. */
public final class NativeCounters extends Counters {
    /** The {@code struct ibv_counters}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_counters}. */
    public NativeCounters(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
    }
}

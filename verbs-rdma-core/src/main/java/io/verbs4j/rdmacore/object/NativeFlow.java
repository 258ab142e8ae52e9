/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Flow;
import io.verbs4j.QueuePair;

/** A rule that steers packets to a queue pair of a native device. */
public final class NativeFlow extends Flow {
    /** The {@code struct ibv_flow}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_flow}. */
    public NativeFlow(QueuePair qp, long address) {
        super(qp);
        ibv = new IbvObject(address);
    }
}

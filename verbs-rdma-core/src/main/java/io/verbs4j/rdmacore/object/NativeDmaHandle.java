/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.DmaHandle;

/** A DMA handle of a native device, which carries hints for memory access. */
public final class NativeDmaHandle extends DmaHandle {
    /** The {@code struct ibv_dmah}. */
    public final IbvObject ibv;

    /** Creates the handle of a {@code struct ibv_dmah}. */
    public NativeDmaHandle(Context context, long address) {
        super(context);
        ibv = new IbvObject(address);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;

/** A reusable request that receives into one slot. Belongs to the loop's thread. */
final class ReceiveRequest {
    private final ScatterGatherElement piece = new ScatterGatherElement();
    private final RecvWorkRequest request = new RecvWorkRequest().sgList(piece);
    private final Slab slab;

    ReceiveRequest(Slab slab) {
        this.slab = slab;
    }

    /** {@return the request for this slot; post it before the next call} */
    RecvWorkRequest prepared(Slot slot) {
        piece.addr(slot.address).length(slab.slotSize()).lkey(slot.lkey());
        return request.wrId(LoopQueues.RECEIVE | slot.index);
    }
}

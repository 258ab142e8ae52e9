/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.io.IOException;

/** RDMA writes. The program at the other end does nothing meanwhile. */
final class RcWrites extends Rc {
    RcWrites(Link link, int size) throws IOException {
        super(link, size, 1, 0);
        for (SendWorkRequest request : requests()) {
            request.opcode(WrOpcode.RDMA_WRITE)
                    .rkey(peer.rkey())
                    .sgList(ScatterGatherElement.of(end.memory(), sourceOffset(), size));
        }
        end.connect(peer);
        link.exchange("connected");
    }

    @Override
    void address(SendWorkRequest request, long number) {
        request.remoteAddr(peer.addr() + number % places * size);
    }

    @Override
    public boolean isOneSided() {
        return true;
    }
}

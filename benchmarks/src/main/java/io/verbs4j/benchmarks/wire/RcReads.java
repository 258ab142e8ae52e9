/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import java.io.IOException;

/** RDMA reads. The program at the other end does nothing meanwhile. */
final class RcReads extends Rc {
    /** Number of RDMA reads in flight: the default of the connection manager's connections. */
    private static final int UNDER_WAY = 128;

    private final ScatterGatherElement[][] targets;

    RcReads(Link link, int size) throws IOException {
        super(link, size, 1, 0);
        targets = new ScatterGatherElement[places][];
        for (int i = 0; i < places; i++) {
            targets[i] = new ScatterGatherElement[] {ScatterGatherElement.of(end.memory(), (long) i * size, size)};
        }
        for (SendWorkRequest request : requests()) {
            request.opcode(WrOpcode.RDMA_READ).rkey(peer.rkey()).remoteAddr(peer.addr() + sourceOffset());
        }
        end.connect(peer, UNDER_WAY);
        link.exchange("connected");
    }

    @Override
    void address(SendWorkRequest request, long number) {
        request.sgList(targets[(int) (number % places)]);
    }

    @Override
    public boolean isOneSided() {
        return true;
    }

    @Override
    public boolean isRead() {
        return true;
    }
}

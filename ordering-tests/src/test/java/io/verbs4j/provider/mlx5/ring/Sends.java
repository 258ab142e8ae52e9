/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.ordering.Blocks;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.WindowBook;
import io.verbs4j.rdmacore.object.WindowLog;

/** A send ring in plain memory, with a doorbell of two halves. */
final class Sends {
    static final int HALF = 64;

    final long memory = Blocks.take();
    final long record = memory + 128;
    final long register = memory + 256;
    final SendRing ring;

    /** Creates a ring of one or two places. */
    Sends(int places) {
        ring = new SendRing(new SendElements.Setup(
                memory,
                places,
                record,
                new Doorbell(register, HALF, true, false, false),
                7,
                Transport.of(QpType.RC),
                true,
                places,
                1,
                0,
                QpCreateSendOps.RDMA_WRITE | QpCreateSendOps.SEND,
                null,
                new RegionTable(),
                new WindowLog(new WindowBook(false), () -> 7, false, 128, () -> {})));
    }

    int post(long id) {
        return ring.post(new SendWorkRequest().wrId(id).opcode(WrOpcode.SEND), null);
    }
}

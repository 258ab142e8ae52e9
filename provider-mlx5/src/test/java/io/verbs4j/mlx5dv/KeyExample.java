/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;

/** Keys with layouts and signatures, as shown in docs/guides/mlx5dv.md. */
public final class KeyExample {
    private KeyExample() {}

    /** Creates a queue pair whose requests change keys. */
    public static QueuePair queuePair(Context context, ProtectionDomain pd, CompletionQueue cq) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);

        QueuePair qp = dv.createQp(
                new QpInitAttrEx()
                        .qpType(QpType.RC)
                        .pd(pd)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap()
                                .maxSendWr(64)
                                .maxRecvWr(64)
                                .maxSendSge(1)
                                .maxRecvSge(1)
                                .maxInlineData(512)),
                new Mlx5QpInitAttr().sendOpsFlags(Mlx5SendOps.MKEY_CONFIGURE));
        return qp;
    }

    /** Makes a key refer to a column of a matrix: 8 bytes of each row of 4096. Returns 0 or an errno. */
    public static int column(Mlx5Dv dv, QueuePair qp, Mlx5Mkey key, MemoryRegion matrix, int rows, int column) {
        Mlx5MkeyRequest request = new Mlx5MkeyRequest()
                .request(1, SendFlags.SIGNALED)
                .mkey(key) // dv.createMkey(pd, Mlx5MkeyFlags.INDIRECT, 4)
                .access(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ)
                .interleaved(rows, new Mlx5Interleaved(matrix.lkey(), matrix.addr() + 8L * column, 8, 4096 - 8));
        int error = dv.postSend(qp, request);
        return error;
    }

    /**
     * Makes the device add and check T10-DIF of blocks in memory, which the peer does not see. Returns 0 or an errno.
     */
    public static int sign(Mlx5Dv dv, QueuePair qp, Mlx5Mkey key, MemoryRegion disk) {
        Mlx5SigDomain t10Dif = Mlx5SigDomain.t10Dif(
                Mlx5T10DifGuard.CRC, 0, 0x1234, 0, Mlx5T10DifFlags.REF_REMAP, Mlx5BlockSize.SIZE_512);
        int error = dv.postSend(
                qp,
                new Mlx5MkeyRequest()
                        .request(2, SendFlags.SIGNALED)
                        .mkey(key) // dv.createMkey(pd, INDIRECT | BLOCK_SIGNATURE, 4)
                        .access(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ)
                        .list(ScatterGatherElement.of(disk, 0, 8 * (512 + 8)))
                        .signatures(Mlx5SigBlock.of(t10Dif, null, Mlx5SigMask.T10DIF_GUARD)));
        return error;
    }

    /** Throws if data transferred through the key had a wrong signature. */
    public static void check(Mlx5Mkey key) {
        Mlx5MkeyError error = key.check(); // after the data's completion
        if (error.type() != Mlx5MkeyErrorType.NO_ERR) {
            throw new IllegalStateException("block at byte " + error.offset() + " is broken");
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.QueuePair;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.KeyExample;
import io.verbs4j.mlx5dv.Mlx5Mkey;
import io.verbs4j.mlx5dv.Mlx5MkeyFlags;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.rdmacore.sim.Simulator;

/**
 * A program for a simulated device: runs the examples of keys in docs/guides/mlx5dv.md, on the data path that the
 * second argument names.
 */
public final class KeyExamplesProgram {
    private static final int ROW = 4096;
    private static final int ROWS = 8;
    private static final int PLAIN = 50000;
    private static final int BLOCK = 512;
    private static final int DIF = 8;

    private KeyExamplesProgram() {}

    public static void main(String... args) {
        try (MkeyRig rig = new MkeyRig(args[1], Mlx5SendOps.MKEY_CONFIGURE)) {
            try (QueuePair qp = KeyExample.queuePair(rig.context, rig.pd, rig.cq)) {
                Mlx5Rig.connect(rig.context, qp, qp.qpNum());
                column(rig, qp);
                if (args[0].equals("signatures")) {
                    signatures(rig, qp);
                }
            }
        }
        Simulator.requireNoViolation();
        System.out.println("done " + args[0]);
    }

    private static void column(MkeyRig rig, QueuePair qp) {
        try (Mlx5Mkey key = rig.dv.createMkey(rig.pd, Mlx5MkeyFlags.INDIRECT, 4)) {
            rig.fill(0, ROWS * ROW, 1);
            assertThat(KeyExample.column(rig.dv, qp, key, rig.mr, ROWS, 3)).isZero();
            rig.completion(1, WcStatus.SUCCESS);
            rig.done(
                    MkeyRig.request(WrOpcode.RDMA_READ, rig.element(PLAIN, 8 * ROWS), key.rkey(), 0), WcStatus.SUCCESS);
            for (int i = 0; i < 8 * ROWS; i++) {
                assertThat(rig.memory.get(PLAIN + i)).isEqualTo(rig.memory.get(i / 8 * ROW + 24 + i % 8));
            }
        }
    }

    private static void signatures(MkeyRig rig, QueuePair qp) {
        int flags = Mlx5MkeyFlags.INDIRECT | Mlx5MkeyFlags.BLOCK_SIGNATURE;
        try (Mlx5Mkey key = rig.dv.createMkey(rig.pd, flags, 4)) {
            assertThat(KeyExample.sign(rig.dv, qp, key, rig.mr)).isZero();
            rig.completion(2, WcStatus.SUCCESS);
            rig.done(
                    MkeyRig.request(WrOpcode.RDMA_WRITE, rig.element(PLAIN, 8 * BLOCK), key.rkey(), 0),
                    WcStatus.SUCCESS);
            KeyExample.check(key);
            int wrong = 2 * (BLOCK + DIF) + 5;
            rig.memory.put(wrong, (byte) ~rig.memory.get(wrong));
            rig.done(
                    MkeyRig.request(WrOpcode.RDMA_READ, rig.element(PLAIN, 8 * BLOCK), key.rkey(), 0),
                    WcStatus.SUCCESS);
            rig.nothingElse();
            assertThatThrownBy(() -> KeyExample.check(key)).hasMessageContaining("block at byte " + 2 * BLOCK);
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.QpCreateFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.Arrays;

/**
 * Measures {@link QpCreateFlags#LOW_LATENCY}: the time of an RDMA READ while nobody polls at the peer, with the hint
 * and without. Run by hand with {@code -Dio.verbs4j.rxe.devices=2}.
 */
final class LatencyHintBench extends TwoSides {
    private static final int READS = 5_000;

    @Override
    boolean overTheWire() {
        return true;
    }

    public static void main(String[] args) throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            for (int flags : new int[] {0, QpCreateFlags.LOW_LATENCY}) {
                new LatencyHintBench().measure(flags);
            }
        }
    }

    private void measure(int flags) throws InterruptedException {
        start(side -> side.createFlags = side == b ? flags : 0);
        long[] nanos = new long[READS];
        for (int i = 0; i < READS; i++) {
            Thread.sleep(0, 200_000); // long enough for a waiting thread to fall asleep
            long begin = System.nanoTime();
            a.post(a.to(Side.wr(WrOpcode.RDMA_READ, i, a.sge(0, 8)), b, 0));
            a.next(i, WcStatus.SUCCESS);
            nanos[i] = System.nanoTime() - begin;
        }
        closeBoth();
        Arrays.sort(nanos);
        System.out.printf(
                "%-12s median %6.1f us, 99%% %8.1f us%n",
                QpCreateFlags.toString(flags), nanos[READS / 2] / 1e3, nanos[READS * 99 / 100] / 1e3);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Messages from and to another process's memory allocate nothing. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class ForeignImportAllocationTest {
    private static final int WARM_UP = 6_000;
    private static final int MEASURED = 1_000;
    private static final int ROUNDS = 6;

    private final WorkCompletion[] wc = {new WorkCompletion()};

    @Test
    void writesAndReadsAllocateNothing() throws IOException {
        try (OwnerProcess owner = new OwnerProcess();
                Side side = new Side(owner.open(), owner.pd, owner.mr)) {
            side.create();
            Side.connectToItself(side);
            ScatterGatherElement own = ScatterGatherElement.of(
                    side.opened(side.pd.regMr(ByteBuffer.allocateDirect(4000), Side.ALL_ACCESS)), 0, 4000);
            SendWorkRequest within = side.to(Side.wr(WrOpcode.RDMA_WRITE, 1, side.sge(0, 4000)), side, 8000);
            SendWorkRequest from = side.to(Side.wr(WrOpcode.RDMA_READ, 2, own), side, 0);
            SendWorkRequest to = side.to(Side.wr(WrOpcode.RDMA_WRITE, 3, own), side, 16_000);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            SendWorkRequest[] all = {within, from, to};
            run(side, WARM_UP, all);
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                run(side, MEASURED, all);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes allocated").isZero();
        }
    }

    private void run(Side side, int times, SendWorkRequest[] all) {
        for (int i = 0; i < times; i++) {
            for (SendWorkRequest wr : all) {
                if (side.qp.postSend(wr) != 0) {
                    throw new AssertionError("post");
                }
                while (side.cq.poll(1, wc) == 0) {
                    Thread.onSpinWait();
                }
                if (wc[0].status() != WcStatus.SUCCESS) {
                    throw new AssertionError("status " + wc[0].status());
                }
            }
        }
    }
}

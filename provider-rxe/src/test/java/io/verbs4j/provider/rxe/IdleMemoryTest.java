/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.LiveHeap;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory of a connected, idle queue pair. Figures: docs/internals/embedded-device.md. */
class IdleMemoryTest {
    private static final int MANY = 2000;
    private static final int DEPTH = 4;
    private static final long HEAP_EACH = 5 << 10;
    private static final long STAYING = 256;

    @Test
    void idleQueuePairStaysWithinMemoryLimits() {
        try (TestContext context = TestContext.open((String) null);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(DEPTH);
                QueuePair first = connected(context, pd, cq)) { // allocations that happen once
            assertThat(first.qpNum()).isPositive();
            taken(context, pd, cq, 1); // loads classes, including the assertions' classes and jars
            long[] taken = taken(context, pd, cq, MANY);
            assertThat(taken[0] / MANY).as("bytes of heap").isBetween(1L, HEAP_EACH);
            assertThat(taken[1] / MANY).as("bytes of direct memory").isLessThanOrEqualTo(256);
            assertThat(taken[2] / MANY).as("bytes of heap retained").isLessThan(STAYING);
        }
    }

    /**
     * Returns the bytes of heap and of direct memory used by so many queue pairs, and the bytes of heap after closing
     * them.
     */
    private static long[] taken(TestContext context, ProtectionDomain pd, CompletionQueue cq, int many) {
        List<QueuePair> pairs = new ArrayList<>(many);
        long heap = LiveHeap.bytes();
        long direct = usedDirect();
        for (int i = 0; i < many; i++) {
            pairs.add(connected(context, pd, cq));
        }
        long heapTaken = LiveHeap.bytes() - heap;
        long directTaken = usedDirect() - direct;
        pairs.forEach(QueuePair::close);
        pairs.clear();
        long stays = LiveHeap.bytes() - heap;
        return new long[] {heapTaken, directTaken, stays};
    }

    private static QueuePair connected(TestContext context, ProtectionDomain pd, CompletionQueue cq) {
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(DEPTH).maxRecvWr(DEPTH).maxSendSge(1).maxRecvSge(1)));
        QpWalk.of(QpType.RC)
                .access(AccessFlags.REMOTE_WRITE)
                .minRnrTimer(1)
                .connect(qp, QpWalk.path(context.queryGid(1, 0)), qp.qpNum());
        return qp;
    }

    private static long usedDirect() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}

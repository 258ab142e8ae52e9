/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posting and polling over packets allocate nothing on the calling thread, and hence nothing per message. */
class AllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 5_000;

    @ParameterizedTest
    @ValueSource(ints = {WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD})
    void messagesAllocateNothing(int opcode) {
        try (Subject a = new Subject(QpType.RC, null, 1 << 16);
                Subject b = new Subject(QpType.RC, null, 1 << 16)) {
            a.timeout = 18; // so that a pause of the machine causes no retransmission
            a.connect(b.gid(), b.qp.qpNum(), 1, 2);
            b.connect(a.gid(), a.qp.qpNum(), 2, 1);
            int size = opcode == WrOpcode.ATOMIC_FETCH_AND_ADD ? 8 : 5000;
            SendWorkRequest send =
                    a.wr(opcode, 1, 0, size).remoteAddr(b.address(0)).rkey(b.mr.rkey());
            RecvWorkRequest receive = new RecvWorkRequest().wrId(2).sgList(ScatterGatherElement.of(b.mr, 0, 5000));
            WorkCompletion[] wc = {new WorkCompletion()};
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            exchange(a, b, send, receive, wc, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 5 && least > 0; i++) { // the JVM itself allocates occasionally
                long before = threads.getCurrentThreadAllocatedBytes();
                exchange(a, b, send, receive, wc, MEASURED);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes allocated for %d messages", MEASURED).isZero();
        }
    }

    private static void exchange(
            Subject a, Subject b, SendWorkRequest send, RecvWorkRequest receive, WorkCompletion[] wc, int messages) {
        boolean receives = send.opcode() == WrOpcode.SEND;
        for (int i = 0; i < messages; i++) {
            if (receives && b.qp.postRecv(receive) != 0 || a.qp.postSend(send) != 0) {
                throw new AssertionError("post");
            }
            await(a, b, wc);
            if (receives) {
                await(b, a, wc);
            }
        }
    }

    private static void await(Subject one, Subject other, WorkCompletion[] wc) {
        while (one.cq.poll(1, wc) == 0) {
            other.cq.poll(0, wc); // lets the other side receive packets
        }
        if (wc[0].status() != WcStatus.SUCCESS) {
            throw new AssertionError(WcStatus.toString(wc[0].status()));
        }
    }
}

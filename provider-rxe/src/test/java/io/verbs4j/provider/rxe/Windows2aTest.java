/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.DeviceCap;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.provider.rxe.port.RxeConfig;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The difference between windows of type 2A and 2B: whether a window of one domain can be bound on a queue pair of
 * another.
 */
class Windows2aTest {
    private static final int ALL = Subject.ALL | AccessFlags.MW_BIND;

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void only2aBindsAcrossDomains(boolean is2a, boolean loopback) {
        RxeConfig config = new RxeConfig(
                1, List.of(TestContext.newAddress()), loopback, TestContext.PACKETS, null, TickClock.Rate.USUAL, is2a);
        try (TestContext context = TestContext.open(config);
                ProtectionDomain pd = context.allocPd();
                ProtectionDomain other = context.allocPd();
                MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(64), ALL);
                MemoryRegion otherMr = other.regMr(ByteBuffer.allocateDirect(64), ALL);
                MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
                var cq = context.createCq(16);
                var qp = other.createQp(new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1)))) {
            int caps = context.queryDevice().deviceCapFlags();
            assertThat(caps & DeviceCap.MEM_MGT_EXTENSIONS).isNotZero();
            assertThat((caps & DeviceCap.MEM_WINDOW_TYPE_2A) != 0).isEqualTo(is2a);
            assertThat((caps & DeviceCap.MEM_WINDOW_TYPE_2B) != 0).isEqualTo(!is2a);
            connectToItself(context, qp);
            WorkCompletion[] wc = {new WorkCompletion()};
            post(qp, bind(mw, otherMr)); // never allowed: region and window belong to two domains
            assertThat(next(cq, wc).status()).isEqualTo(WcStatus.MW_BIND_ERR);
            qp.modify(new QpAttr().qpState(QpState.RESET));
            connectToItself(context, qp);
            post(qp, bind(mw, mr));
            assertThat(next(cq, wc).status()).isEqualTo(is2a ? WcStatus.SUCCESS : WcStatus.MW_BIND_ERR);
            if (is2a) {
                post(
                        qp,
                        new SendWorkRequest()
                                .opcode(WrOpcode.RDMA_WRITE)
                                .sendFlags(SendFlags.SIGNALED)
                                .sgList(ScatterGatherElement.of(otherMr))
                                .remoteAddr(mr.addr())
                                .rkey(mw.rkey()));
                assertThat(next(cq, wc).status()).isEqualTo(WcStatus.SUCCESS);
                post(
                        qp,
                        new SendWorkRequest()
                                .opcode(WrOpcode.LOCAL_INV)
                                .sendFlags(SendFlags.SIGNALED)
                                .invalidateRkey(mw.rkey()));
                assertThat(next(cq, wc).status()).isEqualTo(WcStatus.SUCCESS);
            }
        }
    }

    private static SendWorkRequest bind(MemoryWindow mw, MemoryRegion mr) {
        return new SendWorkRequest()
                .opcode(WrOpcode.BIND_MW)
                .sendFlags(SendFlags.SIGNALED)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(new MwBind().mr(mr).addr(mr.addr()).length(64).mwAccessFlags(AccessFlags.REMOTE_WRITE));
    }

    private static void post(QueuePair qp, SendWorkRequest wr) {
        assertThat(qp.postSend(wr)).isZero();
    }

    private static WorkCompletion next(CompletionQueue cq, WorkCompletion[] wc) {
        long end = System.nanoTime() + Patience.NANOS;
        while (cq.poll(1, wc) == 0) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
        return wc[0];
    }

    private static void connectToItself(TestContext context, QueuePair qp) {
        QpWalk.of(QpType.RC)
                .access(AccessFlags.REMOTE_WRITE)
                .minRnrTimer(1)
                .psn(5)
                .connect(qp, QpWalk.path(context.queryGid(1, 0)), qp.qpNum());
    }
}

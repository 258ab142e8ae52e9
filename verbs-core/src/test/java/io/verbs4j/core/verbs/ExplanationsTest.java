/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;

import io.verbs4j.FastRegister;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Full;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The words for a data verb's errno: each rule, and that what is fine is not explained. */
class ExplanationsTest {
    private final Rig rig = new Rig();
    private final ProtectionDomain pd = rig.pd();
    private final QueuePair rc = rig.qp(pd, rig.cq(), QpType.RC);
    private final QueuePair ud = rig.qp(pd, rig.cq(), QpType.UD);
    private int state = QpState.RTS;

    @BeforeEach
    void answerQueueQueries() {
        doAnswer(i -> i.<QpAttr>getArgument(1)
                        .qpState(state)
                        .cap(new QpCap().maxSendSge(2).maxRecvSge(2).maxInlineData(16)))
                .when(rig.ops)
                .queryQp(any(), any(), anyInt(), any());
    }

    private static ScatterGatherElement[] bytes(int... lengths) {
        ScatterGatherElement[] list = new ScatterGatherElement[lengths.length];
        for (int i = 0; i < list.length; i++) {
            list[i] = new ScatterGatherElement().addr(0x1000).length(lengths[i]).lkey(11);
        }
        return list;
    }

    private static SendWorkRequest send(int opcode, int... lengths) {
        return new SendWorkRequest().opcode(opcode).sgList(bytes(lengths), lengths.length);
    }

    @Test
    void validRequestsNeedNoExplanation() {
        SendWorkRequest list = send(WrOpcode.SEND, 1, 1 << 19)
                .next(send(WrOpcode.RDMA_READ, 1 << 20).next(send(WrOpcode.ATOMIC_FETCH_AND_ADD, 8)));

        assertThat(rc.explain(list)).isNull();
        assertThat(rc.explain(send(WrOpcode.SEND, 16).sendFlags(SendFlags.INLINE)))
                .isNull();
        assertThat(ud.explain(send(WrOpcode.SEND).ah(rig.ah(pd)))).isNull();
        assertThat(rc.explain(new RecvWorkRequest().sgList(bytes(1, 1), 2))).isNull();
        state = QpState.ERR; // taken, and flushed
        assertThat(rc.explain(send(WrOpcode.SEND))).isNull();
    }

    @Test
    void states() {
        state = QpState.RTR;
        assertThat(rc.explain(send(WrOpcode.SEND))).contains("state RTR", "modify it to RTS");
        state = QpState.RESET;
        assertThat(rc.explain(new RecvWorkRequest())).contains("state RESET", "INIT");
        rc.close();
        assertThat(rc.explain(send(WrOpcode.SEND))).contains("closed");
        assertThat(rc.explain(new RecvWorkRequest())).contains("closed");
    }

    @Test
    @Full
    void nullAndEndlessLists() {
        assertThat(rc.explain((SendWorkRequest) null)).contains("null");
        assertThat(rc.explain((RecvWorkRequest) null)).contains("null");
        SendWorkRequest circle = send(WrOpcode.SEND);
        RecvWorkRequest round = new RecvWorkRequest();
        assertThat(rc.explain(circle.next(circle))).contains("does not end");
        assertThat(rc.explain(round.next(round))).contains("does not end");
    }

    @Test
    void operations() {
        SendWorkRequest toSomebody = send(WrOpcode.RDMA_WRITE, 8).ah(rig.ah(pd));

        assertThat(rc.explain(send(99, 8))).contains("opcode is unknown (99)");
        assertThat(rc.explain(send(-1, 8))).contains("opcode is unknown (-1)");
        assertThat(ud.explain(toSomebody)).contains("RDMA_WRITE", "type UD", "it supports SEND");
        assertThat(rig.qp(QpType.UC).explain(send(WrOpcode.RDMA_READ, 8))).contains("RDMA_READ", "type UC");
    }

    @Test
    void operationsOfLevelThree() {
        QueuePair uc = rig.qp(QpType.UC);
        assertThat(rc.explain(send(WrOpcode.NOP))).isNull();
        assertThat(ud.explain(send(WrOpcode.NOP).ah(rig.ah(pd)))).isNull();
        assertThat(rc.explain(send(0x1006))).contains("opcode is unknown (4102)");
        assertThat(rc.explain(send(11))).contains("opcode is unknown (11)");
        for (int opcode : new int[] {
            WrOpcode.FLUSH, WrOpcode.ATOMIC_WRITE, WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, WrOpcode.RDMA_READ_WITH_INV
        }) {
            assertThat(uc.explain(send(opcode, 8))).contains(WrOpcode.toString(opcode), "type UC");
        }
        assertThat(ud.explain(send(WrOpcode.LOCAL_INV))).contains("LOCAL_INV", "type UD");
    }

    @Test
    void maskedAtomicsAndAtomicWrites() {
        SendWorkRequest four =
                send(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 4).atomicWidth(4).remoteAddr(0x1004);
        assertThat(rc.explain(four)).isNull();
        assertThat(rc.explain(four.remoteAddr(0x1002))).contains("0x1002", "multiple of 4");
        assertThat(rc.explain(four.atomicWidth(0).remoteAddr(0x1008))).contains("8 bytes", "room for 4");
        assertThat(rc.explain(four.atomicWidth(16))).contains("atomicWidth is 16", "4 or 8");
        assertThat(rc.explain(send(WrOpcode.ATOMIC_WRITE).remoteAddr(0x1004))).contains("0x1004", "multiple of 8");
        assertThat(rc.explain(send(WrOpcode.ATOMIC_WRITE, 8))).contains("numSge is 1", "no data");
    }

    @Test
    void segments() {
        ScatterGatherElement header = new ScatterGatherElement().length(54);
        SendWorkRequest tso = send(WrOpcode.TSO).tsoHeader(header).mss(65_535);
        assertThat(rc.explain(tso)).isNull();
        assertThat(rc.explain(tso.mss(0))).contains("mss is 0; it must be 1 to 65535");
        assertThat(rc.explain(tso.mss(65_536))).contains("mss is 65536");
        assertThat(rc.explain(tso.tsoHeader(null))).contains("tsoHeader is null");
        assertThat(rc.explain(tso.tsoHeader(header.length(0)))).contains("tsoHeader is empty");
    }

    @Test
    void flushes() {
        SendWorkRequest flush = send(WrOpcode.FLUSH).flushType(FlushType.GLOBAL).flushLength(0xffff_ffffL);
        assertThat(rc.explain(flush)).isNull();
        assertThat(rc.explain(flush.flushLength(1L << 32))).contains("flushLength is 4294967296");
        assertThat(rc.explain(flush.flushLength(-1))).contains("flushLength is -1");
        assertThat(rc.explain(flush.flushLevel(2))).contains("flushLevel is unknown (2)");
        assertThat(rc.explain(flush.flushType(0))).contains("flushType is 0", "GLOBAL|PERSISTENT");
        assertThat(rc.explain(flush.flushType(5))).contains("flushType is GLOBAL|0x4");
    }

    @Test
    void bindAndRegisterRequestsAreExplained() {
        MemoryRegion mr = rig.mr(pd);
        MemoryWindow mw = rig.mw(pd);
        SendWorkRequest bind = send(WrOpcode.BIND_MW);
        assertThat(rc.explain(bind)).contains("mw is null");
        assertThat(rc.explain(bind.mw(mw))).contains("mwBind is null");
        assertThat(rc.explain(bind.mwBind(new MwBind()).mwRkey(MemoryWindow.incRkey(mw.rkey()))))
                .isNull();
        assertThat(rc.explain(bind.mwRkey(mw.rkey() + 0x100))).contains("mwRkey is 0x", "lowest 8 bits");
        SendWorkRequest register = send(WrOpcode.REG_MR, 1, 1, 1); // more pieces than the queue pair has elements
        assertThat(rc.explain(register)).contains("fastRegister is null");
        assertThat(rc.explain(register.fastRegister(new FastRegister()))).contains("fastRegister.mr is null");
        FastRegister made = new FastRegister().mr(mr).key(MemoryWindow.incRkey(mr.lkey()));
        assertThat(rc.explain(register.fastRegister(made))).isNull();
        assertThat(rc.explain(register.sendFlags(SendFlags.INLINE))).contains("INLINE", "REG_MR");
        made.key(mr.lkey() ^ 0x8000);
        assertThat(rc.explain(register.sendFlags(0))).contains("fastRegister.key is 0x", "lowest 8 bits");
        assertThat(rc.explain(send(WrOpcode.REG_MR).fastRegister(made))).contains("numSge is 0");
        assertThat(rc.explain(send(WrOpcode.RDMA_READ_WITH_INV, 4, 4))).contains("numSge is 2", "one element");
        assertThat(rc.explain(send(WrOpcode.RDMA_READ_WITH_INV, 4))).isNull();
    }

    @Test
    void waitAndEnableRequestsAreExplained() {
        assertThat(rc.explain(send(WrOpcode.CQE_WAIT).waitCount(1))).contains("waitCq is null");
        assertThat(rc.explain(send(WrOpcode.CQE_WAIT).waitCq(rc.sendCq()))).contains("waitCount is 0");
        assertThat(rc.explain(send(WrOpcode.CQE_WAIT).waitCq(rc.sendCq()).waitCount(1)))
                .isNull();
        assertThat(rc.explain(send(WrOpcode.SEND_ENABLE))).contains("enableQp is null");
        assertThat(rc.explain(send(WrOpcode.RECV_ENABLE).enableQp(ud))).isNull();
        assertThat(rc.explain(send(WrOpcode.RECV_ENABLE).enableQp(ud).waitCount(-1)))
                .contains("waitCount is -1");
    }

    @Test
    void lists() {
        assertThat(rc.explain(send(WrOpcode.SEND, 1, 1, 1))).contains("numSge is 3", "created for 2", "cap.maxSendSge");
        assertThat(rc.explain(new SendWorkRequest().opcode(WrOpcode.SEND).sgList(bytes(1), 2)))
                .contains("numSge is 2", "has 1 elements");
        assertThat(rc.explain(new SendWorkRequest().opcode(WrOpcode.SEND).sgList(bytes(1), -1)))
                .contains("numSge is -1");
        assertThat(rc.explain(send(WrOpcode.SEND, 1, -5))).contains("sgList[1].length is -5");
        assertThat(rc.explain(new SendWorkRequest().opcode(WrOpcode.SEND).sgList(new ScatterGatherElement[1], 1)))
                .contains("sgList[0] is null");
        assertThat(rc.explain(new RecvWorkRequest().sgList(bytes(1, 1, 1), 3)))
                .contains("numSge is 3", "cap.maxRecvSge");
    }

    @Test
    void data() {
        assertThat(rc.explain(send(WrOpcode.SEND, 17).sendFlags(SendFlags.INLINE)))
                .contains("17 bytes are INLINE", "created for 16");
        // what not all posts check is the provider's to tell
        assertThat(rc.explain(send(WrOpcode.RDMA_READ, 8).sendFlags(SendFlags.INLINE)))
                .isNull();
        assertThat(rc.explain(send(WrOpcode.ATOMIC_CMP_AND_SWP, 4).remoteAddr(0x1004)))
                .isNull();
        assertThat(rc.explain(send(WrOpcode.SEND, 1 << 20, 1))).isNull();
        assertThat(rc.explain(send(WrOpcode.SEND, 8))).isNull();
    }

    @Test
    void addresses() {
        var closed = rig.ah(pd);
        closed.close();

        assertThat(ud.explain(send(WrOpcode.SEND, 8))).contains("ah is null");
        assertThat(ud.explain(send(WrOpcode.SEND, 8).ah(closed))).contains("closed");
        assertThat(ud.explain(send(WrOpcode.SEND, 8).ah(rig.ah(rig.pd())))).contains("another protection domain");
    }

    @Test
    void faultyRequestOfListIsNamed() {
        SendWorkRequest list =
                send(WrOpcode.SEND, 8).next(send(WrOpcode.SEND, -1).wrId(77));

        assertThat(rc.explain(list))
                .startsWith("request 1 of the list (wrId 77): ")
                .contains("length is -1");
    }

    @Test
    void sharedReceiveQueues() {
        SharedReceiveQueue srq = rig.srq(pd);
        QueuePair qp = pd.createQp(Rig.qpInit(rig.cq(), QpType.RC).srq(srq));
        RecvWorkRequest bad = new RecvWorkRequest().sgList(bytes(1), 2);

        assertThat(qp.explain(new RecvWorkRequest())).contains("shared receive queue");
        assertThat(srq.explain(bad)).contains("numSge is 2");
        assertThat(srq.explain(new RecvWorkRequest())).isNull();
    }

    @Test
    void providerExplainsLast() {
        SharedReceiveQueue srq = rig.srq(pd);
        doReturn("lkey 12 is not valid").when(rig.ops).explainSend(any(), any());
        doReturn("too small").when(rig.ops).explainRecv(any(), any());
        doReturn("too large").when(rig.ops).explainSrqRecv(any(), any());

        assertThat(rc.explain(send(WrOpcode.SEND, 8))).isEqualTo("lkey 12 is not valid");
        assertThat(rc.explain(new RecvWorkRequest())).isEqualTo("too small");
        assertThat(srq.explain(new RecvWorkRequest().next(new RecvWorkRequest())))
                .isEqualTo("request 0 of the list (wrId 0): too large");
        assertThat(Collections.frequency(
                        java.util.Arrays.asList(rc.explain(send(99)), rc.explain(send(WrOpcode.SEND, -1))),
                        "lkey 12 is not valid"))
                .isZero();
    }
}

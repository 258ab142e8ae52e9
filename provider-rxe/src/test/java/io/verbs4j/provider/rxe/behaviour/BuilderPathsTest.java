/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A builder does what postSend does: the same requests through one, the other, and both alternately. */
@WithOneCopy
class BuilderPathsTest extends EachPath {
    enum Way {
        POST,
        BUILD,
        MIXED
    }

    /** Posts all or none; the kernel's device posts those before the refused one. */
    private static final boolean EMBEDDED = System.getProperty(TwoSides.DEVICES) == null;

    private static final int AT = 4096;

    @TempDir
    Path folder;

    private SendBuilder builder;
    private int posts;

    private int post(Way way, SendWorkRequest wr) {
        if (builder == null) {
            builder = a.qp.builder();
        }
        boolean builds = way == Way.BUILD || way == Way.MIXED && posts++ % 2 == 0;
        return builds ? Built.post(builder, wr) : a.qp.postSend(wr);
    }

    private SendWorkRequest remote(int opcode, long id, int from, int length) {
        return a.to(Side.wr(opcode, id, a.sge(from, length)), b, AT);
    }

    private static String say(WorkCompletion wc) {
        return wc.wrId() + " " + WcStatus.toString(wc.status()) + ' ' + WcOpcode.toString(wc.opcode()) + ' '
                + wc.wcFlags() + (wc.wcFlags() == 0 ? "" : " " + wc.immData());
    }

    /** Two requests with data of their own in one batch, so that batches alternate between the two ways. */
    @ParameterizedTest
    @EnumSource
    void rcOperationsAgreeWithPostSend(Way way) {
        start();
        b.buffer.order(ByteOrder.nativeOrder()).putLong(AT, 40);
        MemoryWindow mw = a.opened(a.pd.allocMw(MwType.TYPE_2));
        MemoryWindow peers = b.opened(b.pd.allocMw(MwType.TYPE_2));
        MwBind whole = new MwBind().mr(b.mr).addr(b.mr.addr()).length(64).mwAccessFlags(AccessFlags.REMOTE_READ);
        b.post(Side.wr(WrOpcode.BIND_MW, 1)
                .mw(peers)
                .mwRkey(MemoryWindow.incRkey(peers.rkey()))
                .mwBind(whole));
        b.next(1, WcStatus.SUCCESS);
        for (int i = 0; i < 4; i++) {
            b.recv(50 + i, 100_000 + 10_000 * i, 5000);
        }
        MwBind part = new MwBind().mr(a.mr).addr(a.mr.addr()).length(64).mwAccessFlags(AccessFlags.REMOTE_READ);
        int key = MemoryWindow.incRkey(mw.rkey());

        List<SendWorkRequest> batches = new ArrayList<>();
        SendWorkRequest swap =
                remote(WrOpcode.ATOMIC_CMP_AND_SWP, 2, 24, 8).compareAdd(42).swap(7);
        batches.add(
                remote(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, 16, 8).compareAdd(2).next(swap));
        batches.add(remote(WrOpcode.RDMA_READ, 3, 32, 8));
        SendWorkRequest inline =
                remote(WrOpcode.RDMA_WRITE_WITH_IMM, 5, 200, 33).immData(-5);
        inline.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        batches.add(a.to(Side.wr(WrOpcode.RDMA_WRITE, 4, a.sge(300, 3000), a.sge(9000, 1)), b, AT + 100)
                .next(inline));
        SendWorkRequest solicited = Side.wr(WrOpcode.SEND_WITH_IMM, 7).immData(77);
        solicited.sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.FENCE);
        batches.add(Side.wr(WrOpcode.SEND, 6, a.sge(500, 4000)).next(solicited));
        batches.add(Side.wr(WrOpcode.SEND_WITH_INV, 8, a.sge(0, 16)).invalidateRkey(peers.rkey()));
        batches.add(Side.wr(WrOpcode.BIND_MW, 9).mw(mw).mwRkey(key).mwBind(part));
        batches.add(Side.wr(WrOpcode.LOCAL_INV, 10).invalidateRkey(key));
        for (SendWorkRequest batch : batches) {
            assertThat(post(way, batch)).isZero();
        }

        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(say(a.next()));
        }
        assertThat(sent)
                .containsExactly(
                        "1 success FETCH_ADD 0",
                        "2 success COMP_SWAP 0",
                        "3 success RDMA_READ 0",
                        "4 success RDMA_WRITE 0",
                        "5 success RDMA_WRITE 0",
                        "6 success SEND 0",
                        "7 success SEND 0",
                        "8 success SEND 0",
                        "9 success BIND_MW 0",
                        "10 success LOCAL_INV 0");
        List<String> received = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            received.add(say(b.next()));
        }
        assertThat(received)
                .containsExactly(
                        "50 success RECV_RDMA_WITH_IMM 2 -5",
                        "51 success RECV 0",
                        "52 success RECV 2 77",
                        "53 success RECV 8 " + peers.rkey());
        a.buffer.order(ByteOrder.nativeOrder());
        assertThat(a.buffer.getLong(16)).isEqualTo(40);
        assertThat(a.buffer.getLong(24)).isEqualTo(42);
        assertThat(a.buffer.getLong(32)).isEqualTo(7);
        b.assertPattern(AT, 1, 200, 33);
        b.assertPattern(AT + 100, 1, 300, 3000);
        b.assertPattern(AT + 3100, 1, 9000, 1);
        b.assertPattern(110_000, 1, 500, 4000);
        assertThat(mw.rkey()).isEqualTo(key);
    }

    @ParameterizedTest
    @EnumSource
    void flushesAndAtomicsAgreeWithPostSend(Way way) {
        start(side -> side.access |= AccessFlags.FLUSH_GLOBAL);
        ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        MemoryRegion there = b.opened(b.pd.regMr(memory, Side.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL));
        memory.putLong(8, 0xff00).putLong(16, 0xffff);
        List<SendWorkRequest> batch = List.of(
                Side.wr(WrOpcode.ATOMIC_WRITE, 1).remoteAddr(there.addr()).atomicWriteValue(0x123456789abcdefL),
                Side.wr(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 2, a.sge(0, 8))
                        .remoteAddr(there.addr() + 8)
                        .atomicWidth(8)
                        .compareAdd(0x0f00)
                        .compareAddMask(0x0f00)
                        .swap(0xff)
                        .swapMask(0x0f),
                Side.wr(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 3, a.sge(8, 8))
                        .remoteAddr(there.addr() + 16)
                        .atomicWidth(8)
                        .compareAdd(1)
                        .compareAddMask(0x80),
                Side.wr(WrOpcode.FLUSH, 4)
                        .remoteAddr(there.addr())
                        .flushLength(64)
                        .flushType(FlushType.GLOBAL)
                        .flushLevel(FlushLevel.RANGE),
                Side.wr(WrOpcode.NOP, 5));
        for (SendWorkRequest wr : batch) {
            assertThat(post(way, wr.rkey(there.rkey()))).isZero();
        }
        List<Integer> opcodes = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            opcodes.add(a.next(i, WcStatus.SUCCESS).opcode());
        }
        assertThat(opcodes)
                .containsExactly(
                        WcOpcode.ATOMIC_WRITE,
                        WcOpcode.MASKED_COMP_SWAP,
                        WcOpcode.MASKED_FETCH_ADD,
                        WcOpcode.FLUSH,
                        WcOpcode.NOP);
        assertThat(memory.getLong(0)).isEqualTo(0x123456789abcdefL);
        assertThat(memory.getLong(8)).isEqualTo(0xff0f);
        assertThat(memory.getLong(16)).isEqualTo(0xff00); // the carry out of bit 7 is dropped
    }

    @ParameterizedTest
    @EnumSource
    void datagramsAgreeWithPostSend(Way way) {
        start(side -> side.qpType = QpType.UD);
        AddressHandle ah = a.opened(a.pd.createAh(a.path(b.gid())));
        for (int i = 0; i < 4; i++) {
            b.recv(i, 10_000 * i, 2000);
        }
        for (int i = 0; i < 4; i += 2) {
            SendWorkRequest second =
                    Side.wr(WrOpcode.SEND_WITH_IMM, i + 1, a.sge(700, 60)).immData(i);
            second.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
            second.ah(ah).remoteQpn(b.qp.qpNum()).remoteQkey(Side.QKEY);
            SendWorkRequest first =
                    Side.wr(WrOpcode.SEND, i, a.sge(100, 500), a.sge(3000, 100)).next(second);
            assertThat(post(way, first.ah(ah).remoteQpn(b.qp.qpNum()).remoteQkey(Side.QKEY)))
                    .isZero();
        }
        for (int i = 0; i < 4; i++) {
            a.next(i, WcStatus.SUCCESS);
            WorkCompletion wc = b.next(i, WcStatus.SUCCESS);
            assertThat(wc.byteLen()).isEqualTo(40 + (i % 2 == 0 ? 600 : 60));
            b.assertPattern(10_000 * i + 40, 1, i % 2 == 0 ? 100 : 700, i % 2 == 0 ? 500 : 60);
        }
    }

    @ParameterizedTest
    @EnumSource
    void xrcAgreesWithPostSend(Way way) {
        start(side -> {
            side.qpType = side == a ? QpType.XRC_SEND : QpType.XRC_RECV;
            side.file = folder.resolve("domain");
        });
        for (int i = 0; i < 2; i++) {
            b.recv(i, 10_000 * i, 2000);
            assertThat(post(way, Side.wr(WrOpcode.SEND, i, a.sge(100, 500)).remoteSrqn(b.srq.srqNum())))
                    .isZero();
            a.next(i, WcStatus.SUCCESS);
            assertThat(b.next().wrId()).isEqualTo(i);
            b.assertPattern(10_000 * i, 1, 100, 500);
        }
    }

    /** Both refuse the same requests. */
    @Test
    void bothRefuseSameRequests() {
        start();
        SendBuilder b1 = a.qp.builder();
        for (SendWorkRequest bad : List.of(
                Side.wr(WrOpcode.SEND, 2, a.sge(0, 1), a.sge(0, 1), a.sge(0, 1), a.sge(0, 1), a.sge(0, 1)),
                Side.wr(WrOpcode.SEND, 2, a.sge(0, 300)).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE),
                Side.wr(WrOpcode.SEND, 2).sendFlags(1 << 30),
                Side.wr(WrOpcode.BIND_MW, 2).mwBind(new MwBind()))) {
            int errno = a.qp.postSend(bad);
            assertThat(errno).isIn(Errno.EINVAL, Errno.EOPNOTSUPP);
            assertThat(Built.post(b1, remote(WrOpcode.RDMA_WRITE, 1, 0, 8).next(bad)))
                    .as("%s", bad)
                    .isEqualTo(errno);
            assertThat(b1.posted()).isEqualTo(EMBEDDED ? 0 : 1);
            if (!EMBEDDED) {
                a.next(1, WcStatus.SUCCESS);
            }
        }
        b1.start();
        for (int i = 0; i <= a.maxWr; i++) {
            b1.write(i, 0, b.mr.rkey(), b.mr.addr(), a.mr.lkey(), a.mr.addr(), 8);
        }
        assertThat(b1.complete()).isEqualTo(Errno.ENOMEM);
        assertThat(b1.posted()).isBetween(0, EMBEDDED ? 0 : a.maxWr);
        assertThat(a.rest(0)).isEmpty();
    }

    @Test
    void stateOfQueuePairDecidesResult() {
        make(side -> {});
        SendBuilder b1 = a.qp.builder();
        assertThat(Built.post(b1, Side.wr(WrOpcode.SEND, 1))).isEqualTo(Errno.EINVAL);
        Side.connect(a, b);
        b1.start();
        b1.write(2, SendFlags.SIGNALED, b.mr.rkey(), b.mr.addr(), a.mr.lkey(), a.mr.addr(), 8);
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        assertThat(b1.complete()).isZero();
        a.next(2, WcStatus.WR_FLUSH_ERR);
        a.qp.close();
        assertThat(Built.post(b1, Side.wr(WrOpcode.SEND, 1))).isEqualTo(Errno.EINVAL);
    }
}

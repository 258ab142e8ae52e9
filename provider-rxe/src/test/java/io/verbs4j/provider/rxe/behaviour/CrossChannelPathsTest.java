/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Send queues that wait for completion queues and enable each other; {@code c} and {@code d} are a second pair beside
 * {@code a} and {@code b}.
 */
@Timeout(Patience.TEST_SECONDS)
@WithOneCopy
class CrossChannelPathsTest extends EachPath {
    private static final int MANAGED = QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;

    private Side c;
    private Side d;

    private static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    private void begin() {
        begin(side -> {}, 0);
    }

    private void begin(java.util.function.Consumer<Side> settings, int flags) {
        start(side -> {
            side.createFlags = QpCreateFlags.CROSS_CHANNEL;
            settings.accept(side);
        });
        c = a.opened(new Side(a.context.device(), 10_000));
        d = b.opened(new Side(b.context.device(), 10_000));
        c.createFlags = flags;
        d.createFlags = flags;
        c.create().fill(3);
        d.create().fill(4);
        Side.connect(c, d);
    }

    private static SendWorkRequest await(long wrId, CompletionQueue cq, int count) {
        return Side.wr(WrOpcode.CQE_WAIT, wrId).waitCq(cq).waitCount(count);
    }

    private static SendWorkRequest enable(int opcode, long wrId, QueuePair qp, int count) {
        return Side.wr(opcode, wrId).enableQp(qp).waitCount(count);
    }

    private SendWorkRequest write(long wrId) {
        return a.to(Side.wr(WrOpcode.RDMA_WRITE, wrId, a.sge(0, 5000)), b, 0);
    }

    private void onAnotherQueue(long wrId) {
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, wrId, c.sge(0, 100)), d, 0));
    }

    private static void nothingHappens(Side side) {
        assertThat(side.rest(60)).isEmpty();
    }

    // ---- waiting

    @Test
    void waitDelaysLaterRequests() {
        begin();
        a.post(await(1, c.cq, 2).next(write(2)));
        nothingHappens(a);
        onAnotherQueue(10);
        c.next(10, WcStatus.SUCCESS); // polling it makes no difference
        nothingHappens(a);
        onAnotherQueue(11);
        WorkCompletion wc = a.next(1, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.CQE_WAIT);
        assertThat(wc.byteLen()).isZero();
        a.next(2, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 5000);
        a.post(await(3, c.cq, 1).sendFlags(0).next(write(4))); // counts from where the previous wait ended
        nothingHappens(a);
        onAnotherQueue(12);
        a.next(4, WcStatus.SUCCESS);
    }

    @Test
    void earlierCompletionsCountForWait() {
        begin();
        for (int i = 0; i < 3; i++) {
            onAnotherQueue(i);
            c.next(i, WcStatus.SUCCESS);
        }
        a.post(await(1, c.cq, 2));
        a.next(1, WcStatus.SUCCESS);
        a.post(await(2, c.cq, 1));
        a.next(2, WcStatus.SUCCESS);
        a.post(await(3, c.cq, 1));
        nothingHappens(a);
        c.post(c.to(Side.wr(WrOpcode.RDMA_WRITE, 9, c.sge(0, 100)), d, 0).sendFlags(0));
        nothingHappens(a); // an unsignaled request has no completion
        onAnotherQueue(10);
        a.next(3, WcStatus.SUCCESS);
    }

    /** Each counts its own completions, in the order in which they were posted. */
    @Test
    void twoWaitsOnOneQueueBothEnd() {
        begin();
        b.post(await(1, d.cq, 1));
        Side e = b.opened(new Side(b.context.device(), 100));
        Side f = b.opened(new Side(b.context.device(), 100));
        e.createFlags = QpCreateFlags.CROSS_CHANNEL;
        Side.connect(e.create(), f.create());
        e.post(await(2, d.cq, 2));
        d.recv(5, 0, 100);
        d.recv(6, 0, 100);
        d.recv(7, 0, 100);
        SendWorkRequest send = Side.wr(WrOpcode.SEND, 1, c.sge(0, 10)).sendFlags(0);
        c.post(send);
        b.next(1, WcStatus.SUCCESS);
        c.post(send);
        nothingHappens(e);
        c.post(send);
        e.next(2, WcStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {QpType.UC, QpType.UD})
    void unreliableQueuePairsWaitToo(int type) {
        begin(side -> side.qpType = type, 0);
        b.recv(1, 0, 1000);
        SendWorkRequest send = Side.wr(WrOpcode.SEND, 3, a.sge(0, 500));
        if (type == QpType.UD) {
            send.ah(a.opened(a.pd.createAh(a.path(b.gid()))))
                    .remoteQpn(b.qp.qpNum())
                    .remoteQkey(Side.QKEY);
        }
        a.post(await(2, c.cq, 1).next(send));
        nothingHappens(a);
        onAnotherQueue(10);
        a.next(2, WcStatus.SUCCESS);
        a.next(3, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
    }

    // ---- enabling others

    @Test
    void managedSendsStartWhenEnabled() {
        begin(side -> {}, MANAGED);
        for (int i = 10; i < 14; i++) {
            onAnotherQueue(i);
        }
        nothingHappens(c);
        a.post(enable(WrOpcode.SEND_ENABLE, 1, c.qp, 1));
        assertThat(a.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.SEND_ENABLE);
        c.next(10, WcStatus.SUCCESS);
        nothingHappens(c);
        a.post(enable(WrOpcode.SEND_ENABLE, 2, c.qp, 0)); // all that are posted
        c.next(11, WcStatus.SUCCESS);
        c.next(12, WcStatus.SUCCESS);
        c.next(13, WcStatus.SUCCESS);
        onAnotherQueue(14);
        nothingHappens(c);
        a.post(enable(WrOpcode.SEND_ENABLE, 3, c.qp, 2)); // one of them is posted later
        c.next(14, WcStatus.SUCCESS);
        onAnotherQueue(15);
        onAnotherQueue(16);
        c.next(15, WcStatus.SUCCESS);
        nothingHappens(c);
        c.qp.modify(new QpAttr().qpState(QpState.ERR));
        c.next(16, WcStatus.WR_FLUSH_ERR);
        c.qp.modify(new QpAttr().qpState(QpState.RESET));
        d.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(c, d);
        onAnotherQueue(17);
        nothingHappens(c);
    }

    @Test
    void managedReceivesStartWhenEnabled() {
        begin(side -> {}, MANAGED);
        d.recv(1, 0, 100);
        d.recv(2, 0, 100);
        c.post(Side.wr(WrOpcode.SEND, 10, c.sge(0, 100)).next(Side.wr(WrOpcode.SEND, 11, c.sge(0, 100))));
        a.post(enable(WrOpcode.SEND_ENABLE, 1, c.qp, 0));
        a.next(1, WcStatus.SUCCESS);
        nothingHappens(d);
        b.post(enable(WrOpcode.RECV_ENABLE, 2, d.qp, 1));
        assertThat(b.next(2, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.RECV_ENABLE);
        d.next(1, WcStatus.SUCCESS);
        c.next(10, WcStatus.SUCCESS);
        nothingHappens(d);
        b.post(enable(WrOpcode.RECV_ENABLE, 3, d.qp, 0));
        d.next(2, WcStatus.SUCCESS);
        c.next(11, WcStatus.SUCCESS);
        d.recv(3, 0, 100);
        d.qp.modify(new QpAttr().qpState(QpState.ERR));
        d.next(3, WcStatus.WR_FLUSH_ERR);
    }

    // ---- nothing waits forever

    @Test
    void errorFlushesWait() {
        begin();
        a.post(await(1, c.cq, 5).next(write(2)));
        c.qp.close(); // so that only the wait keeps its queue open
        assertThat(errno(c.cq::close)).isEqualTo(Errno.EBUSY);
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        a.next(1, WcStatus.WR_FLUSH_ERR);
        a.next(2, WcStatus.WR_FLUSH_ERR);
        c.cq.close();
        assertThat(a.qp.postSend(await(3, c.cq, 1))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void waitingQueuePairCanBeClosed() {
        begin();
        a.post(await(1, c.cq, 5));
        a.qp.close();
        nothingHappens(a);
        onAnotherQueue(10);
        c.next(10, WcStatus.SUCCESS);
        c.qp.close();
        c.cq.close();
    }

    @Test
    void resetEndsWaitForOwnQueue() {
        begin();
        a.post(await(1, a.cq, 1).next(write(2)));
        nothingHappens(a);
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        nothingHappens(a);
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
        a.post(write(3));
        a.next(3, WcStatus.SUCCESS);
    }

    @Test
    void enablingClosedQueuePairFails() {
        begin(side -> {}, MANAGED);
        CompletionQueue never = a.opened(a.context.createCq(4));
        Side e = a.opened(new Side(a.context.device(), 100));
        Side f = a.opened(new Side(a.context.device(), 100));
        f.cq = never;
        f.qp = a.opened(f.pd.createQp(new io.verbs4j.QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(a.opened(f.context.createCq(4)))
                .recvCq(a.opened(f.context.createCq(4)))
                .cap(new io.verbs4j.QpCap()
                        .maxSendWr(4)
                        .maxRecvWr(4)
                        .maxSendSge(1)
                        .maxRecvSge(1))));
        e.create();
        Side.connect(e, f);
        a.post(await(1, e.cq, 1).next(enable(WrOpcode.SEND_ENABLE, 2, c.qp, 1).next(write(3))));
        c.qp.close();
        e.post(Side.wr(WrOpcode.RDMA_WRITE, 9, e.sge(0, 1))
                .remoteAddr(f.mr.addr())
                .rkey(f.mr.rkey()));
        a.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.LOC_QP_OP_ERR);
        a.next(3, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void overrunOfAwaitedQueueFailsWait() {
        begin(side -> side.cqe = 256, 0);
        Side e = a.opened(new Side(a.context.device(), 100));
        e.cqe = 2;
        Side f = a.opened(new Side(a.context.device(), 100)).create();
        Side.connect(e.create(), f);
        a.post(await(1, e.cq, 5));
        for (int i = 0; i < 3; i++) {
            e.post(Side.wr(WrOpcode.RDMA_WRITE, i, e.sge(0, 1))
                    .remoteAddr(f.mr.addr())
                    .rkey(f.mr.rkey()));
        }
        a.next(1, WcStatus.LOC_QP_OP_ERR);
        a.awaitState(QpState.ERR);
    }

    // ---- refusals

    private void isRefused(SendWorkRequest wr, int errno, String why) {
        assertThat(a.qp.postSend(wr)).isEqualTo(errno);
        assertThat(a.qp.explain(wr)).contains(why);
    }

    @Test
    void malformedRequestsAreRefused() {
        begin(side -> {}, MANAGED);
        isRefused(await(1, null, 1), Errno.EINVAL, "waitCq is null");
        isRefused(await(1, c.cq, 0), Errno.EINVAL, "waitCount is 0");
        isRefused(await(1, c.cq, -1), Errno.EINVAL, "waitCount is -1");
        isRefused(await(1, c.cq, 1).sgList(a.sge(0, 1)), Errno.EINVAL, "has no data");
        isRefused(enable(WrOpcode.SEND_ENABLE, 1, null, 1), Errno.EINVAL, "enableQp is null");
        isRefused(enable(WrOpcode.SEND_ENABLE, 1, a.qp, 1), Errno.EINVAL, "MANAGED_SEND");
        isRefused(enable(WrOpcode.RECV_ENABLE, 1, a.qp, 1), Errno.EINVAL, "MANAGED_RECV");
        isRefused(enable(WrOpcode.RECV_ENABLE, 1, c.qp, -1), Errno.EINVAL, "waitCount is -1");
        if (overTheWire()) {
            isRefused(await(1, b.cq, 1), Errno.EINVAL, "of this device");
            isRefused(enable(WrOpcode.SEND_ENABLE, 1, d.qp, 1), Errno.EINVAL, "of this device");
        }
        for (SendWorkRequest wr : List.of(
                await(1, a.cq, 1),
                enable(WrOpcode.SEND_ENABLE, 1, c.qp, 1),
                enable(WrOpcode.RECV_ENABLE, 1, c.qp, 1))) {
            assertThat(c.qp.postSend(wr)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(c.qp.explain(wr)).contains("created with CROSS_CHANNEL");
            assertThat(a.qp.explain(wr)).isNull();
        }
        c.qp.close();
        isRefused(enable(WrOpcode.SEND_ENABLE, 1, c.qp, 1), Errno.EINVAL, "must be an open queue pair");
        nothingHappens(a);
    }

    @Test
    void onlyNamedOperationsMayBePosted() {
        begin();
        QueuePair qp = a.opened(a.context.createQpEx(new io.verbs4j.QpInitAttrEx()
                .pd(a.pd)
                .qpType(QpType.RC)
                .sendCq(a.cq)
                .recvCq(a.cq)
                .createFlags(QpCreateFlags.CROSS_CHANNEL)
                .sendOpsFlags(QpCreateSendOps.CQE_WAIT)
                .cap(new io.verbs4j.QpCap()
                        .maxSendWr(4)
                        .maxRecvWr(4)
                        .maxSendSge(1)
                        .maxRecvSge(1))));
        a.qp = qp;
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
        assertThat(qp.postSend(enable(WrOpcode.SEND_ENABLE, 1, c.qp, 1))).isEqualTo(Errno.EOPNOTSUPP);
        a.post(await(1, c.cq, 1));
        onAnotherQueue(5);
        a.next(1, WcStatus.SUCCESS);
    }

    // ---- a collective operation

    /** A member of a ring: receives from the left, adds its own numbers, sends to the right. */
    private static final class Member {
        final Side left;
        final Side right;
        final Side self;

        /** The operation by which the program starts it. */
        final Side go;

        Member(List<Side> all, Device device) {
            go = side(all, device, 0);
            left = side(all, device, 0);
            self = side(all, device, QpCreateFlags.MANAGED_SEND);
            right = side(all, device, QpCreateFlags.CROSS_CHANNEL); // closed first, since it waits for the others
            Side.connectToItself(go);
            Side.connectToItself(self);
            right.buffer.order(ByteOrder.nativeOrder());
        }

        private static Side side(List<Side> all, Device device, int flags) {
            Side side = new Side(device, 4096);
            side.createFlags = flags;
            side.maxWr = 64;
            all.add(side.create());
            return side;
        }
    }

    /**
     * Sums the numbers of four members, all of which end up with the sum: 2 * 3 messages round the ring. Everything is
     * posted beforehand; the program then enables the first messages and only waits for the last completions.
     */
    @Test
    void ringSumsWithoutProgram() {
        begin();
        int members = 4;
        int width = 3; // numbers in each piece
        List<Side> all = new ArrayList<>();
        List<Member> ring = new ArrayList<>();
        try {
            for (int i = 0; i < members; i++) {
                ring.add(new Member(all, (i % 2 == 0 ? a : b).context.device()));
            }
            for (int i = 0; i < members; i++) {
                Side.connect(ring.get(i).right, ring.get((i + 1) % members).left);
            }
            for (int i = 0; i < members; i++) {
                prepare(ring.get(i), i, members, width);
            }
            for (Member member : ring) { // all that the program does
                assertThat(member.right.rest(5)).as("before the start").isEmpty();
                member.go.post(member.go.to(Side.wr(WrOpcode.RDMA_WRITE, 0, member.go.sge(0, 1)), member.go, 1));
            }
            for (Member member : ring) {
                member.right.next(99, WcStatus.SUCCESS);
            }
            for (Member member : ring) {
                for (int k = 0; k < members * width; k++) {
                    long sum = 0;
                    for (int i = 0; i < members; i++) {
                        sum += value(i, k);
                    }
                    assertThat(member.right.buffer.getLong(k * Long.BYTES)).isEqualTo(sum);
                }
            }
        } finally {
            for (int i = all.size() - 1; i >= 0; i--) {
                all.get(i).close();
            }
        }
    }

    private static long value(int member, int index) {
        return (member + 1) * 1_000_003L * (index + 1) * (index + 7);
    }

    /** Posts all requests of a member, whose numbers are in the memory of its right side. */
    private static void prepare(Member m, int me, int members, int width) {
        int bytes = width * Long.BYTES;
        for (int k = 0; k < members * width; k++) {
            m.right.buffer.putLong(k * Long.BYTES, 0);
        }
        io.verbs4j.MemoryRegion forLeft = m.left.opened(m.left.pd.regMr(m.right.buffer, Side.ALL_ACCESS));
        io.verbs4j.MemoryRegion forSelf = m.self.opened(m.self.pd.regMr(m.right.buffer, Side.ALL_ACCESS));
        for (int step = 0; step < 2 * (members - 1); step++) {
            int piece = Math.floorMod(me - step - 1, members);
            assertThat(m.left.qp.postRecv(new RecvWorkRequest()
                            .wrId(step)
                            .sgList(ScatterGatherElement.of(forLeft, (long) piece * bytes, bytes))))
                    .isZero();
        }
        for (int step = 0; step < members; step++) {
            add(m, forSelf, me, Math.floorMod(me - step, members), width);
        }
        // First its own piece, to which nothing is added.
        m.right.post(await(1, m.go.cq, 1).sendFlags(0));
        m.right.post(enable(WrOpcode.SEND_ENABLE, 1, m.self.qp, width).sendFlags(0));
        m.right.post(await(1, m.self.cq, width).sendFlags(0));
        m.right.post(tell(m, me, bytes));
        for (int step = 0; step < members - 1; step++) {
            m.right.post(await(2, m.left.cq, 1).sendFlags(0));
            m.right.post(enable(WrOpcode.SEND_ENABLE, 3, m.self.qp, width).sendFlags(0));
            m.right.post(await(4, m.self.cq, width).sendFlags(0));
            m.right.post(tell(m, Math.floorMod(me - step - 1, members), bytes));
        }
        for (int step = 0; step < members - 1; step++) {
            boolean last = step == members - 2;
            m.right.post(await(last ? 99 : 5, m.left.cq, 1).sendFlags(last ? SendFlags.SIGNALED : 0));
            if (!last) {
                m.right.post(tell(m, Math.floorMod(me - step, members), bytes));
            }
        }
    }

    private static SendWorkRequest tell(Member m, int piece, int bytes) {
        return Side.wr(WrOpcode.SEND, 6, m.right.sge(piece * bytes, bytes)).sendFlags(0);
    }

    /** Adds a member's own numbers to a piece once that request is enabled. */
    private static void add(Member m, io.verbs4j.MemoryRegion memory, int me, int piece, int width) {
        for (int k = piece * width; k < (piece + 1) * width; k++) {
            m.self.post(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, k, m.self.sge(2048 + k * Long.BYTES, Long.BYTES))
                    .remoteAddr(memory.addr() + (long) k * Long.BYTES)
                    .rkey(memory.rkey())
                    .compareAdd(value(me, k)));
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.rdmacore.sim.QpWalk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One of two ends of a conversation, which records everything that its program sees. Settings are changed before it is
 * connected.
 */
final class ObservedEnd implements AutoCloseable {
    static final int BYTES = 1 << 16;
    static final int PSN = 9;
    private static final int QKEY = 7;

    /** Everything that may be granted to a peer. */
    static final int ALL = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    int mtu = Mtu.MTU_1024;
    int access = ALL;
    int destRdAtomic = 8;
    int retryCnt = 1;
    int rnrRetry = 7;
    int minRnrTimer = 1;
    int firstPsn = PSN;

    final TestContext context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final QueuePair qp;
    final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    final MemoryRegion mr;
    private final List<MemoryRegion> others = new ArrayList<>();
    private AddressHandle ah;

    private final List<String> completions = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    ObservedEnd(TestContext device, int type) {
        context = device.again();
        pd = context.allocPd();
        cq = context.createCq(256);
        qp = pd.createQp(new QpInitAttr()
                .qpType(type)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(64).maxRecvWr(64).maxSendSge(2).maxRecvSge(2)));
        mr = pd.regMr(buffer, ALL | AccessFlags.LOCAL_WRITE);
    }

    void toRtr(ObservedEnd peer) {
        QpWalk walk = walk();
        qp.modify(walk.init());
        AhAttr path = QpWalk.path(peer.context.queryGid(1, 0));
        if (qp.qpType() == QpType.UD) {
            ah = pd.createAh(path);
        }
        qp.modify(walk.rtr(path, peer.qp.qpNum()));
    }

    void toRts() {
        qp.modify(walk().rts());
    }

    private QpWalk walk() {
        return QpWalk.of(qp.qpType())
                .access(access)
                .qkey(QKEY)
                .mtu(mtu)
                .minRnrTimer(minRnrTimer)
                .timeout(14)
                .retryCnt(retryCnt)
                .rnrRetry(rnrRetry)
                .readDepth(8, destRdAtomic)
                .rqPsn(PSN)
                .sqPsn(firstPsn);
    }

    void modify(int state) {
        qp.modify(new QpAttr().qpState(state));
    }

    void drain() {
        qp.modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
    }

    /** Registers a region of the given length and rights. */
    MemoryRegion region(int rights) {
        MemoryRegion made = pd.regMr(buffer, rights);
        others.add(made);
        return made;
    }

    void recv(long wrId, int length) {
        recv(wrId, ScatterGatherElement.of(mr, BYTES / 2, length));
    }

    void recv(long wrId, ScatterGatherElement element) {
        assertThat(qp.postRecv(new RecvWorkRequest().wrId(wrId).sgList(element)))
                .isZero();
    }

    /** A request to the memory of the peer. */
    SendWorkRequest request(int opcode, long wrId, int length, ObservedEnd peer) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(new ScatterGatherElement()
                        .addr(mr.addr() + 0)
                        .length(length)
                        .lkey(mr.lkey()))
                .remoteAddr(peer.mr.addr())
                .rkey(peer.mr.rkey())
                .compareAdd(1)
                .ah(ah)
                .remoteQpn(peer.qp.qpNum())
                .remoteQkey(QKEY);
    }

    /** Posts a request; a refusal is recorded like a completion. */
    void post(SendWorkRequest wr) {
        int errno = qp.postSend(wr);
        if (errno != 0) {
            completions.add(wr.wrId() + " refused: " + errno);
        }
    }

    /** Returns what this end has seen so far. */
    String seen() {
        WorkCompletion[] wc = {new WorkCompletion()};
        while (cq.poll(1, wc) == 1) {
            assertThat(wc[0].qpNum()).isEqualTo(qp.qpNum());
            completions.add(text(wc[0]));
        }
        AsyncEvent event = context.getAsyncEvent(0, TimeUnit.SECONDS);
        while (event != null) {
            events.add(EventType.toString(event.eventType()));
            event = context.getAsyncEvent(0, TimeUnit.SECONDS);
        }
        QpAttr now = qp.query(0);
        return String.join(", ", completions) + "; " + String.join(", ", events) + "; "
                + QpState.toString(now.qpState());
    }

    int completions() {
        seen();
        return completions.size();
    }

    private static String text(WorkCompletion wc) {
        if (wc.status() != WcStatus.SUCCESS) {
            return wc.wrId() + " " + WcStatus.toString(wc.status());
        }
        boolean received = (wc.opcode() & WcOpcode.RECV) != 0;
        return wc.wrId()
                + (received ? " received " + wc.byteLen() : " sent")
                + ((wc.wcFlags() & WcFlags.WITH_IMM) != 0 ? " with " + wc.immData() : "");
    }

    @Override
    public void close() {
        qp.close();
        cq.close();
        if (ah != null) {
            ah.close();
        }
        others.forEach(MemoryRegion::close);
        mr.close();
        pd.close();
        context.close();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.RxHashConf;
import io.verbs4j.RxHashFields;
import io.verbs4j.RxHashFunction;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.WcExFlags;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.object.NativeWorkQueue;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A raw packet queue pair and a work queue on a simulated device, on Java's data path or libmlx5's, each with its rule.
 */
final class FrameRig implements AutoCloseable {
    static final byte[] TO_QP = {2, 0, 0, 0, 0, 9};
    static final byte[] TO_WQ = {2, 0, 0, 0, 0, 8};
    static final int INLINE = 100;
    static final int MOST_HEADER = 130;
    static final int MOST_SGE = 4;

    private static final int KEY_LENGTH = 40;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    final ProtectionDomain pd;
    final MemoryRegion mr;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final QueuePair qp;
    final WorkQueue wq;

    /** Creates everything without connecting: the queue pair is in INIT, the work queue in RESET. */
    FrameRig(String device, String path, ByteBuffer memory) {
        Context context = opened(Mlx5Rig.open(device, path));
        pd = opened(context.allocPd());
        mr = opened(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
        sends = opened(context.createCq(64));
        receives = opened(context.createCqEx(
                new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD | WcExFlags.FLOW_TAG | WcExFlags.CVLAN)));
        qp = opened(context.createQpEx(new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .sendCq(sends)
                .recvCq(receives)
                .maxTsoHeader(MOST_HEADER)
                .cap(new QpCap()
                        .maxSendWr(16)
                        .maxSendSge(MOST_SGE)
                        .maxRecvWr(16)
                        .maxRecvSge(3)
                        .maxInlineData(INLINE))));
        wq = opened(context.createWq(new WqInitAttr().maxWr(16).maxSge(3).pd(pd).cq(receives)));
        DvObjects.Wq ring = workRing(); // libmlx5 leaves it as it found the memory
        NativeMemory.clear(ring.buf(), (long) ring.count() * ring.stride());
        RwqIndTable table = opened(context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(wq)));
        QueuePair spread = opened(context.createQpEx(new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .rwqIndTbl(table)
                .rxHashConf(new RxHashConf()
                        .rxHashFunction(RxHashFunction.TOEPLITZ)
                        .rxHashKey(new byte[KEY_LENGTH])
                        .rxHashFieldsMask(RxHashFields.SRC_IPV4))));
        init();
        opened(qp.createFlow(
                new FlowAttr().port(1).specs(new FlowSpecEth().dstMac(TO_QP), new FlowSpecActionTag(0x11))));
        opened(spread.createFlow(
                new FlowAttr().port(1).specs(new FlowSpecEth().dstMac(TO_WQ), new FlowSpecActionTag(qp.qpNum()))));
    }

    private <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    private void init() {
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1));
    }

    void ready() {
        qp.modify(new QpAttr().qpState(QpState.RTR));
        qp.modify(new QpAttr().qpState(QpState.RTS));
    }

    /** Starts again with empty queues. */
    void reset() {
        qp.modify(new QpAttr().qpState(QpState.RESET));
        init();
    }

    void workQueue(int state) {
        wq.modify(new WqAttr().wqState(state));
    }

    void renewWorkQueue() {
        workQueue(WqState.ERR);
        workQueue(WqState.RESET);
        workQueue(WqState.RDY);
    }

    ScatterGatherElement element(int at, int length) {
        return ScatterGatherElement.of(mr, at, length);
    }

    long ibvQp() {
        return ((NativeQueuePair) qp).ibv.address();
    }

    DvObjects.Wq workRing() {
        return DvObjects.wq(((NativeWorkQueue) wq).ibv.address());
    }

    /** Returns the number of bytes from the next element's possible header to the end of the ring. */
    int roomForHeader() {
        DvObjects.Qp ring = DvObjects.qp(ibvQp());
        int block = NativeMemory.getNetInt(ring.dbrec() + Integer.BYTES) & ring.sqCount() - 1;
        return (ring.sqCount() - block) * ring.sqStride() - 30;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

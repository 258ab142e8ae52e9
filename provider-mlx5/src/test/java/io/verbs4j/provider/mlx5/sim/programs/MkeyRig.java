/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5MkeyRequest;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.mlx5dv.Mlx5SendOps;
import io.verbs4j.mlx5dv.Mlx5SendRequest;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Two connected queue pairs on a simulated device, created for requests specific to mlx5. */
final class MkeyRig implements AutoCloseable {
    static final int DEPTH = Mlx5Rig.DEPTH;
    static final int MAX_INLINE = 512;
    static final int MEMORY = 1 << 16;

    /** Operations of libraries since rdma-core 37. */
    static final long ALL = Mlx5SendOps.MR_INTERLEAVED
            | Mlx5SendOps.MR_LIST
            | Mlx5SendOps.MKEY_CONFIGURE
            | Mlx5SendOps.RAW_WQE
            | Mlx5SendOps.MEMCPY;

    /** Operations that only libmlx5 writes. */
    static final long NATIVE = Mlx5SendOps.MEMCPY;

    /** Operations of libraries since rdma-core 24. */
    static final long OLD = Mlx5SendOps.MR_INTERLEAVED | Mlx5SendOps.MR_LIST;

    final ByteBuffer memory;
    final WorkCompletion[] wc = {new WorkCompletion()};
    final Context context;
    final Mlx5Dv dv;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final CompletionQueue peerCq;
    final MemoryRegion mr;
    final QueuePair qp;
    final QueuePair peer;

    MkeyRig(String path, long sendOps) {
        this("mlx5_0", path, path.equals("java") ? sendOps & ~NATIVE : sendOps, allocate());
    }

    MkeyRig(String device, String path, long sendOps, ByteBuffer memory) {
        this.memory = memory;
        context = Mlx5Rig.open(device, path);
        dv = context.vendor(Mlx5Dv.class);
        pd = context.allocPd();
        cq = context.createCq(256);
        peerCq = context.createCq(256);
        mr = pd.regMr(memory, Mlx5Rig.ACCESS);
        qp = queuePair(cq, sendOps);
        peer = queuePair(peerCq, sendOps);
        connect();
    }

    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(MEMORY).order(ByteOrder.nativeOrder());
    }

    /** Creates a queue pair, in RESET. */
    QueuePair queuePair(CompletionQueue completions, long sendOps) {
        return queuePair(completions, sendOps, MAX_INLINE);
    }

    QueuePair queuePair(CompletionQueue completions, long sendOps, int maxInline) {
        QpInitAttr attr = Mlx5Rig.attr(QpType.RC, completions, null);
        attr.cap().maxInlineData(maxInline);
        return dv.createQp(QpInitAttrEx.of(pd, attr), new Mlx5QpInitAttr().sendOpsFlags(sendOps));
    }

    void connect() {
        Mlx5Rig.connect(context, qp, peer.qpNum());
        Mlx5Rig.connect(context, peer, qp.qpNum());
    }

    /** Takes both queue pairs from any state to RTS, with empty queues. */
    void reconnect() {
        QpWalk.reset(qp);
        QpWalk.reset(peer);
        connect();
        while (cq.poll(1, wc) != 0 || peerCq.poll(1, wc) != 0) {
            // flushed requests
        }
    }

    ScatterGatherElement element(int offset, int length) {
        return new ScatterGatherElement()
                .lkey(mr.lkey())
                .addr(mr.addr() + offset)
                .length(length);
    }

    static ScatterGatherElement element(int lkey, long addr, int length) {
        return new ScatterGatherElement().lkey(lkey).addr(addr).length(length);
    }

    static SendWorkRequest request(int opcode, ScatterGatherElement local, int rkey, long remoteAddr) {
        return new SendWorkRequest()
                .wrId(opcode)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(local)
                .rkey(rkey)
                .remoteAddr(remoteAddr);
    }

    /** Returns the beginning of a request that changes a key. */
    static Mlx5MkeyRequest change(long wrId) {
        return new Mlx5MkeyRequest().request(wrId, SendFlags.SIGNALED);
    }

    /** Posts a request specific to mlx5, and polls its completion. */
    WorkCompletion done(Mlx5SendRequest request) {
        assertThat(dv.postSend(qp, request)).isZero();
        return completion(request.wrId(), WcStatus.SUCCESS);
    }

    WorkCompletion done(SendWorkRequest request, int status) {
        assertThat(qp.postSend(request)).isZero();
        return completion(request.wrId(), status);
    }

    WorkCompletion completion(long wrId, int status) {
        Simulator.pump();
        assertThat(cq.poll(1, wc)).isEqualTo(1);
        assertThat(WcStatus.toString(wc[0].status())).isEqualTo(WcStatus.toString(status));
        assertThat(wc[0].wrId()).isEqualTo(wrId);
        return wc[0];
    }

    /** Polls once and expects nothing; libmlx5 learns of wrong signatures by polling. */
    void nothingElse() {
        Simulator.pump();
        assertThat(cq.poll(1, wc)).isZero();
        assertThat(peerCq.poll(1, wc)).isZero();
    }

    void fill(int from, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory.put(from + i, (byte) (i * 7 + (i >> 8) + seed));
        }
    }

    @Override
    public void close() {
        qp.close();
        peer.close();
        mr.close();
        cq.close();
        peerCq.close();
        pd.close();
        context.close();
    }
}

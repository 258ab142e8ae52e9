/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;

/** A context on a simulated EFA device, with memory, an address handle to itself, and two queue pairs of a type. */
final class EfaRig implements AutoCloseable {
    static final int QKEY = 0x11111111;
    static final int DEPTH = 16;
    static final int SIZE = 1 << 16;

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final ByteBuffer memory = ByteBuffer.allocateDirect(2 * SIZE);
    final MemoryRegion mr;
    final AddressHandle ah;
    final QueuePair qp;
    final QueuePair peer;
    private final WorkCompletion[] wc = {new WorkCompletion()};

    EfaRig(int type) {
        context = open();
        pd = context.allocPd();
        sends = context.createCq(256);
        receives = context.createCq(256);
        mr = pd.regMr(memory, access(context));
        ah = pd.createAh(way(context));
        qp = pd.createQp(attr(type));
        peer = pd.createQp(attr(type));
        ready(qp);
        ready(peer);
    }

    static Context open() {
        return SimulatedDevice.open("efa_0");
    }

    private static int access(Context context) {
        int caps = context.vendor(EfaDv.class).queryDevice().deviceCaps();
        int read = (caps & EfaDeviceCap.RDMA_READ) == 0 ? 0 : AccessFlags.REMOTE_READ;
        int write = (caps & EfaDeviceCap.RDMA_WRITE) == 0 ? 0 : AccessFlags.REMOTE_WRITE;
        return AccessFlags.LOCAL_WRITE | read | write;
    }

    /** Returns the path to the device itself. */
    static AhAttr way(Context context) {
        return SimulatedDevice.path(context, 1, 0);
    }

    QpInitAttr attr(int type) {
        QpCap cap = new QpCap()
                .maxSendWr(DEPTH)
                .maxRecvWr(DEPTH)
                .maxSendSge(2)
                .maxRecvSge(2)
                .maxInlineData(32);
        return new QpInitAttr().qpType(type).sendCq(sends).recvCq(receives).cap(cap);
    }

    static void ready(QueuePair qp) {
        QpWalk.of(qp.qpType()).qkey(QKEY).ready(qp);
    }

    ScatterGatherElement at(int offset, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + offset)
                .length(length)
                .lkey(mr.lkey());
    }

    SendWorkRequest send(long id, ScatterGatherElement... data) {
        return new SendWorkRequest()
                .wrId(id)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(data)
                .ah(ah)
                .remoteQpn(peer.qpNum())
                .remoteQkey(QKEY);
    }

    void post(SendWorkRequest wr) {
        Check.equal(0, qp.postSend(wr, null), "errno of the post of " + wr.wrId());
    }

    void receive(long id, ScatterGatherElement... data) {
        Check.equal(0, peer.postRecv(new RecvWorkRequest().wrId(id).sgList(data), null), "errno of receive " + id);
    }

    /** Returns the next completion, which must have arrived. */
    WorkCompletion next(CompletionQueue cq) {
        Simulator.pump();
        Check.equal(1, cq.poll(1, wc), "completions");
        return wc[0];
    }

    @Override
    public void close() {
        qp.close();
        peer.close();
        ah.close();
        mr.close();
        sends.close();
        receives.close();
        pd.close();
        context.close();
        Simulator.requireClean();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;

/** A context on a simulated device, by Java's data path or by libmlx5's, with memory and two queue pairs that face each other. */
final class Rig implements AutoCloseable {
    static final int GID = 1;
    static final int QKEY = 0x11111111;
    static final int DEPTH = 16;
    private static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final CompletionQueue peerCq;
    final MemoryRegion mr;
    final QueuePair qp;
    final QueuePair peer;

    Rig(String device, String path, int type, ByteBuffer memory) {
        System.setProperty("io.verbs4j.mlx5.path", path);
        context = Verbs.open(find(device), VerbsLevel.CURRENT);
        pd = context.allocPd();
        cq = context.createCq(256);
        peerCq = context.createCq(256);
        mr = pd.regMr(memory, ACCESS);
        qp = create(type, cq);
        peer = create(type, peerCq);
        connect(context, qp, peer.qpNum());
        connect(context, peer, qp.qpNum());
    }

    private static Device find(String name) {
        return Verbs.devices().stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + ": " + Verbs.report()));
    }

    private QueuePair create(int type, CompletionQueue completions) {
        return pd.createQp(new QpInitAttr()
                .qpType(type)
                .sendCq(completions)
                .recvCq(completions)
                .cap(new QpCap()
                        .maxSendWr(DEPTH)
                        .maxRecvWr(DEPTH)
                        .maxSendSge(3)
                        .maxRecvSge(3)
                        .maxInlineData(64)));
    }

    AhAttr path() {
        return path(context);
    }

    /** The way to the device itself. */
    static AhAttr path(Context context) {
        Gid gid = context.queryGid(1, GID);
        return new AhAttr()
                .isGlobal(true)
                .portNum(1)
                .grh(new GlobalRoute().dgid(gid).sgidIndex(GID).hopLimit(64).flowLabel(0x12345));
    }

    /** Takes a queue pair to RTS. */
    static void connect(Context context, QueuePair from, int to) {
        int type = from.qpType();
        QpAttr init = new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0);
        QpAttr rtr = new QpAttr().qpState(QpState.RTR);
        QpAttr rts = new QpAttr().qpState(QpState.RTS).sqPsn(0);
        if (type == QpType.UD) {
            init.qkey(QKEY);
        } else {
            init.qpAccessFlags(type == QpType.RC ? ACCESS & ~AccessFlags.LOCAL_WRITE : AccessFlags.REMOTE_WRITE);
            rtr.ahAttr(path(context)).destQpNum(to).rqPsn(0).pathMtu(Mtu.MTU_1024);
        }
        if (type == QpType.RC) {
            rtr.maxDestRdAtomic(1).minRnrTimer(12);
            rts.timeout(14).retryCnt(7).rnrRetry(7).maxRdAtomic(1);
        }
        from.modify(init);
        from.modify(rtr);
        from.modify(rts);
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

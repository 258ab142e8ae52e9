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
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A context on a simulated device, by Java's data path or by libmlx5's, with memory and two queue pairs that face each other. */
final class Rig implements AutoCloseable {
    static final int GID = 1;
    static final int QKEY = 0x11111111;
    static final int DEPTH = 16;
    static final int SERVICE_LEVEL = 5;

    /** Retries without end where a receiver is not ready. */
    static final int WITHOUT_END = 7;

    static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** In the place of a data path: by the generic provider, as a device that no other provider knows. */
    static final String GENERIC = "generic";

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final CompletionQueue peerCq;
    final MemoryRegion mr;
    final QueuePair qp;
    final QueuePair peer;

    Rig(String device, String path, int type, ByteBuffer memory) {
        this(device, path, type, memory, c -> c.createCq(256));
    }

    /** With completion queues of a certain kind. */
    Rig(String device, String path, int type, ByteBuffer memory, Function<Context, CompletionQueue> queues) {
        context = open(device, path);
        pd = context.allocPd();
        cq = queues.apply(context);
        peerCq = queues.apply(context);
        mr = pd.regMr(memory, ACCESS);
        qp = pd.createQp(attr(type, cq, null));
        peer = pd.createQp(attr(type, peerCq, null));
        connect();
    }

    /** Opens a device, with the data path that is named. */
    static Context open(String device, String path) {
        if (path.equals(GENERIC)) {
            GenericProvider.use();
        } else {
            System.setProperty("io.verbs4j.mlx5.path", path);
        }
        Device found = Verbs.devices().stream()
                .filter(d -> d.name().equals(device))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + device + ": " + Verbs.report()));
        return Verbs.open(found, VerbsLevel.CURRENT);
    }

    /** What the queue pairs are made with. */
    static QpInitAttr attr(int type, CompletionQueue completions, SharedReceiveQueue srq) {
        return new QpInitAttr()
                .qpType(type)
                .sendCq(completions)
                .recvCq(completions)
                .srq(srq)
                .cap(new QpCap()
                        .maxSendWr(DEPTH)
                        .maxRecvWr(srq == null ? DEPTH : 0)
                        .maxSendSge(3)
                        .maxRecvSge(srq == null ? 3 : 0)
                        .maxInlineData(64));
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
                .sl(SERVICE_LEVEL)
                .grh(new GlobalRoute().dgid(gid).sgidIndex(GID).hopLimit(64).flowLabel(0x12345));
    }

    /** Connects the two queue pairs, which are in RESET. */
    void connect() {
        connect(qp, path(), peer.qpNum(), WITHOUT_END);
        connect(peer, path(), qp.qpNum(), WITHOUT_END);
    }

    /** Connects the two once more, from whatever state they are in. */
    void reconnect() {
        reset(qp);
        reset(peer);
        connect();
    }

    static void reset(QueuePair qp) {
        qp.modify(new QpAttr().qpState(QpState.RESET));
    }

    /** Takes a queue pair from RESET to RTS, its peer on the same device. */
    static void connect(Context context, QueuePair from, int to) {
        connect(from, path(context), to, WITHOUT_END);
    }

    /** Takes a queue pair from RESET to RTS. */
    static void connect(QueuePair from, AhAttr path, int to, int rnrRetry) {
        connect(from.qpType(), path, to, rnrRetry, from::modify);
    }

    /** The same of one that is modified in some other way. */
    static void connect(int type, AhAttr path, int to, int rnrRetry, Consumer<QpAttr> modify) {
        QpAttr init = new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0);
        QpAttr rtr = new QpAttr().qpState(QpState.RTR);
        QpAttr rts = new QpAttr().qpState(QpState.RTS).sqPsn(0);
        if (type == QpType.UD) {
            init.qkey(QKEY);
        } else {
            init.qpAccessFlags(type == QpType.UC ? AccessFlags.REMOTE_WRITE : ACCESS & ~AccessFlags.LOCAL_WRITE);
            rtr.ahAttr(path).destQpNum(to).rqPsn(0).pathMtu(Mtu.MTU_1024);
        }
        if (type == QpType.RC || type == QpType.XRC_RECV) {
            rtr.maxDestRdAtomic(1).minRnrTimer(1);
            rts.timeout(14);
        }
        if (type == QpType.RC || type == QpType.XRC_SEND) {
            rts.timeout(14).retryCnt(7).rnrRetry(rnrRetry).maxRdAtomic(1);
        }
        modify.accept(init);
        modify.accept(rtr);
        modify.accept(rts);
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

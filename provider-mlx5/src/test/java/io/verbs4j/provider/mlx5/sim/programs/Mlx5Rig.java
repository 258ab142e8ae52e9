/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A context on a simulated device, on Java's data path or libmlx5's, with memory and two connected queue pairs. */
final class Mlx5Rig implements AutoCloseable {
    static final int GID = 1;
    static final int QKEY = 0x11111111;
    static final int DEPTH = 16;
    static final int SERVICE_LEVEL = 5;

    /** Retries without limit if a receiver is not ready. */
    static final int WITHOUT_END = 7;

    static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** Instead of a data path: the generic provider, for devices that no other provider knows. */
    static final String GENERIC = "generic";

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final CompletionQueue peerCq;
    final MemoryRegion mr;
    final QueuePair qp;
    final QueuePair peer;

    Mlx5Rig(String device, String path, int type, ByteBuffer memory) {
        this(device, path, type, memory, c -> c.createCq(256));
    }

    /** Creates a rig with completion queues of a certain kind. */
    Mlx5Rig(String device, String path, int type, ByteBuffer memory, Function<Context, CompletionQueue> queues) {
        context = open(device, path);
        pd = context.allocPd();
        cq = queues.apply(context);
        peerCq = queues.apply(context);
        mr = pd.regMr(memory, ACCESS);
        qp = pd.createQp(attr(type, cq, null));
        peer = pd.createQp(attr(type, peerCq, null));
        connect();
    }

    /** Opens a device on the named data path. */
    static Context open(String device, String path) {
        if (path.equals(GENERIC)) {
            GenericProvider.use();
        } else {
            System.setProperty("io.verbs4j.mlx5.path", path);
        }
        return SimulatedDevice.open(device);
    }

    /** Returns the attributes that queue pairs are created with. */
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

    /** Returns the path to the device itself. */
    static AhAttr path(Context context) {
        AhAttr path = SimulatedDevice.path(context, 1, GID).sl(SERVICE_LEVEL);
        path.grh().flowLabel(0x12345);
        return path;
    }

    /** Connects the two queue pairs, which are in RESET. */
    void connect() {
        connect(qp, path(), peer.qpNum(), WITHOUT_END);
        connect(peer, path(), qp.qpNum(), WITHOUT_END);
    }

    /** Connects the two again, from any state. */
    void reconnect() {
        QpWalk.reset(qp);
        QpWalk.reset(peer);
        connect();
    }

    /** Takes a queue pair from RESET to RTS, with its peer on the same device. */
    static void connect(Context context, QueuePair from, int to) {
        connect(from, path(context), to, WITHOUT_END);
    }

    /** Takes a queue pair from RESET to RTS. */
    static void connect(QueuePair from, AhAttr path, int to, int rnrRetry) {
        connect(from.qpType(), path, to, rnrRetry, from::modify);
    }

    /** Does the same for a queue pair that is modified in some other way. */
    static void connect(int type, AhAttr path, int to, int rnrRetry, Consumer<QpAttr> modify) {
        QpWalk.of(type)
                .qkey(QKEY)
                .access(type == QpType.UC ? AccessFlags.REMOTE_WRITE : ACCESS & ~AccessFlags.LOCAL_WRITE)
                .minRnrTimer(1)
                .rnrRetry(rnrRetry)
                .connect(path, to, modify);
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

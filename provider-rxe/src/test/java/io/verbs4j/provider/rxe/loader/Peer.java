/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.loader;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
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
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A queue pair of the embedded device. Since several class loaders load it, its interfaces, arguments and results are
 * types of the JDK: it returns its address, takes the peer's with a text to write there, and closes.
 */
public final class Peer implements Supplier<long[]>, BiConsumer<long[], String>, Closeable {
    private static final int BYTES = 1 << 16;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    private final Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    private final ProtectionDomain pd = context.allocPd();
    private final CompletionQueue cq = context.createCq(16);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private final MemoryRegion mr = pd.regMr(buffer, ACCESS);
    private final QueuePair qp = pd.createQp(new QpInitAttr()
            .qpType(QpType.RC)
            .sendCq(cq)
            .recvCq(cq)
            .cap(new QpCap().maxSendWr(16).maxRecvWr(16).maxSendSge(1).maxRecvSge(1)));

    /** GID, queue pair number, memory address and key. */
    @Override
    public long[] get() {
        Gid gid = context.queryGid(1, 0);
        return new long[] {gid.subnetPrefix(), gid.interfaceId(), qp.qpNum(), mr.addr(), mr.rkey()};
    }

    /** Connects, and writes a text if there is one. */
    @Override
    public void accept(long[] peer, String text) {
        if (text == null) {
            connect(peer);
            Connections.use(context, pd, cq);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.put(BYTES / 2, bytes);
        int posted = qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(new ScatterGatherElement()
                        .addr(mr.addr() + BYTES / 2)
                        .length(bytes.length)
                        .lkey(mr.lkey()))
                .remoteAddr(peer[3])
                .rkey((int) peer[4]));
        WorkCompletion[] wc = {new WorkCompletion()};
        while (posted == 0 && cq.poll(1, wc) == 0) {
            Thread.onSpinWait();
        }
        if (posted != 0 || wc[0].status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(posted + " " + WcStatus.toString(wc[0].status()));
        }
    }

    private void connect(long[] peer) {
        AhAttr path = new AhAttr()
                .isGlobal(true)
                .portNum(1)
                .grh(new GlobalRoute().dgid(Gid.of(peer[0], peer[1])).hopLimit(64));
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(ACCESS));
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .destQpNum((int) peer[2])
                .rqPsn(0)
                .pathMtu(Mtu.MTU_1024)
                .maxDestRdAtomic(1)
                .minRnrTimer(12));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(16)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }

    /** Returns what the peer has written: the text up to a zero byte. */
    @Override
    public String toString() {
        int length = 0;
        while (buffer.get(length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        qp.close();
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }
}

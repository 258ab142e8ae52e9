/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A device of the guest's kernel with the resources of connected queue pairs. Sends start at offset 0, receives at
 * 2048.
 */
final class CmParty implements AutoCloseable {
    static final int RECEIVED = 2048;
    private static final int ROOM = 100;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    final MemoryRegion mr;

    CmParty(String device) {
        context = Verbs.open(
                Verbs.devices().stream()
                        .filter(one -> one.name().equals(device))
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT);
        pd = context.allocPd();
        cq = context.createCq(256);
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
    }

    QpInitAttr attr(int type) {
        return new QpInitAttr()
                .qpType(type)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(8).maxRecvWr(8).maxSendSge(1).maxRecvSge(1));
    }

    QpInitAttr attr() {
        return attr(QpType.RC);
    }

    void receive(QueuePair qp) {
        RecvWorkRequest wr = new RecvWorkRequest().wrId(2).sgList(ScatterGatherElement.of(mr, RECEIVED, ROOM));
        assertThat(qp.postRecv(wr)).isZero();
    }

    SendWorkRequest request(int value) {
        memory.put(0, (byte) value);
        return new SendWorkRequest()
                .wrId(1)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, 0, 1));
    }

    void send(QueuePair qp, int value) {
        assertThat(qp.postSend(request(value))).isZero();
    }

    /** Whether there are windows of type 1: siw has none, nor has the rxe driver of rdma-core 33. */
    boolean bindsWindows() {
        try {
            pd.allocMw(MwType.TYPE_1).close();
            return true;
        } catch (VerbsException e) {
            assertThat(Errno.name(e.errno())).as("%s", e).isEqualTo("EOPNOTSUPP");
            return false;
        }
    }

    /** Writes a byte to the start of a peer's memory. */
    void write(QueuePair qp, int value, CmParty peer) {
        memory.put(1, (byte) value);
        SendWorkRequest wr = new SendWorkRequest()
                .wrId(3)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, 1, 1))
                .remoteAddr(peer.mr.addr())
                .rkey(peer.mr.rkey());
        assertThat(qp.postSend(wr)).isZero();
        completed(3);
    }

    /** Waits for two requests to complete, in any order. */
    void completed(int one, int other) {
        assertThat(next() + next()).isEqualTo(one + other);
    }

    /** Waits for a request to complete. */
    void completed(int wrId) {
        assertThat(next()).isEqualTo(wrId);
    }

    private long next() {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        while (cq.poll(1, wc) == 0) {
            assertThat(System.nanoTime()).as("nothing completes").isLessThan(end);
            Thread.onSpinWait();
        }
        assertThat(WcStatus.toString(wc[0].status())).isEqualTo(WcStatus.toString(WcStatus.SUCCESS));
        return wc[0].wrId();
    }

    int received() {
        completed(2);
        return memory.get(RECEIVED);
    }

    @Override
    public void close() {
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }
}

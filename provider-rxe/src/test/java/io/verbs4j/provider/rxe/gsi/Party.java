/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A context, and the objects that connected queue pairs need. */
final class Party implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    final MemoryRegion mr;

    Party(Context context) {
        this.context = context;
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

    /** Posts a receive at 2048. */
    void receive(QueuePair qp) {
        int error = qp.postRecv(new RecvWorkRequest().wrId(2).sgList(ScatterGatherElement.of(mr, 2048, 100)));
        assertThat(error).isZero();
    }

    /** Sends a byte. */
    void send(QueuePair qp, int value) {
        memory.put(0, (byte) value);
        int error = qp.postSend(new SendWorkRequest()
                .wrId(1)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(ScatterGatherElement.of(mr, 0, 1)));
        assertThat(error).isZero();
    }

    /** Waits for a completion; returns its id. */
    int next() {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        while (cq.poll(1, wc) == 0) {
            assertThat(System.nanoTime()).as("time until a completion").isLessThan(end);
        }
        assertThat(WcStatus.toString(wc[0].status())).isEqualTo(WcStatus.toString(WcStatus.SUCCESS));
        return (int) wc[0].wrId();
    }

    /** Waits for a completion; returns its status. */
    int nextStatus() {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        while (cq.poll(1, wc) == 0) {
            assertThat(System.nanoTime()).as("time until a completion").isLessThan(end);
        }
        return wc[0].status();
    }

    /** Waits for the completion of the given request. */
    void completed(int wrId) {
        assertThat(next()).isEqualTo(wrId);
    }

    /** Waits until a send has completed and a reply has arrived, in either order; returns the reply. */
    int answer() {
        assertThat(next() + next()).isEqualTo(3);
        return memory.get(2048);
    }

    int received() {
        completed(2);
        return memory.get(2048);
    }

    @Override
    public void close() {
        mr.close();
        cq.close();
        pd.close();
        context.close();
    }
}

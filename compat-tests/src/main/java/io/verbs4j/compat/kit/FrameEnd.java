/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Flow;
import io.verbs4j.FlowAttr;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
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
import java.util.function.Consumer;

/**
 * An end of a segment: a port of an open device, and memory in slots, each for one frame. The id of a request is its
 * slot.
 */
final class FrameEnd {
    static final int SLOT_BYTES = 2048;
    static final int DEPTH = 8;
    private static final int SLOTS = 64;

    final Rig rig;
    final Context context;
    final int port;
    final ProtectionDomain pd;
    final MemoryRegion mr;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SLOTS * SLOT_BYTES);
    private int slots;

    FrameEnd(Rig rig, Context context, int port) {
        this.rig = rig;
        this.context = context;
        this.port = port;
        pd = rig.domain(context);
        mr = rig.made(MemoryRegion.class, pd.regMr(memory, AccessFlags.LOCAL_WRITE));
    }

    // ---- queues

    /** {@return a completion queue; an extended one if {@code wcFlags} is not 0} */
    CompletionQueue completions(long wcFlags) {
        CqInitAttrEx attr = new CqInitAttrEx().cqe(SLOTS).wcFlags(wcFlags);
        return rig.made(CompletionQueue.class, wcFlags == 0 ? context.createCq(SLOTS) : context.createCqEx(attr));
    }

    CompletionQueue completions() {
        return completions(0);
    }

    QpInitAttrEx init(CompletionQueue cq) {
        return new QpInitAttrEx()
                .qpType(QpType.RAW_PACKET)
                .pd(pd)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(DEPTH).maxSendSge(2).maxRecvWr(DEPTH).maxRecvSge(2));
    }

    /** {@return a queue pair in state RESET} */
    QueuePair queuePair(QpInitAttrEx attr) {
        return rig.made(QueuePair.class, context.createQpEx(attr));
    }

    /** {@return a queue pair that sends and receives} */
    QueuePair ready(CompletionQueue cq, Consumer<QpInitAttrEx> settings) {
        QpInitAttrEx attr = init(cq);
        settings.accept(attr);
        QueuePair qp = queuePair(attr);
        toInit(qp);
        qp.modify(new QpAttr().qpState(QpState.RTR));
        qp.modify(new QpAttr().qpState(QpState.RTS));
        return qp;
    }

    QueuePair ready(CompletionQueue cq) {
        return ready(cq, attr -> {});
    }

    void toInit(QueuePair qp) {
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(port));
    }

    /** Steers frames to a queue pair. */
    Flow flow(QueuePair qp, FlowAttr attr) {
        return rig.made(Flow.class, qp.createFlow(attr.port(port)));
    }

    // ---- frames

    private int next() {
        return slots++ % SLOTS;
    }

    /** {@return memory within a slot} Slots are used in turn. */
    ScatterGatherElement sge(int slot, int offset, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + (long) slot * SLOT_BYTES + offset)
                .length(length)
                .lkey(mr.lkey());
    }

    RecvWorkRequest receive() {
        int slot = next();
        return new RecvWorkRequest().wrId(slot).sgList(sge(slot, 0, SLOT_BYTES));
    }

    void post(QueuePair qp, int receives) {
        for (int i = 0; i < receives; i++) {
            Seen.errno("postRecv", 0, qp.postRecv(receive()));
        }
    }

    /** Returns the first bytes of a slot. */
    byte[] read(long slot, int length) {
        byte[] bytes = new byte[length];
        memory.get((int) slot * SLOT_BYTES, bytes);
        return bytes;
    }

    /** Puts bytes into the next slot, and returns its number. */
    int write(byte[] bytes) {
        int slot = next();
        memory.put(slot * SLOT_BYTES, bytes);
        return slot;
    }

    /** {@return a request that sends a frame, signaled} */
    SendWorkRequest request(byte[] frame, int moreFlags) {
        int slot = write(frame);
        return new SendWorkRequest()
                .wrId(slot)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED | moreFlags)
                .sgList(sge(slot, 0, frame.length));
    }

    /** Sends, and waits for the completion. */
    void send(QueuePair qp, SendWorkRequest wr) {
        Seen.errno("postSend of a frame", 0, qp.postSend(wr));
        WorkCompletion wc = next(qp.sendCq());
        Seen.equal("wrId of the send's completion", wr.wrId(), wc.wrId());
    }

    // ---- completions

    /** Returns the next completion, which must be successful. */
    WorkCompletion next(CompletionQueue cq) {
        return next(cq, WcStatus.SUCCESS);
    }

    WorkCompletion next(CompletionQueue cq, int status) {
        WorkCompletion wc = rig.completion(cq);
        Seen.equal("status", WcStatus.toString(status), WcStatus.toString(wc.status()));
        return wc;
    }

    /** Returns the next frame that arrives. */
    byte[] arrived(CompletionQueue cq) {
        WorkCompletion wc = next(cq);
        return read(wc.wrId(), wc.byteLen());
    }

    /** Checks that the next frame is this one. */
    WorkCompletion arrives(CompletionQueue cq, byte[] frame) {
        WorkCompletion wc = next(cq);
        same(frame, read(wc.wrId(), wc.byteLen()));
        return wc;
    }

    /** Checks that a frame is as it was sent. */
    static void same(byte[] sent, byte[] found) {
        Seen.equal("byteLen", sent.length, found.length);
        for (int i = 0; i < sent.length; i++) {
            Seen.equal("byte " + i + " of the frame", sent[i], found[i]);
        }
    }
}

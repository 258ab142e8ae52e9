/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.QpInitAttrLayout;
import io.verbs4j.rdmacore.marshal.QpAttrs;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue pair of EFA that libefa posts to. Each request names its destination, for either type. It counts outstanding
 * requests, because libefa writes outside its tables if it polls a completion from before RESET.
 */
final class EfaQp extends IbvQp {
    /**
     * Maximum element length that a receive descriptor can hold. No message of EFA is that long. Before rdma-core 57,
     * libefa truncated longer ones.
     */
    private static final int LONGEST_ELEMENT = 0xffff;

    private final EfaQps qps;
    private final long pdAddress;
    private final IbvCq sendCq;
    private final IbvCq recvCq;
    private final boolean takesUnsolicited;
    private final AtomicLong sendCqTaken = new AtomicLong();
    private final AtomicLong recvCqTaken = new AtomicLong(); // if that is another queue
    private final boolean takesHints;
    private final EfaRules rules;

    EfaQp(EfaContext base, QpInitAttrEx attr, long operations, long qp) {
        super(attr, operations, qp, base.functions(), base.quirks(), base.regions(), base.windows());
        takesHints = EfaQueuePairs.takesHints(EfaQueuePairs.of(attr));
        rules = new EfaRules(attr);
        requireReceiveElements(); // libefa accepts receives without elements, but writes no descriptor
        limitReceiveElements(LONGEST_ELEMENT);
        EfaQpInitAttr efa = EfaQueuePairs.of(attr);
        takesUnsolicited = (efa.flags() & EfaQpFlags.UNSOLICITED_WRITE_RECV) != 0;
        sendCq = ((NativeCompletionQueue) attr.sendCq()).ibv;
        recvCq = ((NativeCompletionQueue) attr.recvCq()).ibv;
        qps = base.qps();
        pdAddress = IbvObject.addressOf(attr.pd());
        qps.add(this);
    }

    /**
     * Notes that libefa has returned a completion of this queue pair. A completion that may be unsolicited is not
     * counted: overestimating the outstanding requests is safe, underestimating is not.
     */
    void taken(IbvCq from, boolean perhapsUnsolicited) {
        if (!perhapsUnsolicited || !takesUnsolicited) {
            (from == sendCq ? sendCqTaken : recvCqTaken).getAndIncrement();
        }
    }

    /**
     * Returns the number of requests whose completions libefa has not returned yet, except those of a queue that it
     * does not read. Call this in ERR.
     */
    long outstanding() {
        long[] sum = new long[1];
        whileNobodyPosts(() -> sum[0] = count());
        return sum[0];
    }

    private long count() {
        long sends = sendCq.isReadable() ? sendsPosted() : 0;
        long receives = recvCq.isReadable() ? receivesPosted() : 0;
        return sends + receives - sendCqTaken.get() - recvCqTaken.get();
    }

    /**
     * Destroys the native queue pair once its completions are gone. A successor with the same number would receive what
     * this one leaves in a completion queue, and libefa would then write outside the successor's table of ids. libefa
     * does not poll a completion queue without queue pairs, so a stand-in is attached until all these completions are
     * dropped.
     */
    @Override
    protected void destroyStruct() {
        if (count() == 0) {
            super.destroyStruct();
            return;
        }
        long standIn = standIn();
        try {
            super.destroyStruct();
            dropCompletions();
        } finally {
            Libibverbs.ibv_destroy_qp(standIn);
        }
    }

    /**
     * Creates another queue pair on the same completion queues. It gets another number, as this queue pair still has
     * its own.
     */
    private long standIn() {
        try (Scratch c = new Scratch(QpInitAttrLayout.SIZEOF)) {
            long attr = c.address();
            NativeMemory.putLong(attr + QpInitAttrLayout.SEND_CQ, sendCq.address());
            NativeMemory.putLong(attr + QpInitAttrLayout.RECV_CQ, recvCq.address());
            QpCap least = new QpCap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1);
            QpAttrs.writeCap(attr + QpInitAttrLayout.CAP, least);
            NativeMemory.putInt(attr + QpInitAttrLayout.QP_TYPE, QpType.UD);
            return Answers.checkPointer("destroy_qp", Libibverbs.ibv_create_qp(pdAddress, attr));
        }
    }

    @Override
    public void destroy() {
        super.destroy();
        qps.remove(this);
    }

    boolean takesHints() {
        return takesHints;
    }

    @Override
    protected int addressing() {
        return QpType.UD;
    }

    @Override
    protected boolean writesInline() {
        return rules.writesInline();
    }

    @Override
    public String broken(SendWorkRequest wr) {
        return rules.broken(wr);
    }
}

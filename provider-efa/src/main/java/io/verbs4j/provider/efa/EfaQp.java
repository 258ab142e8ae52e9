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
 * A queue pair of EFA: of either type, each request says where it goes. It counts what is outstanding, as libefa writes
 * outside of its tables when it polls a completion from before RESET.
 */
final class EfaQp extends IbvQp {
    /** What a receive descriptor has room to tell of an element. No message of EFA is as long; before rdma-core 57, libefa cut off the rest. */
    private static final int LONGEST_ELEMENT = 0xffff;

    private final EfaQps qps;
    private final long pdAddress;
    private final IbvCq sendCq;
    private final IbvCq recvCq;
    private final boolean takesUnsolicited;
    private final AtomicLong sendCqTaken = new AtomicLong();
    private final AtomicLong recvCqTaken = new AtomicLong(); // where that is another queue
    private final boolean takesHints;
    private final EfaRules rules;

    EfaQp(EfaContext base, QpInitAttrEx attr, long operations, long qp) {
        super(attr, operations, qp, base.functions(), base.regions(), base.windows());
        takesHints = EfaQueuePairs.takesHints(EfaQueuePairs.of(attr));
        rules = new EfaRules(attr);
        requireReceiveElements(); // libefa takes others, and writes nothing
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
     * libefa has given a completion of it. One that may be unsolicited is not counted: too many outstanding is safe to
     * assume, too few is not.
     */
    void taken(IbvCq from, boolean perhapsUnsolicited) {
        if (!perhapsUnsolicited || !takesUnsolicited) {
            (from == sendCq ? sendCqTaken : recvCqTaken).getAndIncrement();
        }
    }

    /**
     * How many requests libefa has not given the completions of; none of a queue that it does not read. To be asked in
     * ERR.
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
     * libefa polls no completion queue that it knows no queue pair of. What this one leaves there would be taken for
     * its successor's when that has its number, and libefa would write outside of the successor's table of ids: so
     * another one stands in until all of it is dropped.
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

    /** Another queue pair of the same completion queues; this one has its number still, so it gets another. */
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue pair of EFA: of either type, each request says where it goes. It counts what is outstanding, as libefa writes outside of its tables
 * when it polls a completion from before RESET.
 */
final class EfaQp extends IbvQp {
    /** What a receive descriptor has room to tell of an element. No message of EFA is as long; before rdma-core 57, libefa cut off the rest. */
    private static final int LONGEST_ELEMENT = 0xffff;

    private final EfaQps qps;
    private final IbvCq sendCq;
    private final IbvCq recvCq;
    private final boolean takesUnsolicited;
    private final AtomicLong sendCqTaken = new AtomicLong();
    private final AtomicLong recvCqTaken = new AtomicLong(); // where that is another queue
    private final boolean takesHints;
    private final boolean writesInline;

    EfaQp(EfaContext base, QpInitAttrEx attr, long operations, long qp) {
        super(attr, operations, qp, base.functions(), base.regions(), base.windows());
        takesHints = EfaQueuePairs.takesHints(EfaQueuePairs.of(attr));
        writesInline = EfaQueuePairs.writesInline(EfaQueuePairs.of(attr));
        requireReceiveElements(); // libefa takes others, and writes nothing
        limitReceiveElements(LONGEST_ELEMENT);
        EfaQpInitAttr efa = EfaQueuePairs.of(attr);
        takesUnsolicited = (efa.flags() & EfaQpFlags.UNSOLICITED_WRITE_RECV) != 0;
        sendCq = ((NativeCompletionQueue) attr.sendCq()).ibv;
        recvCq = ((NativeCompletionQueue) attr.recvCq()).ibv;
        qps = base.qps();
        qps.add(this);
    }

    /**
     * libefa has given a completion of it. One that may be unsolicited is not counted: too many outstanding is safe to assume, too few is not.
     */
    void taken(IbvCq from, boolean perhapsUnsolicited) {
        if (!perhapsUnsolicited || !takesUnsolicited) {
            (from == sendCq ? sendCqTaken : recvCqTaken).getAndIncrement();
        }
    }

    /** How many requests libefa has not given the completions of; none of a queue that it does not read. To be asked in ERR. */
    long outstanding() {
        long[] sum = new long[1];
        whileNobodyPosts(() -> {
            long sends = sendCq.isReadable() ? sendsPosted() : 0;
            long receives = recvCq.isReadable() ? receivesPosted() : 0;
            sum[0] = sends + receives - sendCqTaken.get() - recvCqTaken.get();
        });
        return sum[0];
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
        return writesInline;
    }

    @Override
    public String broken(SendWorkRequest wr) {
        return EfaQueuePairs.broken(wr, writesInline);
    }
}

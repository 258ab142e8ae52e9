/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rc;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;

/** RC queue pairs, each connected to itself, that share one completion queue. */
public final class Crowd implements AutoCloseable {
    /** The usual number of queue pairs. */
    public static final int MANY = 10_000;

    /** Maximum number of requests in flight on each queue pair; {@code CROWD_DEPTH} of {@code pair.h}. */
    public static final int DEPTH = 4;

    /**
     * Step from one queue pair to the next. It is coprime to {@link #MANY}, so that all get their turn, but not in the
     * order of creation.
     */
    private static final int STRIDE = 3_331;

    private static final int PORT = 1;
    private static final int HOP_LIMIT = 64;

    private final QueuePair[] pairs;
    private int turn;

    /**
     * Creates the queue pairs.
     *
     * @param cq completion queue of all of them; not closed with them
     * @param number number of queue pairs
     */
    public Crowd(ProtectionDomain pd, CompletionQueue cq, int number) {
        pairs = new QueuePair[number];
        for (int i = 0; i < number; i++) {
            pairs[i] = pair(pd, cq);
        }
    }

    private static QueuePair pair(ProtectionDomain pd, CompletionQueue cq) {
        Context context = pd.context();
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(DEPTH).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)));
        qp.modify(
                new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(PORT).qpAccessFlags(AccessFlags.REMOTE_WRITE));
        AhAttr path = new AhAttr().portNum(PORT).isGlobal(true);
        path.grh().dgid(context.queryGid(PORT, 0)).sgidIndex(0).hopLimit(HOP_LIMIT);
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .pathMtu(context.queryPort(PORT).activeMtu())
                .destQpNum(qp.qpNum())
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(1));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(18)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
        return qp;
    }

    /** Returns the number of queue pairs. */
    public int size() {
        return pairs.length;
    }

    /** Returns the queue pair that was created first. */
    public QueuePair first() {
        return pairs[0];
    }

    /** Returns a different queue pair each time, until all have had their turn. */
    public QueuePair next() {
        turn += STRIDE;
        while (turn >= pairs.length) {
            turn -= pairs.length;
        }
        return pairs[turn];
    }

    @Override
    public void close() {
        for (QueuePair qp : pairs) {
            qp.close();
        }
    }
}

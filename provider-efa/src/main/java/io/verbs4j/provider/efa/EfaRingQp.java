/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.efadv.EfaWqCaps;
import io.verbs4j.provider.efa.dv.RingQueries;
import io.verbs4j.provider.efa.ring.ReceiveRing;
import io.verbs4j.provider.efa.ring.SendElements;
import io.verbs4j.provider.efa.ring.SendRing;
import io.verbs4j.provider.efa.ring.WorkQueuePlace;
import io.verbs4j.rdmacore.object.IbvCq;
import io.verbs4j.rdmacore.object.NativeCompletionQueue;
import io.verbs4j.rdmacore.ring.RingQp;

/** The native side of a queue pair that Java posts to. */
final class EfaRingQp extends RingQp {
    private final EfaContext base;
    private final IbvCq sendCq;
    private final IbvCq recvCq;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final boolean takesHints;
    private final EfaRules rules;
    private final int maxReceives;

    /** Wraps a {@code struct ibv_qp}. */
    EfaRingQp(EfaContext base, QpInitAttrEx attr, long operations, long qp) {
        super(base, attr, operations, qp, base.locks().make(), base.locks().make());
        this.base = base;
        QpCap cap = attr.cap();
        maxReceives = cap.maxRecvWr();
        WorkQueuePlace sq = RingQueries.workQueue(qp, true);
        takesHints = EfaQueuePairs.takesHints(EfaQueuePairs.of(attr));
        rules = new EfaRules(attr);
        sends = new SendRing(
                new SendElements.Setup(
                        sq,
                        (sq.caps() & EfaWqCaps.REQ_ID_64_BIT) != 0,
                        rules.writesInline(),
                        attr.sqSigAll(),
                        cap.maxSendSge(),
                        cap.maxInlineData(),
                        operations,
                        attr.pd(),
                        base.regions()),
                sendLock());
        receives = new ReceiveRing(RingQueries.workQueue(qp, false), cap.maxRecvWr(), cap.maxRecvSge(), receiveLock());
        sendCq = ((NativeCompletionQueue) attr.sendCq()).ibv;
        recvCq = ((NativeCompletionQueue) attr.recvCq()).ibv;
        dropCompletions(); // of an earlier queue pair with the same number
        base.rings().add(qpNum(), this, sends, receives);
        used(1);
    }

    private void used(int change) {
        if (sendCq instanceof EfaRingCq cq) {
            cq.ring().used(change);
        }
        if (recvCq != sendCq && recvCq instanceof EfaRingCq cq) {
            cq.ring().used(change);
        }
    }

    SendRing sends() {
        return sends;
    }

    ReceiveRing receives() {
        return receives;
    }

    boolean takesHints() {
        return takesHints;
    }

    /** Sets processing hints for all requests posted from now on. */
    void hint(int hints) {
        whileNobodyPosts(() -> sends.hint(hints));
    }

    @Override
    public String broken(SendWorkRequest wr) {
        return rules.broken(wr);
    }

    /** Marks everything that is now in one of its completion queues as not its own. */
    void begin(EfaRingCq cq) {
        cq.ring().renounce(cq == sendCq ? sends : null, cq == recvCq ? receives : null);
    }

    @Override
    protected void state(int newState) {
        super.state(newState);
        sends.setOpen(newState == QpState.RTS || newState == QpState.SQD);
        receives.setOpen(newState != QpState.RESET && newState != QpState.ERR);
        if (newState == QpState.RESET) {
            sends.reset();
            receives.reset();
        }
    }

    @Override
    protected void ended() {
        sends.setOpen(false);
        receives.setOpen(false);
        sends.free();
    }

    /** Returns whether the queue pair belongs to a context and is not closed. */
    boolean isOpenOf(EfaContext context) {
        return base == context && pin().isOpen();
    }

    /** Returns the size of its receive queue. */
    int maxReceives() {
        return maxReceives;
    }

    @Override
    protected boolean isHandedOver() {
        return sends.isHandedOver();
    }

    @Override
    public void destroy() {
        super.destroy();
        used(-1);
        base.locks().remove(sendLock());
        base.locks().remove(receiveLock());
        base.rings().remove(qpNum(), this); // from here on, its completions are dropped
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Ece;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The control verbs of completion queues, shared receive queues and queue pairs, each with random arguments. */
final class QueueCalls {
    private final Caller c;
    private final Pool pool;
    private final Values v;
    private final SplittableRandom random;
    private final ControlCalls control;

    QueueCalls(Caller c, ControlCalls control) {
        this.c = c;
        this.pool = c.pool;
        this.v = c.values;
        this.random = c.random;
        this.control = control;
    }

    // ---- completions

    void createChannel() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            control.open();
            return;
        }
        if (pool.channels.isFull()) {
            control.closeOne(pool.channels);
            return;
        }
        boolean dead = pool.contexts.isDead(context);
        c.keep(pool.channels, c.call("create_comp_channel", dead, context::createCompChannel, context));
    }

    void createCq() {
        Context context = pool.contexts.some(random);
        if (context == null) {
            control.open();
            return;
        }
        if (pool.cqs.isFull()) {
            control.closeOne(pool.cqs);
            return;
        }
        CompletionChannel channel = c.chance(4) ? null : pool.channels.any(random, ch -> ch.context() == context);
        int cqe = v.capacity();
        int vector = c.chance(20) ? v.number() : 0;
        boolean dead = pool.contexts.isDead(context)
                || channel != null && pool.channels.isDead(channel)
                || cqe < 1
                || vector < 0
                || vector != 0 && !DevicesUnderTest.areNative();
        c.keep(
                pool.cqs,
                c.call(
                        "create_cq",
                        dead,
                        () -> context.createCq(cqe, this, channel, vector),
                        context,
                        cqe,
                        channel,
                        vector));
    }

    void createCqEx() {
        Context context = pool.contexts.some(random);
        if (context == null || pool.cqs.isFull()) {
            return;
        }
        CompletionChannel channel = c.chance(4) ? null : pool.channels.any(random, ch -> ch.context() == context);
        CqInitAttrEx attr = new CqInitAttrEx()
                .cqe(v.capacity())
                .channel(channel)
                .compVector(c.chance(20) ? v.number() : 0)
                .wcFlags(c.chance(10) ? v.number() : random.nextInt(256) | random.nextInt(2) << 11);
        if (c.chance(2)) {
            // Never for one thread alone: there, another thread may end what this one reads.
            attr.flags((c.chance(10) ? v.number() : random.nextInt(2) << 1) & ~CqCreateFlags.SINGLE_THREADED);
        }
        if (c.chance(40)) {
            attr.masks(v.number(), 0);
        }
        CqInitAttrEx given = c.chance(60) ? null : attr;
        boolean dead = given == null
                || pool.contexts.isDead(context)
                || channel != null && pool.channels.isDead(channel)
                || attr.cqe() < 1
                || attr.compVector() < 0;
        c.keep(pool.cqs, c.call("create_cq_ex", dead, () -> context.createCqEx(given), context, given, channel));
    }

    void modifyCq() {
        CompletionQueue cq = pool.cqs.some(random);
        if (cq != null) {
            ModifyCqAttr attr = c.chance(20) ? new ModifyCqAttr() : new ModifyCqAttr().cqCount(v.small(20));
            if (c.chance(2)) {
                attr.cqPeriod(v.small(3000));
            }
            ModifyCqAttr given = c.chance(60) ? null : attr;
            boolean dead = pool.cqs.isDead(cq) || given == null || attr.cqCount() < 0 || attr.cqPeriod() < 0;
            c.run("modify_cq", dead, () -> cq.modify(given), cq, attr.cqCount(), attr.cqPeriod());
        }
    }

    void rateAndOrder() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        boolean dead = pool.qps.isDead(qp);
        if (c.chance(3)) {
            int opcode = v.small(8);
            int flags = v.small(4);
            c.call("query_qp_data_in_order", dead, () -> qp.queryDataInOrder(opcode, flags), qp, opcode, flags);
            return;
        }
        if (c.chance(6)) {
            Ece ece = c.chance(20) ? null : new Ece().vendorId(v.small(2)).options(v.number());
            c.run("set_ece", dead || ece == null, () -> qp.setEce(ece), qp, ece);
            c.call("query_ece", dead, qp::queryEce, qp);
            return;
        }
        QpRateLimitAttr attr = new QpRateLimitAttr().rateLimit(c.chance(3) ? 0 : c.chance(5) ? v.number() : 1 << 20);
        if (c.chance(3)) {
            attr.maxBurstSz(v.number()).typicalPktSz(v.number());
        }
        QpRateLimitAttr given = c.chance(60) ? null : attr;
        c.run(
                "modify_qp_rate_limit",
                dead || given == null || attr.rateLimit() < 0,
                () -> qp.modifyRateLimit(given),
                qp,
                attr.rateLimit(),
                attr.maxBurstSz());
    }

    void resizeCq() {
        CompletionQueue cq = pool.cqs.some(random);
        if (cq != null) {
            int cqe = v.capacity();
            c.run("resize_cq", pool.cqs.isDead(cq) || cqe < 1, () -> cq.resize(cqe), cq, cqe);
        }
    }

    void completionEvent() {
        CompletionChannel channel = pool.channels.made(random);
        if (channel == null) {
            return;
        }
        c.mayWait = true;
        boolean dead = pool.channels.isDead(channel);
        long timeout = c.chance(3) ? random.nextInt(3) : 0;
        TimeUnit unit = c.chance(40) ? null : TimeUnit.MILLISECONDS;
        CompletionQueue cq = c.chance(10)
                ? c.call("get_cq_event", dead, channel::getEvent, channel)
                : c.call("get_cq_event", false, () -> channel.getEvent(timeout, unit), channel, timeout, unit);
        if (cq != null) {
            pool.completionEvents.add(cq);
        }
    }

    void ackCompletionEvents() {
        CompletionQueue cq = pool.completionEvents.poll();
        if (cq != null) {
            c.run("ack_cq_events", false, () -> cq.ackEvents(1), cq, 1);
        }
        CompletionQueue other = pool.cqs.some(random);
        if (other != null && c.chance(4)) {
            int count = v.number();
            c.run("ack_cq_events", pool.cqs.isDead(other) || count < 1, () -> other.ackEvents(count), other, count);
        }
    }

    // ---- queues

    void createSrq() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            control.allocPd();
            return;
        }
        if (pool.srqs.isFull()) {
            control.closeOne(pool.srqs);
            return;
        }
        SrqAttr attr = c.chance(20) ? null : new SrqAttr().maxWr(v.capacity()).maxSge(v.small(5));
        if (c.chance(3)) {
            createTagSrq(pd, attr);
            return;
        }
        SrqInitAttr init = c.chance(20) ? null : new SrqInitAttr().attr(attr);
        boolean dead = pool.pds.isDead(pd) || init == null || attr == null;
        c.keep(pool.srqs, c.call("create_srq", dead, () -> pd.createSrq(init), pd, init));
    }

    private void createTagSrq(ProtectionDomain pd, SrqAttr attr) {
        CompletionQueue cq = pool.cqs.any(random, queue -> queue.context() == pd.context());
        SrqInitAttrEx init =
                new SrqInitAttrEx().srqType(SrqType.TM).pd(pd).cq(cq).attr(attr);
        if (!c.chance(10)) {
            init.tmCap(v.capacity(), v.capacity());
        }
        boolean dead = pool.pds.isDead(pd) || cq == null || pool.cqs.isDead(cq) || attr == null;
        c.keep(pool.srqs, c.call("create_srq_ex", dead, () -> pd.context().createSrqEx(init), pd, init));
    }

    void changeSrq() {
        SharedReceiveQueue srq = pool.srqs.some(random);
        if (srq == null) {
            return;
        }
        boolean dead = pool.srqs.isDead(srq);
        if (c.chance(4)) {
            c.call("query_srq", dead, srq::query, srq);
            return;
        }
        SrqAttr attr = c.chance(20) ? null : new SrqAttr();
        if (attr != null && c.chance(2)) {
            attr.maxWr(v.capacity());
        }
        if (attr != null && c.chance(2)) {
            attr.srqLimit(v.small(20));
        }
        c.run("modify_srq", dead || attr == null || attr.mask() == 0, () -> srq.modify(attr), srq, attr);
    }

    void createQp() {
        ProtectionDomain pd = pool.pds.some(random);
        if (pd == null) {
            control.allocPd();
            return;
        }
        if (pool.qps.isFull()) {
            control.closeOne(pool.qps);
            return;
        }
        CompletionQueue sendCq = pool.cqs.any(random, cq -> cq.context() == pd.context());
        CompletionQueue recvCq = c.chance(2) ? sendCq : pool.cqs.any(random, cq -> cq.context() == pd.context());
        SharedReceiveQueue srq = c.chance(4) ? pool.srqs.any(random, q -> q.context() == pd.context()) : null;
        QpInitAttr attr = c.chance(60)
                ? null
                : new QpInitAttr()
                        .qpType(c.chance(20) ? v.number() : QpType.RC + random.nextInt(3))
                        .sendCq(sendCq)
                        .recvCq(recvCq)
                        .srq(srq)
                        .sqSigAll(c.chance(2))
                        .cap(v.cap());
        boolean dead = pool.pds.isDead(pd)
                || attr == null
                || pool.cqs.isDead(sendCq)
                || pool.cqs.isDead(recvCq)
                || srq != null && pool.srqs.isDead(srq);
        c.keep(pool.qps, c.call("create_qp", dead, () -> pd.createQp(attr), pd, sendCq, recvCq, srq));
    }

    void modifyQp() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        boolean dead = pool.qps.isDead(qp);
        QpAttr attr =
                c.chance(60) ? null : v.towards(qp, v.state(), v.state(), pool.qps.any(random), random.nextInt(9));
        int spoilt = random.nextInt(3);
        for (int i = 0; i < spoilt && attr != null; i++) {
            v.spoil(attr);
        }
        c.run("modify_qp", dead || attr == null, () -> qp.modify(attr), qp, attr, attr == null ? 0 : attr.qpState());
    }

    /** Takes two queue pairs through all states so that they work with each other, unless another thread interferes. */
    void connect() {
        QueuePair a = pool.qps.some(random);
        if (a == null) {
            return;
        }
        QueuePair b = c.chance(6) ? a : pool.qps.some(random, qp -> qp != a && qp.qpType() == a.qpType());
        if (b == null) {
            return;
        }
        int psn = random.nextInt(3) - 1 & 0xffffff;
        for (int to = QpState.RESET; to <= QpState.RTS; to++) {
            step(a, to, b, psn);
            if (b != a) {
                step(b, to, a, psn);
            }
        }
    }

    private void step(QueuePair qp, int to, QueuePair peer, int psn) {
        int from = Math.max(0, to - 1);
        QpAttr attr = v.towards(qp, from, to, peer, psn);
        if (QpStateTable.allowed(qp.qpType(), from, to)) {
            c.run("modify_qp", pool.qps.isDead(qp), () -> qp.modify(attr), qp, QpState.toString(to));
        }
    }

    void queryQp() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        QpAttr attr = c.chance(20) ? null : new QpAttr();
        QpInitAttr init = c.chance(20) ? null : new QpInitAttr();
        int mask = v.number();
        boolean dead = pool.qps.isDead(qp) || attr == null || init == null;
        c.run("query_qp", dead, () -> qp.query(attr, mask, init), qp, mask);
    }

    void multicast() {
        QueuePair qp = pool.qps.some(random);
        if (qp == null) {
            return;
        }
        var gid = c.chance(3) && !DevicesUnderTest.areNative()
                ? v.gid()
                : Episode.GROUPS.get(random.nextInt(Episode.GROUPS.size()));
        // The kernel's device accepts any, and the end of an episode detaches from 0.
        int lid = c.chance(10) && !DevicesUnderTest.areNative() ? v.number() : 0;
        boolean dead = pool.qps.isDead(qp) || gid == null || qp.qpType() != QpType.UD || (lid & ~0xffff) != 0;
        if (c.chance(3)) {
            c.run("attach_mcast", dead, () -> qp.attachMcast(gid, lid), qp, gid, lid);
        } else {
            c.run("detach_mcast", dead, () -> qp.detachMcast(gid, lid), qp, gid, lid);
        }
    }
}

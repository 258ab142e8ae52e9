/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.ChannelRig.DESCRIBED;
import static io.verbs4j.compat.kit.ChannelRig.POST;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpState;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** R20: cross channel: queue pairs that wait for completion queues and enable other queue pairs. */
interface ChannelRules {
    @Rule(
            id = "R20.01",
            since = 3,
            says = "a send queue waits until another queue has had as many completions as it says, counted from the"
                    + " last time on",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    default void r2001Waits(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.d.ready(12, 0, 100);
        rig.d.ready(14, 0, 100);
        rig.c.post(rig.waits(11, 2)
                .next(rig.c
                        .operation(rig.d, 12, 0, 0, 100)
                        .next(rig.waits(13, 1).next(rig.c.operation(rig.d, 14, 0, 0, 100)))));
        rig.c.nothing("before the awaited completion");
        rig.working(rig.a, rig.b, 1);
        rig.a.next(1, WcStatus.SUCCESS);
        rig.c.nothing("after one completion of the two awaited");
        rig.working(rig.a, rig.b, 2);
        Seen.opcode(rig.c.next(11, WcStatus.SUCCESS), WcOpcode.CQE_WAIT);
        rig.c.next(12, WcStatus.SUCCESS);
        rig.c.nothing("of the second wait, although the first used up all completions");
        rig.a.next(2, WcStatus.SUCCESS);
        rig.working(rig.a, rig.b, 3);
        rig.c.next(13, WcStatus.SUCCESS);
        rig.c.next(14, WcStatus.SUCCESS);
        rig.a.next(3, WcStatus.SUCCESS);
        rig.c.moved(rig.d, 0, 0, 100);
    }

    @Rule(
            id = "R20.02",
            since = 3,
            says = "what is posted to a managed send queue begins when another queue pair lets it, as many as it"
                    + " says, or all",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    default void r2002Enables(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.a.createFlags = QpCreateFlags.MANAGED_SEND;
        rig.a.qp = rig.a.anotherQp();
        rig.b.qp = rig.b.anotherQp();
        Side.connect(rig.a, rig.b);
        for (int i = 1; i <= 3; i++) {
            rig.working(rig.a, rig.b, i);
        }
        rig.a.nothing("of a managed send queue that is not enabled yet");
        rig.c.post(rig.enables(WrOpcode.SEND_ENABLE, 20, rig.a.qp, 1));
        Seen.opcode(rig.c.next(20, WcStatus.SUCCESS), WcOpcode.SEND_ENABLE);
        rig.a.next(1, WcStatus.SUCCESS);
        rig.a.nothing("of the second request of a managed send queue with one enabled");
        rig.c.post(rig.enables(WrOpcode.SEND_ENABLE, 21, rig.a.qp, 0));
        rig.c.next(21, WcStatus.SUCCESS);
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.next(3, WcStatus.SUCCESS);
        rig.a.moved(rig.b, 0, 0, 100);
    }

    @Rule(
            id = "R20.03",
            since = 3,
            says = "what is posted to a managed receive queue can be used when another queue pair lets it",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.SEND, Capability.RNR, Capability.CROSS_CHANNEL})
    default void r2003Receives(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.a.createFlags = QpCreateFlags.MANAGED_RECV;
        rig.a.qp = rig.a.anotherQp();
        rig.b.qp = rig.b.anotherQp();
        Side.connect(rig.a, rig.b);
        rig.a.recv(1, 0, 100);
        rig.a.recv(2, 4096, 100);
        rig.b.post(rig.b.wr(WrOpcode.SEND, 5, rig.b.sge(0, 100)).next(rig.b.wr(WrOpcode.SEND, 6, rig.b.sge(100, 100))));
        rig.a.nothing("of a managed receive queue that is not enabled yet");
        rig.c.post(rig.enables(WrOpcode.RECV_ENABLE, 20, rig.a.qp, 1));
        Seen.opcode(rig.c.next(20, WcStatus.SUCCESS), WcOpcode.RECV_ENABLE);
        rig.a.next(1, WcStatus.SUCCESS);
        rig.b.next(5, WcStatus.SUCCESS);
        rig.a.nothing("of the second receive of a managed queue with one enabled");
        rig.c.post(rig.enables(WrOpcode.RECV_ENABLE, 21, rig.a.qp, 0));
        rig.c.next(21, WcStatus.SUCCESS);
        rig.a.next(2, WcStatus.SUCCESS);
        rig.b.next(6, WcStatus.SUCCESS);
        rig.a.memory.holds(4096, rig.b.memory, 100, 100);
    }

    @Rule(
            id = "R20.04",
            since = 3,
            says = "a chain of transfers runs by itself: each waits for the one before it and lets the next begin",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    default void r2004Chain(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        Side next = new Side(rig, rig.a.context, 5);
        next.createFlags = QpCreateFlags.MANAGED_SEND;
        next.create();
        Side last = rig.side(6).create();
        Side.connect(next, last);
        rig.working(next, last, 31);
        rig.d.ready(12, 0, 100);
        rig.c.post(rig.waits(11, 1)
                .next(rig.c
                        .operation(rig.d, 12, 0, 0, 100)
                        .next(rig.c
                                .wr(WrOpcode.CQE_WAIT, 13)
                                .waitCq(rig.c.cq)
                                .waitCount(2)
                                .next(rig.enables(WrOpcode.SEND_ENABLE, 14, next.qp, 0)))));
        next.nothing("at the end of a chain that has not started");
        rig.working(rig.a, rig.b, 1);
        next.next(31, WcStatus.SUCCESS);
        next.moved(last, 0, 0, 100);
        rig.c.moved(rig.d, 0, 0, 100);
    }

    @Rule(
            id = "R20.05",
            since = 3,
            says = "waits and lettings begin that lack something are refused, as are those of a queue pair that was"
                    + " not made for it",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    default void r2005Refused(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.refused("a wait without a queue", rig.waits(1, 1).waitCq(null));
        rig.refused("a wait for 0 completions", rig.waits(2, 0));
        rig.refused("a wait with an element", rig.waits(3, 1).sgList(rig.c.sge(0, 8)));
        rig.refused("SEND_ENABLE without a queue pair", rig.enables(WrOpcode.SEND_ENABLE, 4, null, 1));
        rig.refused("SEND_ENABLE of -1 requests", rig.enables(WrOpcode.SEND_ENABLE, 5, rig.a.qp, -1));
        rig.refused(
                "SEND_ENABLE of a queue pair that is not managed", rig.enables(WrOpcode.SEND_ENABLE, 6, rig.a.qp, 1));
        rig.refused(
                "RECV_ENABLE of a queue pair that is not managed", rig.enables(WrOpcode.RECV_ENABLE, 7, rig.a.qp, 1));
        int answer = rig.a.qp.postSend(
                rig.a.wr(WrOpcode.CQE_WAIT, 8).waitCq(rig.c.cq).waitCount(1));
        Seen.check(
                answer == Errno.EINVAL || answer == Errno.EOPNOTSUPP,
                "postSend of a wait on a queue pair created without CROSS_CHANNEL returned " + answer);
        rig.working(rig.c, rig.d, 9);
        rig.c.next(9, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R20.06",
            since = 3,
            says = "a queue that waits is flushed and closed like any other, also when what it waits for is gone",
            look = {POST, "ContextOps.modifyQp", "ContextOps.destroyQp"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    default void r2006Ends(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.c.post(rig.waits(1, 1).next(rig.c.operation(rig.d, 2, 0, 0, 100)));
        rig.c.qp.modify(new QpAttr().qpState(QpState.ERR));
        rig.c.next(1, WcStatus.WR_FLUSH_ERR);
        rig.c.next(2, WcStatus.WR_FLUSH_ERR);
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.c.post(rig.waits(3, 1));
        rig.c.nothing("of a wait");
        rig.c.qp.close();
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.c.post(rig.waits(4, 1));
        rig.a.qp.close();
        try {
            rig.a.cq.close();
        } catch (VerbsException e) {
            Seen.equal("the errno of closing an awaited queue", Errno.name(Errno.EBUSY), Errno.name(e.errno()));
        }
        rig.c.pause();
        rig.c.qp.modify(new QpAttr().qpState(QpState.ERR));
        rig.c.next();
        rig.c.qp.close();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** R20: cross channel: queue pairs that wait for completion queues, and let others begin. */
abstract class ChannelRules extends DomainRules {
    private static final String DESCRIBED =
            "the Javadoc of WrOpcode.CQE_WAIT, SEND_ENABLE and RECV_ENABLE, and of QpCreateFlags";
    private static final String POST = "QueuePair.postSend";

    /** Two sides more; {@code c} works when {@code a} has. */
    Side c;

    Side d;

    /** For {@link ProviderKit}. */
    ChannelRules() {}

    /** Connects {@code c} and {@code d}, and {@code a} and {@code b}; {@code c} is on the context of {@code a}. */
    void startPairs(int flags) {
        start();
        c = new Side(this, a.context, 3);
        c.createFlags = flags;
        c.create();
        d = side(4).create();
        Side.connect(c, d);
    }

    SendWorkRequest waits(long wrId, int count) {
        return c.wr(WrOpcode.CQE_WAIT, wrId).waitCq(a.cq).waitCount(count);
    }

    SendWorkRequest enables(int opcode, long wrId, QueuePair whom, int count) {
        return c.wr(opcode, wrId).enableQp(whom).waitCount(count);
    }

    private void working(Side side, Side there, long wrId) {
        there.ready(wrId, 0, 100);
        side.post(side.operation(there, wrId, 0, 0, 100));
    }

    @Rule(
            id = "R20.01",
            since = 3,
            says =
                    "a send queue waits until another queue has had as many completions as it says, counted from the last time on",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    final void r2001Waits() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        d.ready(12, 0, 100);
        d.ready(14, 0, 100);
        c.post(waits(11, 2).next(c.operation(d, 12, 0, 0, 100).next(waits(13, 1).next(c.operation(d, 14, 0, 0, 100)))));
        c.nothing("before what was waited for has completed");
        working(a, b, 1);
        a.next(1, WcStatus.SUCCESS);
        c.nothing("after one completion, where two were waited for");
        working(a, b, 2);
        opcode(c.next(11, WcStatus.SUCCESS), WcOpcode.CQE_WAIT);
        c.next(12, WcStatus.SUCCESS);
        c.nothing("of the second wait, which the first has used all completions of");
        a.next(2, WcStatus.SUCCESS);
        working(a, b, 3);
        c.next(13, WcStatus.SUCCESS);
        c.next(14, WcStatus.SUCCESS);
        a.next(3, WcStatus.SUCCESS);
        c.moved(d, 0, 0, 100);
    }

    @Rule(
            id = "R20.02",
            since = 3,
            says =
                    "what is posted to a managed send queue begins when another queue pair lets it, as many as it says, or all",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    final void r2002Enables() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        a.createFlags = QpCreateFlags.MANAGED_SEND;
        a.qp = a.anotherQp();
        b.qp = b.anotherQp();
        Side.connect(a, b);
        for (int i = 1; i <= 3; i++) {
            working(a, b, i);
        }
        a.nothing("of a managed send queue, before it may begin");
        c.post(enables(WrOpcode.SEND_ENABLE, 20, a.qp, 1));
        opcode(c.next(20, WcStatus.SUCCESS), WcOpcode.SEND_ENABLE);
        a.next(1, WcStatus.SUCCESS);
        a.nothing("of the second request of a managed send queue, where one may begin");
        c.post(enables(WrOpcode.SEND_ENABLE, 21, a.qp, 0));
        c.next(21, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
        a.next(3, WcStatus.SUCCESS);
        a.moved(b, 0, 0, 100);
    }

    @Rule(
            id = "R20.03",
            since = 3,
            says = "what is posted to a managed receive queue can be used when another queue pair lets it",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.SEND, Capability.RNR, Capability.CROSS_CHANNEL})
    final void r2003Receives() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        a.createFlags = QpCreateFlags.MANAGED_RECV;
        a.qp = a.anotherQp();
        b.qp = b.anotherQp();
        Side.connect(a, b);
        a.recv(1, 0, 100);
        a.recv(2, 4096, 100);
        b.post(b.wr(WrOpcode.SEND, 5, b.sge(0, 100)).next(b.wr(WrOpcode.SEND, 6, b.sge(100, 100))));
        a.nothing("of a managed receive queue, before it may be used");
        c.post(enables(WrOpcode.RECV_ENABLE, 20, a.qp, 1));
        opcode(c.next(20, WcStatus.SUCCESS), WcOpcode.RECV_ENABLE);
        a.next(1, WcStatus.SUCCESS);
        b.next(5, WcStatus.SUCCESS);
        a.nothing("of the second receive of a managed queue, where one may be used");
        c.post(enables(WrOpcode.RECV_ENABLE, 21, a.qp, 0));
        c.next(21, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
        b.next(6, WcStatus.SUCCESS);
        a.memory.holds(4096, b.memory, 100, 100);
    }

    @Rule(
            id = "R20.04",
            since = 3,
            says = "a chain of transfers runs by itself: each waits for the one before it and lets the next begin",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    final void r2004Chain() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        Side next = new Side(this, a.context, 5);
        next.createFlags = QpCreateFlags.MANAGED_SEND;
        next.create();
        Side last = side(6).create();
        Side.connect(next, last);
        working(next, last, 31);
        d.ready(12, 0, 100);
        c.post(waits(11, 1)
                .next(c.operation(d, 12, 0, 0, 100)
                        .next(c.wr(WrOpcode.CQE_WAIT, 13)
                                .waitCq(c.cq)
                                .waitCount(2)
                                .next(enables(WrOpcode.SEND_ENABLE, 14, next.qp, 0)))));
        next.nothing("of the end of a chain that has not begun");
        working(a, b, 1);
        next.next(31, WcStatus.SUCCESS);
        next.moved(last, 0, 0, 100);
        c.moved(d, 0, 0, 100);
    }

    @Rule(
            id = "R20.05",
            since = 3,
            says =
                    "waits and lettings begin that lack something are refused, as are those of a queue pair that was not made for it",
            look = POST,
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    final void r2005Refused() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        refused("a wait for no queue", waits(1, 1).waitCq(null));
        refused("a wait for 0 completions", waits(2, 0));
        refused("a wait with an element", waits(3, 1).sgList(c.sge(0, 8)));
        refused("letting no queue pair begin", enables(WrOpcode.SEND_ENABLE, 4, null, 1));
        refused("letting -1 requests begin", enables(WrOpcode.SEND_ENABLE, 5, a.qp, -1));
        refused("letting a queue pair begin that is not managed", enables(WrOpcode.SEND_ENABLE, 6, a.qp, 1));
        refused("letting receives be used that are not managed", enables(WrOpcode.RECV_ENABLE, 7, a.qp, 1));
        int answer = a.qp.postSend(a.wr(WrOpcode.CQE_WAIT, 8).waitCq(c.cq).waitCount(1));
        Seen.check(
                answer == Errno.EINVAL || answer == Errno.EOPNOTSUPP,
                "postSend of a wait to a queue pair that was made without CROSS_CHANNEL returned " + answer);
        working(c, d, 9);
        c.next(9, WcStatus.SUCCESS);
    }

    private void refused(String what, SendWorkRequest wr) {
        Seen.errno("postSend of " + what, Errno.EINVAL, c.qp.postSend(wr));
    }

    @Rule(
            id = "R20.06",
            since = 3,
            says = "a queue that waits is flushed and closed like any other, also when what it waits for is gone",
            look = {POST, "ContextOps.modifyQp", "ContextOps.destroyQp"},
            man = DESCRIBED,
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    final void r2006Ends() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        c.post(waits(1, 1).next(c.operation(d, 2, 0, 0, 100)));
        c.qp.modify(new QpAttr().qpState(QpState.ERR));
        c.next(1, WcStatus.WR_FLUSH_ERR);
        c.next(2, WcStatus.WR_FLUSH_ERR);
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        c.post(waits(3, 1));
        c.nothing("of a wait");
        c.qp.close();
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        c.post(waits(4, 1));
        a.qp.close();
        try {
            a.cq.close();
        } catch (VerbsException e) {
            Seen.equal("the errno of closing what is waited for", Errno.name(Errno.EBUSY), Errno.name(e.errno()));
        }
        c.pause();
        c.qp.modify(new QpAttr().qpState(QpState.ERR));
        c.next();
        c.qp.close();
    }
}

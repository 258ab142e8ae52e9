/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.concurrent.TimeUnit;

/** R8: shared receive queues. */
abstract class SrqRules extends DatagramRules {
    /** For {@link ProviderKit}. */
    SrqRules() {}

    void startSrq() {
        start(s -> s.withSrq = s.memory.at(0) == new Memory(1, 2).at(0)); // the receiving side only
    }

    /** The next event of a type about an object of a side. */
    AsyncEvent event(Side side, int type) {
        AsyncEvent event = eventNotGivenBack(side, type);
        Seen.check(
                event != null,
                "no event " + EventType.toString(type) + " in " + patience().toMillis() + " ms");
        event.ack();
        return event;
    }

    /** As {@link #event}; it is not given back. Null where none comes. */
    AsyncEvent eventNotGivenBack(Side side, int type) {
        long end = System.nanoTime() + patience().toNanos();
        while (true) {
            AsyncEvent event = side.context.getAsyncEvent(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null || event.eventType() == type) {
                return event;
            }
            event.ack();
        }
    }

    @Rule(
            id = "R8.01",
            says = "queue pairs that share a receive queue take its requests in turn",
            look = {"SharedReceiveQueue.postRecv", "ContextOps.createSrq"},
            man = "ibv_create_srq(3), DESCRIPTION; ibv_post_srq_recv(3)",
            needs = {Capability.RC, Capability.SEND, Capability.SRQ})
    final void r801Shared() {
        startSrq();
        QueuePair second = a.anotherQp();
        QueuePair peer = b.anotherQp();
        Side.connect(a, second, b, peer);
        b.recv(1, 0, 100);
        b.recv(2, 100, 100);
        a.post(a.wr(WrOpcode.SEND, 1, a.sge(0, 50)));
        Seen.equal(
                "qpNum of the first receive",
                b.qp.qpNum(),
                b.next(1, WcStatus.SUCCESS).qpNum());
        a.next(1, WcStatus.SUCCESS);
        Seen.errno("postSend", 0, second.postSend(a.wr(WrOpcode.SEND, 2, a.sge(7, 50))));
        Seen.equal(
                "qpNum of the second receive",
                peer.qpNum(),
                b.next(2, WcStatus.SUCCESS).qpNum());
        b.memory.holds(100, a.memory, 7, 50);
    }

    @Rule(
            id = "R8.02",
            says = "a shared receive queue that is full answers ENOMEM and tells which request did not fit",
            look = "SharedReceiveQueue.postRecv",
            man = "ibv_post_srq_recv(3), RETURN VALUE",
            needs = {Capability.RC, Capability.SRQ})
    final void r802Full() {
        startSrq();
        int room = b.srq.query().maxWr();
        RecvWorkRequest list = null;
        for (int i = room; i >= 0; i--) {
            list = b.receive(i, 0, 10).next(list);
        }
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        Seen.errno("postRecv of one more than fit", Errno.ENOMEM, b.srq.postRecv(list, bad));
        Seen.check(bad[0] != null && bad[0].wrId() == room, "badWr[0] is not request " + room);
        Seen.errno("postRecv(null)", Errno.EINVAL, b.srq.postRecv(null));
    }

    @Rule(
            id = "R8.03",
            says = "a queue pair with a shared receive queue has no other",
            look = "QueuePair.postRecv",
            man = "ibv_post_recv(3), RETURN VALUE",
            needs = {Capability.RC, Capability.SRQ})
    final void r803NoOther() {
        startSrq();
        Seen.errno("postRecv to the queue pair", Errno.EINVAL, b.qp.postRecv(b.receive(1, 0, 10)));
    }

    @Rule(
            id = "R8.04",
            says = "a shared receive queue has at least the capacities asked for, and tells them",
            look = {"ContextOps.createSrq", "ContextOps.querySrq"},
            man = "ibv_create_srq(3), DESCRIPTION; ibv_query_srq(3)",
            needs = {Capability.RC, Capability.SRQ})
    final void r804Capacities() {
        startSrq();
        SrqInitAttr attr = new SrqInitAttr().attr(new SrqAttr().maxWr(5).maxSge(1));
        capacities("createSrq", opened(b.pd.createSrq(attr)), attr.attr());
        SrqInitAttr base = new SrqInitAttr().attr(new SrqAttr().maxWr(5).maxSge(1));
        SrqInitAttrEx extended = SrqInitAttrEx.of(b.pd, base);
        capacities("createSrqEx", opened(b.context.createSrqEx(extended)), extended.attr());
    }

    /** What was given is told at once, and by query. */
    static void capacities(String verb, SharedReceiveQueue srq, SrqAttr given) {
        SrqAttr told = srq.query();
        Seen.atLeast("maxWr after " + verb, 5, given.maxWr());
        Seen.equal("maxWr of query", given.maxWr(), told.maxWr());
        Seen.atLeast("maxSge of query", 1, told.maxSge());
    }

    @Rule(
            id = "R8.05",
            says = "when fewer requests than the limit are left there is one event, and the limit is off",
            look = {"ContextOps.modifySrq", "ContextOps.getAsyncEvent"},
            man = "ibv_modify_srq(3), DESCRIPTION (srq_limit)",
            needs = {Capability.RC, Capability.SEND, Capability.SRQ, Capability.ASYNC_EVENTS})
    final void r805Limit() {
        startSrq();
        for (int i = 0; i < 4; i++) {
            b.recv(i, i * 100, 100);
        }
        b.srq.modify(new SrqAttr().srqLimit(3));
        Seen.equal("srqLimit of query", 3, b.srq.query().srqLimit());
        for (int i = 0; i < 2; i++) {
            a.post(a.wr(WrOpcode.SEND, i, a.sge(0, 50)));
            a.next(i, WcStatus.SUCCESS);
        }
        Seen.check(event(b, EventType.SRQ_LIMIT_REACHED).element() == b.srq, "the event is about another object");
        Seen.equal("srqLimit after the event", 0, b.srq.query().srqLimit());
    }

    @Rule(
            id = "R8.06",
            says = "a queue pair in state ERR tells that it takes no more from the shared receive queue",
            look = {"ContextOps.modifyQp", "ContextOps.getAsyncEvent"},
            man = "ibv_get_async_event(3), DESCRIPTION (IBV_EVENT_QP_LAST_WQE_REACHED)",
            needs = {Capability.RC, Capability.SRQ, Capability.ASYNC_EVENTS})
    final void r806LastRequest() {
        startSrq();
        fail(b);
        Seen.check(event(b, EventType.QP_LAST_WQE_REACHED).element() == b.qp, "the event is about another object");
    }
}

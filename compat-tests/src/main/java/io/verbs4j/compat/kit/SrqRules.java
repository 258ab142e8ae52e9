/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;

/** R8: shared receive queues. */
interface SrqRules {
    @Rule(
            id = "R8.01",
            says = "queue pairs that share a receive queue take its requests in turn",
            look = {"SharedReceiveQueue.postRecv", "ContextOps.createSrq"},
            man = "ibv_create_srq(3), DESCRIPTION; ibv_post_srq_recv(3)",
            needs = {Capability.RC, Capability.SEND, Capability.SRQ})
    default void r801Shared(Rig rig) {
        rig.startSrq();
        QueuePair second = rig.a.anotherQp();
        QueuePair peer = rig.b.anotherQp();
        Side.connect(rig.a, second, rig.b, peer);
        rig.b.recv(1, 0, 100);
        rig.b.recv(2, 100, 100);
        rig.a.post(rig.a.wr(WrOpcode.SEND, 1, rig.a.sge(0, 50)));
        Seen.equal(
                "qpNum of the first receive",
                rig.b.qp.qpNum(),
                rig.b.next(1, WcStatus.SUCCESS).qpNum());
        rig.a.next(1, WcStatus.SUCCESS);
        Seen.errno("postSend", 0, second.postSend(rig.a.wr(WrOpcode.SEND, 2, rig.a.sge(7, 50))));
        Seen.equal(
                "qpNum of the second receive",
                peer.qpNum(),
                rig.b.next(2, WcStatus.SUCCESS).qpNum());
        rig.b.memory.holds(100, rig.a.memory, 7, 50);
    }

    @Rule(
            id = "R8.02",
            says = "a shared receive queue that is full answers ENOMEM and tells which request did not fit",
            look = "SharedReceiveQueue.postRecv",
            man = "ibv_post_srq_recv(3), RETURN VALUE",
            needs = {Capability.RC, Capability.SRQ})
    default void r802Full(Rig rig) {
        rig.startSrq();
        int room = rig.b.srq.query().maxWr();
        RecvWorkRequest list = null;
        for (int i = room; i >= 0; i--) {
            list = rig.b.receive(i, 0, 10).next(list);
        }
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        Seen.errno("postRecv of one request more than fits", Errno.ENOMEM, rig.b.srq.postRecv(list, bad));
        Seen.check(bad[0] != null && bad[0].wrId() == room, "badWr[0] is not request " + room);
        Seen.errno("postRecv(null)", Errno.EINVAL, rig.b.srq.postRecv(null));
    }

    @Rule(
            id = "R8.03",
            says = "a queue pair with a shared receive queue has no other",
            look = "QueuePair.postRecv",
            man = "ibv_post_recv(3), RETURN VALUE",
            needs = {Capability.RC, Capability.SRQ})
    default void r803NoOther(Rig rig) {
        rig.startSrq();
        Seen.errno("postRecv to the queue pair", Errno.EINVAL, rig.b.qp.postRecv(rig.b.receive(1, 0, 10)));
    }

    @Rule(
            id = "R8.04",
            says = "a shared receive queue has at least the capacities asked for, and tells them",
            look = {"ContextOps.createSrq", "ContextOps.querySrq"},
            man = "ibv_create_srq(3), DESCRIPTION; ibv_query_srq(3)",
            needs = {Capability.RC, Capability.SRQ})
    default void r804Capacities(Rig rig) {
        rig.startSrq();
        SrqInitAttr attr = new SrqInitAttr().attr(new SrqAttr().maxWr(5).maxSge(1));
        Rig.capacities("createSrq", rig.opened(rig.b.pd.createSrq(attr)), attr.attr());
        SrqInitAttr base = new SrqInitAttr().attr(new SrqAttr().maxWr(5).maxSge(1));
        SrqInitAttrEx extended = SrqInitAttrEx.of(rig.b.pd, base);
        Rig.capacities("createSrqEx", rig.opened(rig.b.context.createSrqEx(extended)), extended.attr());
    }

    @Rule(
            id = "R8.05",
            says = "when fewer requests than the limit are left there is one event, and the limit is off",
            look = {"ContextOps.modifySrq", "ContextOps.getAsyncEvent"},
            man = "ibv_modify_srq(3), DESCRIPTION (srq_limit)",
            needs = {Capability.RC, Capability.SEND, Capability.SRQ, Capability.ASYNC_EVENTS})
    default void r805Limit(Rig rig) {
        rig.startSrq();
        for (int i = 0; i < 4; i++) {
            rig.b.recv(i, i * 100, 100);
        }
        rig.b.srq.modify(new SrqAttr().srqLimit(3));
        Seen.equal("srqLimit of query", 3, rig.b.srq.query().srqLimit());
        for (int i = 0; i < 2; i++) {
            rig.a.post(rig.a.wr(WrOpcode.SEND, i, rig.a.sge(0, 50)));
            rig.a.next(i, WcStatus.SUCCESS);
        }
        Seen.check(
                rig.event(rig.b, EventType.SRQ_LIMIT_REACHED).element() == rig.b.srq,
                "the event is for another object");
        Seen.equal("srqLimit after the event", 0, rig.b.srq.query().srqLimit());
    }

    @Rule(
            id = "R8.06",
            says = "a queue pair in state ERR tells that it takes no more from the shared receive queue",
            look = {"ContextOps.modifyQp", "ContextOps.getAsyncEvent"},
            man = "ibv_get_async_event(3), DESCRIPTION (IBV_EVENT_QP_LAST_WQE_REACHED)",
            needs = {Capability.RC, Capability.SRQ, Capability.ASYNC_EVENTS})
    default void r806LastRequest(Rig rig) {
        rig.startSrq();
        Rig.fail(rig.b);
        Seen.check(
                rig.event(rig.b, EventType.QP_LAST_WQE_REACHED).element() == rig.b.qp,
                "the event is for another object");
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.Assumptions;

/** R10: errors, flushing, and the end of objects. */
interface ErrorRules {
    @Rule(
            id = "R10.01",
            says = "state ERR flushes what was posted to receive",
            look = "ContextOps.modifyQp",
            man = "ibv_modify_qp(3), DESCRIPTION; ibv_poll_cq(3) (IBV_WC_WR_FLUSH_ERR)",
            needs = {Capability.RC, Capability.SEND})
    default void r1001Flush(Rig rig) {
        rig.start();
        rig.a.recv(20, 0, 10);
        rig.a.recv(21, 0, 10);
        Rig.fail(rig.a);
        rig.a.next(20, WcStatus.WR_FLUSH_ERR);
        rig.a.next(21, WcStatus.WR_FLUSH_ERR);
    }

    @Rule(
            id = "R10.02",
            says = "what is posted in state ERR is accepted and flushed",
            look = {"QueuePair.postSend", "QueuePair.postRecv"},
            man = "ibv_modify_qp(3), NOTES; ibv_poll_cq(3) (IBV_WC_WR_FLUSH_ERR)",
            needs = Capability.RC)
    default void r1002PostInError(Rig rig) {
        rig.start();
        Rig.fail(rig.a);
        if (rig.has(Capability.SEND)) {
            rig.a.recv(22, 0, 10);
            rig.a.next(22, WcStatus.WR_FLUSH_ERR);
        }
        rig.a.post(rig.a.operation(rig.b, 23, 0, 0, 10));
        rig.a.next(23, WcStatus.WR_FLUSH_ERR);
    }

    @Rule(
            id = "R10.03",
            says = "an operation that fails puts the queue pair into state ERR, and those behind it are flushed",
            look = {"QueuePair.postSend", "ContextOps.queryQp"},
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_WR_FLUSH_ERR)",
            needs = Capability.RC)
    default void r1003Failed(Rig rig) {
        rig.start();
        rig.b.ready(1, 0, 99);
        SendWorkRequest wrong = rig.a.operation(rig.b, 1, 0, 0, 100);
        if (!rig.has(Capability.REGION_KEYS)) {
            wrong.remoteAddr(Long.MAX_VALUE); // keys are not checked on this device
        } else if (!rig.has(Capability.SEND)) {
            wrong.rkey(rig.b.mr.rkey() ^ 0x5a5a5a);
        }
        rig.a.post(wrong.next(rig.a.operation(rig.b, 2, 0, 0, 1).sendFlags(0)));
        rig.a.refused(1, rig.has(Capability.SEND) ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_ACCESS_ERR);
        rig.a.next(2, WcStatus.WR_FLUSH_ERR); // reported although it is not signaled
        rig.a.awaitState(QpState.ERR);
        if (rig.has(Capability.SEND)) {
            rig.b.next(1, WcStatus.LOC_LEN_ERR);
        }
        rig.b.awaitState(QpState.ERR);
    }

    @Rule(
            id = "R10.04",
            says = "a receiver that stays not ready for too long fails the send",
            look = "QueuePair.postSend",
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_RNR_RETRY_EXC_ERR)",
            needs = {Capability.RC, Capability.SEND, Capability.RNR})
    default void r1004NotReady(Rig rig) {
        rig.start(s -> s.rnrRetry = 1);
        rig.a.post(rig.a.wr(WrOpcode.SEND, 1, rig.a.sge(0, 100)));
        rig.a.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        rig.a.awaitState(QpState.ERR);
    }

    @Rule(
            id = "R10.05",
            says = "handles that were closed answer EINVAL",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "CompletionQueue.poll", "CompletionQueue.reqNotify"},
            man = "the Javadoc of QueuePair and CompletionQueue",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r1005Closed(Rig rig) {
        rig.start();
        QueuePair qp = rig.a.qp;
        CompletionQueue cq = rig.a.cq;
        qp.close();
        Seen.errno("postSend after close", Errno.EINVAL, qp.postSend(rig.a.operation(rig.b, 1, 0, 0, 1)));
        Seen.errno("postSend after close of operation 99", Errno.EINVAL, qp.postSend(rig.a.wr(99, 1)));
        Seen.errno("postRecv after close", Errno.EINVAL, qp.postRecv(rig.a.receive(1, 0, 1)));
        cq.close();
        Seen.errno("poll after close", -Errno.EINVAL, cq.poll(1, new WorkCompletion[] {new WorkCompletion()}));
        Seen.errno("reqNotify after close", Errno.EINVAL, cq.reqNotify(false));
        if (rig.has(Capability.SRQ)) {
            SharedReceiveQueue srq = rig.b.pd.createSrq(new io.verbs4j.SrqInitAttr()
                    .attr(new io.verbs4j.SrqAttr().maxWr(1).maxSge(1)));
            srq.close();
            Seen.errno("postRecv of a shared queue after close", Errno.EINVAL, srq.postRecv(rig.b.receive(1, 0, 1)));
        }
    }

    @Rule(
            id = "R10.06",
            says = "completions of a queue pair that is destroyed vanish with it",
            look = "ContextOps.destroyQp",
            man = "the Javadoc of ContextOps.destroyQp",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r1006Destroyed(Rig rig) {
        rig.start();
        rig.b.ready(1, 0, 100);
        rig.a.post(rig.a.operation(rig.b, 1, 0, 0, 10));
        Side done = rig.a;
        if (rig.has(Capability.SEND)) {
            rig.a.next(1, WcStatus.SUCCESS); // so b has its completion too
            done = rig.b;
        } else {
            rig.a.pause();
        }
        QueuePair second = done.anotherQp();
        done.toInit(second);
        done.qp.close();
        done.qp = second;
        done.nothing("of a queue pair that was destroyed");
    }

    @Rule(
            id = "R10.07",
            says = "a completion queue that overruns says so: by an event, by its queue pairs, and by poll",
            look = {"CompletionQueue.poll", "ContextOps.getAsyncEvent"},
            man = "ibv_poll_cq(3), NOTES; ibv_get_async_event(3) (IBV_EVENT_CQ_ERR)",
            needs = {Capability.RC, Capability.ASYNC_EVENTS})
    default void r1007Overrun(Rig rig) {
        rig.start(s -> s.cqe = 4);
        Side full = rig.has(Capability.SEND) ? rig.b : rig.a;
        int room = full.cq.cqe();
        Seen.check(room < 16 || full.maxWr > room, "cqe() is " + room + " after a request for 4, too many to overrun");
        for (int i = 0; i <= room; i++) {
            rig.b.ready(i, 0, 10);
            rig.a.post(
                    rig.a.operation(rig.b, i, 0, 0, 10).sendFlags(rig.has(Capability.SEND) ? 0 : SendFlags.SIGNALED));
        }
        Seen.check(rig.event(full, EventType.CQ_ERR).element() == full.cq, "the event is for another object");
        if (rig.kit.hasOverrunErrors()) {
            full.awaitState(QpState.ERR);
        }
        for (int i = 0; i < room; i++) {
            full.next(i, WcStatus.SUCCESS);
        }
        if (!rig.kit.hasOverrunErrors()) {
            Seen.equal("the state (hasOverrunErrors() is false)", "RTS", QpState.toString(full.state()));
        }
        WorkCompletion[] wc = {new WorkCompletion()};
        Seen.errno("poll after the last completion that fitted", -Errno.EOVERFLOW, full.cq.poll(1, wc));
    }

    @Rule(
            id = "R10.08",
            says = "resizing a completion queue keeps what is in it",
            look = "ContextOps.resizeCq",
            man = "ibv_resize_cq(3), DESCRIPTION",
            needs = {Capability.RC, Capability.RESIZE_CQ})
    default void r1008Resize(Rig rig) {
        rig.start();
        Side full = rig.has(Capability.SEND) ? rig.b : rig.a;
        for (int i = 1; i <= 2; i++) {
            rig.b.ready(i, 0, 10);
            rig.a.post(rig.a.operation(rig.b, i, 0, 0, 10));
            if (rig.has(Capability.SEND)) {
                rig.a.next(i, WcStatus.SUCCESS);
            }
        }
        rig.a.pause();
        Seen.refuses("resize to 1 with 2 completions in the queue", () -> full.cq.resize(1), Errno.EINVAL);
        full.cq.resize(100);
        Seen.atLeast("cqe() after resize(100)", 100, full.cq.cqe());
        full.next(1, WcStatus.SUCCESS);
        full.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R10.09",
            says = "closing does not wait for asynchronous events that were not given back, and these stay valid",
            look = {"ContextOps.destroyQp", "ContextOps.destroySrq", "ContextOps.destroyCq", "ContextOps.ackAsyncEvent"
            },
            man = "the Javadoc of QueuePair.close, SharedReceiveQueue.close and ContextOps.ackAsyncEvent",
            needs = {Capability.RC, Capability.SRQ, Capability.ASYNC_EVENTS})
    default void r1009ClosedBeforeGivenBack(EventRig rig) {
        rig.startSrq();
        Rig.fail(rig.b);
        AsyncEvent last = rig.eventNotGivenBack(rig.b, EventType.QP_LAST_WQE_REACHED);
        rig.closes(rig.b.qp, "the queue pair");
        stillTells(last, rig.b.qp);
        AsyncEvent limit = null;
        if (rig.has(Capability.SEND)) {
            rig.startSrq();
            rig.b.recv(1, 0, 100);
            rig.b.srq.modify(new SrqAttr().srqLimit(1));
            rig.a.post(rig.a.wr(WrOpcode.SEND, 1, rig.a.sge(0, 10)));
            rig.a.next(1, WcStatus.SUCCESS);
            limit = rig.eventNotGivenBack(rig.b, EventType.SRQ_LIMIT_REACHED);
            rig.b.qp.close();
            rig.closes(rig.b.srq, "the shared receive queue");
            stillTells(limit, rig.b.srq);
        }
        Assumptions.assumeTrue(last != null || limit != null, "there was no event; see R8.05 and R8.06");
    }

    /** Checks an event that was not acknowledged before its object was closed. */
    private static void stillTells(AsyncEvent event, VerbsObject about) {
        if (event != null) {
            Seen.check(event.element() == about, "the event is for another object after its own was closed");
            event.ack();
        }
    }
}

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

/** R10: errors, flushing, and the end of things. */
abstract class ErrorRules extends EventRules {
    /** For {@link ProviderKit}. */
    ErrorRules() {}

    @Rule(
            id = "R10.01",
            says = "state ERR flushes what was posted to receive",
            look = "ContextOps.modifyQp",
            man = "ibv_modify_qp(3), DESCRIPTION; ibv_poll_cq(3) (IBV_WC_WR_FLUSH_ERR)",
            needs = {Capability.RC, Capability.SEND})
    final void r1001Flush() {
        start();
        a.recv(20, 0, 10);
        a.recv(21, 0, 10);
        fail(a);
        a.next(20, WcStatus.WR_FLUSH_ERR);
        a.next(21, WcStatus.WR_FLUSH_ERR);
    }

    @Rule(
            id = "R10.02",
            says = "what is posted in state ERR is accepted and flushed",
            look = {"QueuePair.postSend", "QueuePair.postRecv"},
            man = "ibv_modify_qp(3), NOTES; ibv_poll_cq(3) (IBV_WC_WR_FLUSH_ERR)",
            needs = Capability.RC)
    final void r1002PostInError() {
        start();
        fail(a);
        if (hasSend()) {
            a.recv(22, 0, 10);
            a.next(22, WcStatus.WR_FLUSH_ERR);
        }
        a.post(a.operation(b, 23, 0, 0, 10));
        a.next(23, WcStatus.WR_FLUSH_ERR);
    }

    @Rule(
            id = "R10.03",
            says = "an operation that fails puts the queue pair into state ERR, and those behind it are flushed",
            look = {"QueuePair.postSend", "ContextOps.queryQp"},
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_WR_FLUSH_ERR)",
            needs = Capability.RC)
    final void r1003Failed() {
        start();
        b.ready(1, 0, 99);
        SendWorkRequest wrong = a.operation(b, 1, 0, 0, 100);
        if (!hasRegionKeys()) {
            wrong.remoteAddr(Long.MAX_VALUE); // a key is not what would tell
        } else if (!hasSend()) {
            wrong.rkey(b.mr.rkey() ^ 0x5a5a5a);
        }
        a.post(wrong.next(a.operation(b, 2, 0, 0, 1).sendFlags(0)));
        a.refused(1, hasSend() ? WcStatus.REM_INV_REQ_ERR : WcStatus.REM_ACCESS_ERR);
        a.next(2, WcStatus.WR_FLUSH_ERR); // told though it is not signaled
        a.awaitState(QpState.ERR);
        if (hasSend()) {
            b.next(1, WcStatus.LOC_LEN_ERR);
        }
        b.awaitState(QpState.ERR);
    }

    @Rule(
            id = "R10.04",
            says = "a receiver that stays not ready for too long fails the send",
            look = "QueuePair.postSend",
            man = "ibv_poll_cq(3), DESCRIPTION (IBV_WC_RNR_RETRY_EXC_ERR)",
            needs = {Capability.RC, Capability.SEND, Capability.RNR})
    final void r1004NotReady() {
        start(s -> s.rnrRetry = 1);
        a.post(a.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        a.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        a.awaitState(QpState.ERR);
    }

    @Rule(
            id = "R10.05",
            says = "handles that were closed answer EINVAL",
            look = {"QueuePair.postSend", "QueuePair.postRecv", "CompletionQueue.poll", "CompletionQueue.reqNotify"},
            man = "the Javadoc of QueuePair and CompletionQueue",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r1005Closed() {
        start();
        QueuePair qp = a.qp;
        CompletionQueue cq = a.cq;
        qp.close();
        Seen.errno("postSend after close", Errno.EINVAL, qp.postSend(a.operation(b, 1, 0, 0, 1)));
        Seen.errno("postSend after close of operation 99", Errno.EINVAL, qp.postSend(a.wr(99, 1)));
        Seen.errno("postRecv after close", Errno.EINVAL, qp.postRecv(a.receive(1, 0, 1)));
        cq.close();
        Seen.errno("poll after close", -Errno.EINVAL, cq.poll(1, new WorkCompletion[] {new WorkCompletion()}));
        Seen.errno("reqNotify after close", Errno.EINVAL, cq.reqNotify(false));
        if (hasSrq()) {
            SharedReceiveQueue srq = b.pd.createSrq(new io.verbs4j.SrqInitAttr()
                    .attr(new io.verbs4j.SrqAttr().maxWr(1).maxSge(1)));
            srq.close();
            Seen.errno("postRecv of a shared queue after close", Errno.EINVAL, srq.postRecv(b.receive(1, 0, 1)));
        }
    }

    @Rule(
            id = "R10.06",
            says = "completions of a queue pair that is destroyed vanish with it",
            look = "ContextOps.destroyQp",
            man = "the Javadoc of ContextOps.destroyQp",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r1006Destroyed() {
        start();
        b.ready(1, 0, 100);
        a.post(a.operation(b, 1, 0, 0, 10));
        Side done = a;
        if (hasSend()) {
            a.next(1, WcStatus.SUCCESS); // so b has its completion too
            done = b;
        } else {
            a.pause();
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
    final void r1007Overrun() {
        start(s -> s.cqe = 4);
        Side full = hasSend() ? b : a;
        int room = full.cq.cqe();
        Seen.check(room < 16 || full.maxWr > room, "cqe() is " + room + " where 4 were asked for");
        for (int i = 0; i <= room; i++) {
            b.ready(i, 0, 10);
            a.post(a.operation(b, i, 0, 0, 10).sendFlags(hasSend() ? 0 : SendFlags.SIGNALED));
        }
        Seen.check(event(full, EventType.CQ_ERR).element() == full.cq, "the event is about another object");
        if (hasOverrunErrors()) {
            full.awaitState(QpState.ERR);
        }
        for (int i = 0; i < room; i++) {
            full.next(i, WcStatus.SUCCESS);
        }
        if (!hasOverrunErrors()) {
            Seen.equal("the state, where hasOverrunErrors() says false,", "RTS", QpState.toString(full.state()));
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
    final void r1008Resize() {
        start();
        Side full = hasSend() ? b : a;
        for (int i = 1; i <= 2; i++) {
            b.ready(i, 0, 10);
            a.post(a.operation(b, i, 0, 0, 10));
            if (hasSend()) {
                a.next(i, WcStatus.SUCCESS);
            }
        }
        a.pause();
        Seen.refuses("resize to 1 where 2 completions are in the queue", () -> full.cq.resize(1), Errno.EINVAL);
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
    final void r1009ClosedBeforeGivenBack() {
        startSrq();
        fail(b);
        AsyncEvent last = eventNotGivenBack(b, EventType.QP_LAST_WQE_REACHED);
        closes(b.qp, "the queue pair");
        stillTells(last, b.qp);
        AsyncEvent limit = null;
        if (hasSend()) {
            startSrq();
            b.recv(1, 0, 100);
            b.srq.modify(new SrqAttr().srqLimit(1));
            a.post(a.wr(WrOpcode.SEND, 1, a.sge(0, 10)));
            a.next(1, WcStatus.SUCCESS);
            limit = eventNotGivenBack(b, EventType.SRQ_LIMIT_REACHED);
            b.qp.close();
            closes(b.srq, "the shared receive queue");
            stillTells(limit, b.srq);
        }
        Assumptions.assumeTrue(last != null || limit != null, "there was no event; R8.05 and R8.06 tell more");
    }

    /** An event that was not given back before its object was closed. */
    private static void stillTells(AsyncEvent event, VerbsObject about) {
        if (event != null) {
            Seen.check(event.element() == about, "the event is about another object, now that its own is closed");
            event.ack();
        }
    }
}

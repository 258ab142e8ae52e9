/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** R9: completion events. */
interface EventRules {
    @Rule(
            id = "R9.01",
            says = "the first completion after reqNotify makes an event",
            look = {"CompletionQueue.reqNotify", "ContextOps.getCqEvent"},
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r901Event(EventRig rig) {
        rig.startWithChannel();
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.send(1, 0);
        rig.event("although a completion followed reqNotify(false)");
    }

    @Rule(
            id = "R9.02",
            says = "one reqNotify makes one event",
            look = {"CompletionQueue.reqNotify", "ContextOps.getCqEvent"},
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r902Once(EventRig rig) {
        rig.startWithChannel();
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.send(1, 0);
        rig.send(2, 0);
        rig.event("although a completion followed reqNotify(false)");
        rig.noEvent("for the second completion after one reqNotify");
    }

    @Rule(
            id = "R9.03",
            says = "without reqNotify there is no event",
            look = "CompletionQueue.reqNotify",
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r903NotAsked(EventRig rig) {
        rig.startWithChannel();
        rig.send(1, 0);
        rig.noEvent("without reqNotify");
    }

    @Rule(
            id = "R9.04",
            says = "with solicitedOnly only a solicited receive makes an event",
            look = {"CompletionQueue.reqNotify", "QueuePair.postSend"},
            man = "ibv_req_notify_cq(3), DESCRIPTION (solicited_only)",
            needs = {Capability.RC, Capability.SEND, Capability.COMPLETION_EVENTS})
    default void r904Solicited(EventRig rig) {
        rig.startWithChannel();
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(true));
        rig.send(1, 0);
        rig.noEvent("for an unsolicited receive");
        rig.send(2, SendFlags.SOLICITED);
        rig.event("although a solicited message followed reqNotify(true)");
    }

    @Rule(
            id = "R9.05",
            says = "a wait for events ends with EBADF when the channel is closed",
            look = {"ContextOps.getCqEvent", "ContextOps.destroyCompChannel"},
            man = "ibv_destroy_comp_channel(3), and the Javadoc of ContextOps.getCqEvent",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r905Woken(EventRig rig) {
        rig.startWithChannel();
        rig.a.channel.getEvent(0, TimeUnit.NANOSECONDS);
        rig.a.qp.close();
        rig.a.cq.close();
        EventRig.Waiter waiter = rig.new Waiter(() -> rig.a.channel.getEvent());
        waiter.settle();
        rig.a.channel.close();
        waiter.endsWith(Errno.EBADF);
    }

    @Rule(
            id = "R9.06",
            says = "a wait for events ends with EINTR when the thread is interrupted",
            look = "ContextOps.getCqEvent",
            man = "ibv_get_cq_event(3), and the Javadoc of ContextOps.getCqEvent",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r906Interrupted(EventRig rig) {
        rig.startWithChannel();
        EventRig.Waiter waiter = rig.new Waiter(() -> rig.a.channel.getEvent());
        waiter.settle();
        waiter.thread.interrupt();
        waiter.endsWith(Errno.EINTR);
    }

    @Rule(
            id = "R9.07",
            says = "closing a completion queue does not wait for events that were not given back",
            look = {"ContextOps.destroyCq", "ContextOps.ackCqEvents"},
            man = "the Javadoc of CompletionQueue.close and ContextOps.ackCqEvents",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r907ClosedBeforeGivenBack(EventRig rig) {
        rig.startWithChannel();
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.send(1, 0);
        CompletionQueue cq = rig.told.channel.getEvent(rig.kit.patience().toNanos(), TimeUnit.NANOSECONDS);
        Assumptions.assumeTrue(cq != null, "there was no event; see R9.01");
        rig.told.qp.close();
        rig.closes(cq, "the completion queue");
    }

    @Rule(
            id = "R9.08",
            since = 3,
            says = "wakeup ends one wait for events, or the next, and comes after events that are there",
            look = {"CompletionChannel.wakeWaiter", "ContextOps.getCqEvent"},
            man = "the Javadoc of CompletionChannel.wakeup",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r908WokenOnce(EventRig rig) {
        rig.startWithChannel();
        EventRig.supported(rig.told.channel::wakeup);
        rig.told.channel.wakeup();
        rig.noEvent(0, "for a wakeup");
        rig.waiting().endsWith(null);
        EventRig.Waiter waiter = rig.waiting();
        waiter.settle();
        Seen.check(!waiter.isDone(), "a wait ended without a wakeup, although two wakeups count as one");
        rig.told.channel.wakeup();
        waiter.endsWith(null);
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.told.channel.wakeup();
        rig.send(1, 0);
        rig.event("before a wakeup");
        rig.waiting().endsWith(null);
        rig.told.qp.close();
        rig.told.cq.close();
        rig.told.channel.close();
        rig.told.channel.wakeup();
    }

    @Rule(
            id = "R9.09",
            since = 3,
            says = "the action of onEvent runs for each event, and for one that was there before, until it is taken"
                    + " off",
            look = {"CompletionChannel.runOnEvent", "ContextOps.getCqEvent"},
            man = "the Javadoc of CompletionChannel.onEvent",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    default void r909Action(EventRig rig) {
        rig.startWithChannel();
        Semaphore runs = new Semaphore(0);
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.send(1, 0);
        EventRig.supported(() -> rig.told.channel.onEvent(runs::release));
        rig.runs(runs, "for an event that was pending before");
        rig.event("although the action ran");
        rig.noEvent(0, "after the only one");
        runs.drainPermits();
        for (int i = 2; i < 5; i++) {
            Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
            rig.send(i, 0);
            rig.runs(runs, "for event " + i);
            rig.event("although the action ran");
            rig.noEvent(0, "after the only one");
            runs.drainPermits();
        }
        rig.told.channel.onEvent(() -> {
            runs.release();
            throw new IllegalStateException("thrown by the kit's action");
        });
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.send(5, 0);
        rig.runs(runs, "for event 5");
        rig.event("although the action ran and threw");
        rig.told.channel.onEvent(null);
        runs.drainPermits();
        Seen.errno("reqNotify", 0, rig.told.cq.reqNotify(false));
        rig.send(6, 0);
        rig.event("without an action");
        Seen.check(!runs.tryAcquire(), "the action ran after it was removed");
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;

/** R9: completion events. */
abstract class EventRules extends SrqRules {
    /** For {@link ProviderKit}. */
    EventRules() {}

    /** A device may take its time, and a machine may be busy: what has not ended by then waits. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private volatile Exception failure;

    /** The side whose queue is looked at: the receiver's, where there is one. */
    private Side told;

    private void startWithChannel() {
        start(s -> s.withChannel = true);
        told = hasSend() ? b : a;
    }

    private void send(long wrId, int flags) {
        b.ready(wrId, 0, 100);
        a.post(a.operation(b, wrId, 0, 0, 100).sendFlags(SendFlags.SIGNALED | flags));
        a.next(wrId, WcStatus.SUCCESS);
    }

    private void event(String when) {
        CompletionQueue cq = told.channel.getEvent(patience().toNanos(), TimeUnit.NANOSECONDS);
        Seen.check(cq != null, "no event " + when);
        Seen.check(cq == told.cq, "the event is about another completion queue");
        cq.ackEvents(1);
    }

    private void noEvent(String when) {
        noEvent(quiet().toNanos(), when);
    }

    private void noEvent(long nanos, String when) {
        CompletionQueue cq = told.channel.getEvent(nanos, TimeUnit.NANOSECONDS);
        if (cq != null) {
            cq.ackEvents(1);
        }
        Seen.check(cq == null, "there is an event " + when);
    }

    @Rule(
            id = "R9.01",
            says = "the first completion after reqNotify makes an event",
            look = {"CompletionQueue.reqNotify", "ContextOps.getCqEvent"},
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r901Event() {
        startWithChannel();
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        send(1, 0);
        event("though a completion came after reqNotify(false)");
    }

    @Rule(
            id = "R9.02",
            says = "one reqNotify makes one event",
            look = {"CompletionQueue.reqNotify", "ContextOps.getCqEvent"},
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r902Once() {
        startWithChannel();
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        send(1, 0);
        send(2, 0);
        event("though a completion came after reqNotify(false)");
        noEvent("for the second completion after one reqNotify");
    }

    @Rule(
            id = "R9.03",
            says = "without reqNotify there is no event",
            look = "CompletionQueue.reqNotify",
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r903NotAsked() {
        startWithChannel();
        send(1, 0);
        noEvent("that nobody has asked for");
    }

    @Rule(
            id = "R9.04",
            says = "with solicitedOnly only a solicited receive makes an event",
            look = {"CompletionQueue.reqNotify", "QueuePair.postSend"},
            man = "ibv_req_notify_cq(3), DESCRIPTION (solicited_only)",
            needs = {Capability.RC, Capability.SEND, Capability.COMPLETION_EVENTS})
    final void r904Solicited() {
        startWithChannel();
        Seen.errno("reqNotify", 0, told.cq.reqNotify(true));
        send(1, 0);
        noEvent("for a receive that was not solicited");
        send(2, SendFlags.SOLICITED);
        event("though a solicited message came after reqNotify(true)");
    }

    @Rule(
            id = "R9.05",
            says = "a wait for events ends with EBADF when the channel is closed",
            look = {"ContextOps.getCqEvent", "ContextOps.destroyCompChannel"},
            man = "ibv_destroy_comp_channel(3), and the Javadoc of ContextOps.getCqEvent",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r905Woken() {
        startWithChannel();
        a.channel.getEvent(0, TimeUnit.NANOSECONDS);
        a.qp.close();
        a.cq.close();
        Waiter waiter = new Waiter(() -> a.channel.getEvent());
        waiter.settle();
        a.channel.close();
        waiter.endsWith(Errno.EBADF);
    }

    @Rule(
            id = "R9.06",
            says = "a wait for events ends with EINTR when the thread is interrupted",
            look = "ContextOps.getCqEvent",
            man = "ibv_get_cq_event(3), and the Javadoc of ContextOps.getCqEvent",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r906Interrupted() {
        startWithChannel();
        Waiter waiter = new Waiter(() -> a.channel.getEvent());
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
    final void r907ClosedBeforeGivenBack() {
        startWithChannel();
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        send(1, 0);
        CompletionQueue cq = told.channel.getEvent(patience().toNanos(), TimeUnit.NANOSECONDS);
        Assumptions.assumeTrue(cq != null, "there was no event; R9.01 tells more");
        told.qp.close();
        closes(cq, "the completion queue");
    }

    @Rule(
            id = "R9.08",
            since = 3,
            says = "wakeup ends one wait for events, or the next, and comes after events that are there",
            look = {"CompletionChannel.wakeWaiter", "ContextOps.getCqEvent"},
            man = "the Javadoc of CompletionChannel.wakeup",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r908WokenOnce() {
        startWithChannel();
        supported(told.channel::wakeup);
        told.channel.wakeup();
        noEvent(0, "for a wakeup");
        waiting().endsWith(null);
        Waiter waiter = waiting();
        waiter.settle();
        Seen.check(!waiter.result.isDone(), "a wait has ended for which there was no wakeup, as two count as one");
        told.channel.wakeup();
        waiter.endsWith(null);
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        told.channel.wakeup();
        send(1, 0);
        event("before a wakeup");
        waiting().endsWith(null);
        told.qp.close();
        told.cq.close();
        told.channel.close();
        told.channel.wakeup();
    }

    @Rule(
            id = "R9.09",
            since = 3,
            says =
                    "the action of onEvent runs for each event, and for one that was there before, until it is taken off",
            look = {"CompletionChannel.runOnEvent", "ContextOps.getCqEvent"},
            man = "the Javadoc of CompletionChannel.onEvent",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.COMPLETION_EVENTS)
    final void r909Action() {
        startWithChannel();
        Semaphore runs = new Semaphore(0);
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        send(1, 0);
        supported(() -> told.channel.onEvent(runs::release));
        runs(runs, "for an event that was there before");
        event("though the action has run");
        noEvent(0, "after the only one");
        runs.drainPermits();
        for (int i = 2; i < 5; i++) {
            Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
            send(i, 0);
            runs(runs, "for event " + i);
            event("though the action has run");
            noEvent(0, "after the only one");
            runs.drainPermits();
        }
        told.channel.onEvent(() -> {
            runs.release();
            throw new IllegalStateException("of the kit: an action that fails");
        });
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        send(5, 0);
        runs(runs, "for event 5");
        event("though the action has run, and failed");
        told.channel.onEvent(null);
        runs.drainPermits();
        Seen.errno("reqNotify", 0, told.cq.reqNotify(false));
        send(6, 0);
        event("without an action");
        Seen.check(!runs.tryAcquire(), "the action has run after it was taken off");
    }

    private void runs(Semaphore runs, String when) {
        try {
            Seen.check(runs.tryAcquire(patience().toNanos(), TimeUnit.NANOSECONDS), "the action has not run " + when);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Leaves the rule out where the provider answers that it can't. */
    private static void supported(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            Seen.equal("the errno of a channel that can't", Errno.name(Errno.EOPNOTSUPP), Errno.name(e.errno()));
            Assumptions.abort("the channel answers that it can't: " + e.getMessage());
        }
    }

    private Waiter waiting() {
        return new Waiter(() -> told.channel.getEvent(1, TimeUnit.DAYS));
    }

    /** Closes an object that may have a reason to wait, and must not. */
    void closes(AutoCloseable object, String what) {
        Thread thread = new Thread(() -> {
            try {
                object.close();
            } catch (Exception e) {
                failure = e;
            }
        });
        thread.setDaemon(true);
        abandon(object);
        thread.start();
        try {
            thread.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Seen.check(!thread.isAlive(), "close has not returned after " + CLOSE_LIMIT.toSeconds() + " s: " + what);
        Seen.check(failure == null, "close of " + what + " threw " + failure);
    }

    /** Someone who waits, in a thread of his own. */
    private final class Waiter {
        private static final Duration ENOUGH_TO_START = Duration.ofSeconds(10);
        private static final String LIBRARY = "io.verbs4j.core.";

        final Thread thread;
        private final CompletableFuture<Object> result = new CompletableFuture<>();

        Waiter(java.util.function.Supplier<?> wait) {
            thread = new Thread(() -> {
                try {
                    result.complete(wait.get());
                } catch (VerbsException e) {
                    result.complete(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        /** Until it waits within the provider; where it does not come so far, the outcome is to be the same. */
        void settle() {
            long start = System.nanoTime();
            while (!isInProvider() && System.nanoTime() - start < ENOUGH_TO_START.toNanos()) {
                Thread.onSpinWait();
            }
            long end = System.nanoTime() + quiet().toNanos();
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        /** What is interrupted or closed before is the library's to answer, and tells nothing about the provider. */
        private boolean isInProvider() {
            return Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("getCqEvent")
                            && !frame.getClassName().startsWith(LIBRARY));
        }

        /** Null: with nothing. */
        void endsWith(Integer errno) {
            try {
                Object outcome = result.get(patience().toNanos(), TimeUnit.NANOSECONDS);
                Seen.equal(
                        "the outcome of the wait",
                        errno == null ? null : Errno.name(errno),
                        outcome instanceof VerbsException e ? Errno.name(e.errno()) : outcome);
            } catch (TimeoutException e) {
                Seen.check(false, "the wait has not ended after " + patience().toMillis() + " ms");
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

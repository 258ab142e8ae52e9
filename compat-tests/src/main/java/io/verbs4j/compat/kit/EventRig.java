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

/** A side that is notified of completions by events, and threads that wait for them. See {@link EventRules}. */
final class EventRig extends Rig {

    /** A device may be slow, and a machine may be busy; a call that takes longer is considered to wait. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private volatile Exception failure;

    /** The side whose queue is tested: the receiver, if there is one. */
    Side told;

    EventRig(ProviderKit kit) {
        super(kit);
    }

    void startWithChannel() {
        start(s -> s.withChannel = true);
        told = has(Capability.SEND) ? b : a;
    }

    void send(long wrId, int flags) {
        b.ready(wrId, 0, 100);
        a.post(a.operation(b, wrId, 0, 0, 100).sendFlags(SendFlags.SIGNALED | flags));
        a.next(wrId, WcStatus.SUCCESS);
    }

    void event(String when) {
        CompletionQueue cq = told.channel.getEvent(kit.patience().toNanos(), TimeUnit.NANOSECONDS);
        Seen.check(cq != null, "no event " + when);
        Seen.check(cq == told.cq, "the event is for another completion queue");
        cq.ackEvents(1);
    }

    void noEvent(String when) {
        noEvent(kit.quiet().toNanos(), when);
    }

    void noEvent(long nanos, String when) {
        CompletionQueue cq = told.channel.getEvent(nanos, TimeUnit.NANOSECONDS);
        if (cq != null) {
            cq.ackEvents(1);
        }
        Seen.check(cq == null, "unexpected event " + when);
    }

    void runs(Semaphore runs, String when) {
        try {
            Seen.check(
                    runs.tryAcquire(kit.patience().toNanos(), TimeUnit.NANOSECONDS), "the action has not run " + when);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Skips the rule if the provider reports that it does not support the call. */
    static void supported(Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            Seen.equal("the errno of an unsupported call", Errno.name(Errno.EOPNOTSUPP), Errno.name(e.errno()));
            Assumptions.abort("the channel does not support it: " + e.getMessage());
        }
    }

    Waiter waiting() {
        return new Waiter(() -> told.channel.getEvent(1, TimeUnit.DAYS));
    }

    /** Closes an object that may have a reason to wait, but must not. */
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

    /** A thread that waits for an event. */
    final class Waiter {
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

        boolean isDone() {
            return result.isDone();
        }

        /** Waits until the thread waits within the provider. If it never gets there, the outcome must be the same. */
        void settle() {
            long start = System.nanoTime();
            while (!isInProvider() && System.nanoTime() - start < ENOUGH_TO_START.toNanos()) {
                Thread.onSpinWait();
            }
            long end = System.nanoTime() + kit.quiet().toNanos();
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        /**
         * Whether the thread waits within the provider. If it is interrupted or its channel closed before, the library
         * ends the wait, which says nothing about the provider.
         */
        private boolean isInProvider() {
            return Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("getCqEvent")
                            && !frame.getClassName().startsWith(LIBRARY));
        }

        /** Checks the outcome of the wait: an errno, or null if it must return null. */
        void endsWith(Integer errno) {
            try {
                Object outcome = result.get(kit.patience().toNanos(), TimeUnit.NANOSECONDS);
                Seen.equal(
                        "the outcome of the wait",
                        errno == null ? null : Errno.name(errno),
                        outcome instanceof VerbsException e ? Errno.name(e.errno()) : outcome);
            } catch (TimeoutException e) {
                Seen.check(
                        false, "the wait has not ended after " + kit.patience().toMillis() + " ms");
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A call of a provider in another thread, so that a provider that hangs does not hang the program: see {@link Asker}.
 *
 * @param <T> the answer
 */
final class ProviderCall<T> implements Runnable {
    private final CountDownLatch done = new CountDownLatch(1);
    private final Supplier<T> body;
    private volatile Thread thread;
    private T answer;
    private Throwable thrown;

    /**
     * Does not call yet.
     *
     * @param body the call; may throw what cannot be contained
     */
    ProviderCall(Supplier<T> body) {
        this.body = body;
    }

    /** Makes the call; run once. */
    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            answer = body.get();
        } catch (Throwable t) {
            thrown = t;
        } finally {
            done.countDown();
        }
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /** Waits for the answer; an interrupt is kept for later. */
    boolean await(TimeLimit limit) {
        long end = System.nanoTime() + limit.nanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = limit.nanos() == Long.MAX_VALUE ? Long.MAX_VALUE : end - System.nanoTime();
                    return done.await(left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The answer; the call must be done. */
    T answer() {
        if (thrown instanceof Error e) {
            throw e; // no memory left even to describe what the provider threw
        }
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        return answer;
    }

    /** Where the thread is, if possible in the provider's code, for people. */
    String place() {
        Thread asked = thread;
        return Arrays.stream(asked == null ? new StackTraceElement[0] : asked.getStackTrace())
                .filter(frame -> !frame.getClassName().matches("(java|javax|jdk|sun|com\\.sun)\\..*"))
                .findFirst()
                .map(frame -> " (it is at " + frame.getClassName() + "." + frame.getMethodName() + ", line "
                        + frame.getLineNumber() + ")")
                .orElse("");
    }
}

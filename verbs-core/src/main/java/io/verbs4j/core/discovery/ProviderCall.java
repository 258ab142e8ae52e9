/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a provider is asked in another thread, so that one that hangs does not hang the program: see {@link Asker}.
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
     * Asks nothing yet.
     *
     * @param body what is done; may throw what can't be contained
     */
    ProviderCall(Supplier<T> body) {
        this.body = body;
    }

    /** Asks; called once. */
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

    /** The answer, once it is there. */
    T answer() {
        if (thrown instanceof Error e) {
            throw e; // not even words could be found for what the provider threw: there is no memory
        }
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        return answer;
    }

    /** Where the thread is, in words: in the provider's code, as far as that can be seen. */
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What a provider is asked in a thread of its own, so that one that hangs does not hang the program. The thread has the
 * class loader of its caller, ends with the answer, and keeps no JVM from ending. One that hangs is left alone: an
 * interrupt could leave the provider's classes half initialised for ever.
 *
 * @param <T> the answer
 */
final class ProviderCall<T> implements Runnable {
    private final CountDownLatch done = new CountDownLatch(1);
    private final Supplier<T> body;
    private final Thread thread;
    private T answer;
    private Throwable thrown;

    private ProviderCall(String provider, Supplier<T> body) {
        this.body = body;
        thread = new Thread(this, "verbs4j-provider-" + provider);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }

    /**
     * Begins to ask.
     *
     * @param provider the provider's name or class, for the thread's name
     * @param body what is done; may throw what can't be contained
     */
    static <T> ProviderCall<T> start(String provider, Supplier<T> body) {
        ProviderCall<T> call = new ProviderCall<>(provider, body);
        try {
            call.thread.start();
        } catch (OutOfMemoryError e) {
            call.run(); // no more threads: then it is asked here, as long as it takes
        }
        return call;
    }

    /** Asks; called once. */
    @Override
    public void run() {
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
        return Arrays.stream(thread.getStackTrace())
                .filter(frame -> !frame.getClassName().matches("(java|javax|jdk|sun|com\\.sun)\\..*"))
                .findFirst()
                .map(frame -> " (it is at " + frame.getClassName() + "." + frame.getMethodName() + ", line "
                        + frame.getLineNumber() + ")")
                .orElse("");
    }
}

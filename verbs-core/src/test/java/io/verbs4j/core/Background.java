/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.verbs4j.testsupport.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A thread that does one thing, and what came of it. */
public final class Background<T> {
    private static final Duration LIMIT = Duration.ofSeconds(Patience.SECONDS);

    private final Thread thread;
    private volatile T result;
    private volatile Throwable thrown;
    private volatile boolean interruptedAtEnd;

    private Background(Callable<T> body) {
        thread = new Thread(() -> {
            try {
                result = body.call();
            } catch (Throwable t) {
                thrown = t;
            }
            interruptedAtEnd = Thread.currentThread().isInterrupted();
        });
        thread.setDaemon(true);
        thread.start();
    }

    public static <T> Background<T> call(Callable<T> body) {
        return new Background<>(body);
    }

    public static Background<Void> run(Runnable body) {
        return new Background<>(() -> {
            body.run();
            return null;
        });
    }

    /** Returns when the thread waits for something. */
    public Background<T> awaitWaiting() throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            if (!thread.isAlive() || System.nanoTime() > end) {
                fail("the thread is not waiting but " + thread.getState() + ", thrown: " + thrown);
            }
            Thread.sleep(1);
        }
        return this;
    }

    public void interrupt() {
        thread.interrupt();
    }

    public boolean ended() {
        return !thread.isAlive();
    }

    private void join() throws InterruptedException {
        thread.join(LIMIT.toMillis());
        assertThat(thread.isAlive()).as("still running").isFalse();
    }

    public T result() throws InterruptedException {
        join();
        assertThat(thrown).isNull();
        return result;
    }

    public Throwable thrown() throws InterruptedException {
        join();
        return thrown;
    }

    public boolean interruptedAtEnd() throws InterruptedException {
        join();
        return interruptedAtEnd;
    }
}

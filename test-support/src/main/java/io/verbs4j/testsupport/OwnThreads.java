/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Runs calls that wait, each in its own thread. In JDK 25 the common pool has one thread on a machine with two
 * processors, so the second of two calls that wait for each other would never start.
 */
public final class OwnThreads {
    private OwnThreads() {}

    /** Starts a call; the future completes with its result. */
    public static <T> CompletableFuture<T> supply(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, OwnThreads::start);
    }

    /** Starts a task. */
    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, OwnThreads::start);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "test");
        thread.setDaemon(true);
        thread.start();
    }
}

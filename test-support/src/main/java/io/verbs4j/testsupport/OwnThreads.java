/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Calls that wait, each in a thread of its own. The common pool of a JDK 25 has one thread on a machine with two
 * processors: of two calls there that wait for each other the second would never begin.
 */
public final class OwnThreads {
    private OwnThreads() {}

    /** Calls it; the answer comes by the future. */
    public static <T> CompletableFuture<T> supply(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, OwnThreads::start);
    }

    /** Runs it. */
    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, OwnThreads::start);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "test");
        thread.setDaemon(true);
        thread.start();
    }
}

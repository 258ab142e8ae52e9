/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Disconnects all connections of the engines when the JVM exits, so that peers learn of it at once. Posted requests are
 * sent first. Unresponsive peers delay the exit by {@link #LONGEST} at most.
 */
final class ExitHook {
    /**
     * System property that disables the hook unless it is {@code true}, the default. A program that ends its
     * connections in its own shutdown hook may want to disable it.
     */
    static final String PROPERTY = "io.verbs4j.cm.disconnectAtExit";

    /** Longest delay of the JVM's exit, in nanoseconds. */
    static final long LONGEST = TimeUnit.SECONDS.toNanos(2);

    /** The part of it that posted requests may take: half. */
    private static final long DRAIN = LONGEST / 2;

    /** Enough for one message to be lost and repeated. */
    private static final long ANSWER = TimeUnit.MILLISECONDS.toNanos(600);

    /** Null while no engine runs; a registered hook would keep this class's loader alive. */
    private static Thread registered;

    private ExitHook() {}

    /** Registers the hook; called whenever an engine starts. */
    static synchronized void register() {
        if (registered != null || !Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))) {
            return;
        }
        Thread hook = new Thread(null, ExitHook::run, "verbs4j-cm-exit", 0, false);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            registered = hook;
        } catch (IllegalStateException e) {
            // the JVM is exiting
        }
    }

    /** Unregisters the hook; called when the last engine has stopped. */
    static synchronized void unregister() {
        Thread hook = registered;
        registered = null;
        if (hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the JVM is exiting
            }
        }
    }

    /** Works in another thread, so that the JVM exits even if a lock is held forever. */
    private static void run() {
        Thread worker = new Thread(null, () -> disconnect(Engines.all()), "verbs4j-cm-exit-worker", 0, false);
        worker.setDaemon(true);
        worker.start();
        try {
            worker.join(TimeUnit.NANOSECONDS.toMillis(LONGEST));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody waits for it any more
        }
    }

    /** Disconnects the connections of all engines. */
    static void disconnect(List<Engine> engines) {
        try {
            await(engines, Engine::hasUnfinishedSends, DRAIN);
            engines.forEach(Engine::disconnectAll);
            await(engines, Engine::isDisconnecting, ANSWER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(List<Engine> engines, Predicate<Engine> busy, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (engines.stream().anyMatch(busy) && System.nanoTime() - end < 0) {
            Thread.sleep(1);
        }
    }
}

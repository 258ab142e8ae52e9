/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Disconnects all connections of the engines when the JVM ends, so that peers need not find out. What was posted is
 * sent before; a peer that answers neither does not keep the JVM for longer than {@link #LONGEST}.
 */
final class ExitHook {
    /**
     * Whether to do so, {@code true} unless told otherwise: a program that ends its connections in a shutdown hook of
     * its own may want to be alone.
     */
    static final String PROPERTY = "io.verbs4j.cm.disconnectAtExit";

    /** Longest time that the end of the JVM waits, nanoseconds. */
    static final long LONGEST = TimeUnit.SECONDS.toNanos(2);

    /** Of that, what is posted may take half. */
    private static final long DRAIN = LONGEST / 2;

    /** As long as one message may be lost and come again. */
    private static final long ANSWER = TimeUnit.MILLISECONDS.toNanos(600);

    /** Null while no engine runs: the JVM would keep the class loader of this class. */
    private static Thread registered;

    private ExitHook() {}

    /** Has the JVM do it; called whenever an engine begins. */
    static synchronized void register() {
        if (registered != null || !Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))) {
            return;
        }
        Thread hook = new Thread(null, ExitHook::run, "verbs4j-cm-exit", 0, false);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            registered = hook;
        } catch (IllegalStateException e) {
            // the JVM is ending
        }
    }

    /** Has the JVM forget it; called when the last engine has ended. */
    static synchronized void unregister() {
        Thread hook = registered;
        registered = null;
        if (hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the JVM is ending
            }
        }
    }

    /** In a thread of its own: whatever a lock is held for, the JVM ends. */
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

    /** Disconnects what the engines have. */
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

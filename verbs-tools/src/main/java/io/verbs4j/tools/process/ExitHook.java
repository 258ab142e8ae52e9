/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

/** Runs an action when the JVM ends, for instance by Ctrl-C, unless it is closed before. */
public final class ExitHook implements AutoCloseable {
    private final Thread thread;

    private ExitHook(Thread thread) {
        this.thread = thread;
    }

    /**
     * Registers an action.
     *
     * @param name name of the thread that runs it
     * @param action what to run
     */
    public static ExitHook of(String name, Runnable action) {
        ExitHook hook = new ExitHook(new Thread(action, name));
        Runtime.getRuntime().addShutdownHook(hook.thread);
        return hook;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook is running.
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.provider.rxe.base.Mishaps;
import java.util.concurrent.locks.LockSupport;

/**
 * A device thread that runs passes until it is stopped, and survives what they throw. If it dies nevertheless, its
 * dependents are notified and a new thread replaces it.
 */
final class Loop implements Runnable {
    /** The work of the thread. */
    interface Body {
        /** Runs repeatedly; must do its own waiting. */
        void pass();

        /** Notifies dependents; called by the dying thread, which holds no locks. */
        void died();
    }

    /** Pause after a pass that threw: what was missing, such as memory, may be available again then. */
    private static final long PAUSE_NANOS = 1_000_000;

    private final String name;
    private final Body body;
    private final Mishaps mishaps;
    private volatile Thread thread;

    /** Creates the loop without starting its thread. */
    Loop(String name, Body body) {
        this.name = name;
        this.body = body;
        this.mishaps = new Mishaps("the thread " + name + " continues after a failure");
    }

    void start() {
        Thread t = new Thread(this, name);
        t.setDaemon(true);
        thread = t;
        t.start();
    }

    void stop() {
        Thread t = thread;
        thread = null;
        LockSupport.unpark(t);
    }

    /** Ends the thread's current wait on {@link LockSupport}, or its next one. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** {@return whether the calling thread is this one} */
    boolean isCurrent() {
        return is(Thread.currentThread());
    }

    /** Returns whether a thread is this one. */
    boolean is(Thread one) {
        return one == thread;
    }

    /** The body of the thread. */
    @Override
    public void run() {
        Thread me = Thread.currentThread();
        try {
            while (thread == me) {
                survive();
            }
        } finally {
            if (thread == me) {
                replace();
            }
        }
    }

    private void survive() {
        // Interrupts of device threads have no meaning, but a pending one would end every wait.
        Thread.interrupted();
        try {
            body.pass();
        } catch (Throwable e) {
            mishaps.survive(e);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void replace() {
        try {
            body.died();
        } finally {
            start();
        }
    }
}

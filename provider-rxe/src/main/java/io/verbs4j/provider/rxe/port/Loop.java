/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import io.verbs4j.provider.rxe.base.Mishaps;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread of the device: runs passes until it is stopped, and survives what they throw. Where it dies all the same, who
 * relied on it is told, and another one takes its place.
 */
final class Loop implements Runnable {
    /** What the thread does. */
    interface Body {
        /** What is done again and again; must wait by itself. */
        void pass();

        /** Is called by the thread that dies, with nothing held. */
        void died();
    }

    /** Between a pass that threw and the next: what it lacked, such as memory, may be there then. */
    private static final long PAUSE_NANOS = 1_000_000;

    private final String name;
    private final Body body;
    private final Mishaps mishaps;
    private volatile Thread thread;

    /** Makes a thread; it does not run yet. */
    Loop(String name, Body body) {
        this.name = name;
        this.body = body;
        this.mishaps = new Mishaps("the thread " + name + " goes on after a failure");
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

    /** Ends a wait of {@link LockSupport}, or the next one. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Whether the calling thread is this one. */
    boolean isCurrent() {
        return is(Thread.currentThread());
    }

    /** Whether a thread is this one. */
    boolean is(Thread one) {
        return one == thread;
    }

    /** The thread's. */
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
        // An interrupt of a thread of the device means nothing, but while it is there no wait waits.
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

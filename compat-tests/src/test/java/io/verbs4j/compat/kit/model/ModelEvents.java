/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import java.util.ArrayDeque;
import java.util.Deque;

/** The events of a completion channel, and those that wait for them. Guarded by {@link Fabric#LOCK}. */
final class ModelEvents {
    final Deque<CompletionQueue> events = new ArrayDeque<>();
    boolean closed;

    /** The number of waits that must end without an event. */
    private int wakes;

    private Runnable action;

    int wake() {
        synchronized (Fabric.LOCK) {
            wakes = Fault.WAKE_COUNTED.on() ? wakes + 1 : 1;
            Fabric.LOCK.notifyAll();
            return 0;
        }
    }

    /** Called before a wait. */
    void looked(long timeoutNanos) {
        if (Fault.WAKE_IS_LOST.on() || Fault.LOOK_TAKES_WAKE.on() && timeoutNanos == 0) {
            wakes = 0;
        }
    }

    boolean takesWake() {
        boolean taken = wakes > 0;
        wakes -= taken ? 1 : 0;
        return taken;
    }

    int onEvent(Runnable next) {
        synchronized (Fabric.LOCK) {
            if (closed) {
                return Errno.EBADF;
            }
            action = next == null && Fault.ACTION_STAYS.on() ? action : next;
            if (!events.isEmpty() && !Fault.ACTION_FOR_LATER.on()) {
                run();
            }
            return 0;
        }
    }

    /** Adds an event. */
    void add(CompletionQueue cq) {
        events.add(cq);
        Fabric.LOCK.notifyAll();
        run();
    }

    private void run() {
        Runnable told = action;
        if (Fault.ACTION_ONCE.on()) {
            action = null;
        }
        try {
            if (told != null) {
                told.run();
            }
        } catch (RuntimeException e) {
            // the program's own failure; the device continues
        }
    }
}

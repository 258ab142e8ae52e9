/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import java.util.Comparator;
import java.util.TreeSet;

/** The deadlines of an engine, ordered by time. Guarded by the engine. */
final class Timers {
    private static final Comparator<Timed> BY_TIME = (a, b) -> {
        int byTime = Long.signum(a.deadline - b.deadline);
        return byTime != 0 ? byTime : Long.compare(a.serial, b.serial);
    };

    private final TreeSet<Timed> all = new TreeSet<>(BY_TIME);
    private long serials;

    /** Schedules an object, or reschedules it. */
    void schedule(Timed timed, long deadline) {
        cancel(timed);
        timed.deadline = deadline;
        timed.serial = serials++;
        timed.scheduled = true;
        all.add(timed);
    }

    void cancel(Timed timed) {
        if (timed.scheduled) {
            all.remove(timed);
            timed.scheduled = false;
        }
    }

    /** Fires what is due; returns whether anything was. */
    boolean fire(long now) {
        boolean some = false;
        while (!all.isEmpty() && all.first().deadline - now <= 0) {
            Timed due = all.pollFirst();
            due.scheduled = false;
            due.fire();
            some = true;
        }
        return some;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns the earliest deadline; there must be one. */
    long next() {
        return all.first().deadline;
    }
}

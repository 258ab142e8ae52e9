/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.Nap;
import io.verbs4j.rdmacore.call.Answers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A rule of a {@link SteeringMatcher}, created by {@link SteeringMatcher#createRule}; closing it removes the rule. It
 * is a small object, of which a program can have many. Its matcher and its actions cannot be closed before it.
 * Thread-safe. Source: mlx5dv_dr_rule_create, in mlx5dv_dr_flow(3).
 */
public final class SteeringRule implements AutoCloseable {
    static final String DESTROY = "mlx5dv_dr_rule_destroy";

    private static final AtomicIntegerFieldUpdater<SteeringRule> STATE =
            AtomicIntegerFieldUpdater.newUpdater(SteeringRule.class, "state");
    private static final int OPEN = 0;
    private static final int TAKEN = 1; // by one call, for which the others wait
    private static final int CLOSED = 2;
    private static final int SPINS = 1000;
    private static final int NAP_NANOS = 10_000;

    private final SteeringMatcher matcher;
    private final long address;
    private volatile int state;

    SteeringRule(SteeringMatcher matcher, long address) {
        this.matcher = matcher;
        this.address = address;
    }

    /** {@return the matcher that the rule belongs to} */
    public SteeringMatcher matcher() {
        return matcher;
    }

    /** Takes the rule for the caller until {@link #give}; returns false if it is closed. */
    private boolean take() {
        for (int i = 0; ; i++) {
            int now = state;
            if (now == CLOSED) {
                return false;
            }
            if (now == OPEN && STATE.compareAndSet(this, OPEN, TAKEN)) {
                return true;
            }
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                Nap.nanos(NAP_NANOS);
            }
        }
    }

    private void give(int next) {
        state = next;
    }

    /**
     * Removes the rule; repeated calls do nothing.
     *
     * @throws VerbsException with the errno of the kernel or the library; the rule then remains as it was
     */
    @Override
    public void close() {
        if (!take()) {
            return;
        }
        int next = OPEN;
        try {
            Answers.check(DESTROY, matcher.destroyRule.call(address)); // the rule keeps its matcher open
            next = CLOSED;
        } finally {
            give(next);
        }
    }

    /**
     * Writes the rule as text, in libmlx5's own format. Since rdma-core 28. Source: mlx5dv_dump(3).
     *
     * @param to receives the text; not closed
     * @throws IOException if {@code to} throws it
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public void dump(OutputStream to) throws IOException {
        String verb = "mlx5dv_dump_dr_rule";
        SteeringDump.requireStream(verb, to);
        if (!take()) {
            throw new VerbsException(Errno.EINVAL, verb, "this steering rule is closed; create another one");
        }
        byte[] bytes;
        try {
            bytes = SteeringDump.bytes(verb, address);
        } finally {
            give(OPEN);
        }
        to.write(bytes);
    }
}

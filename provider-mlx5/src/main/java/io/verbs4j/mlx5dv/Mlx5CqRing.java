/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.provider.mlx5.dv.DvObjects;

/**
 * The memory of a completion queue, returned by {@link Mlx5Dv#completionQueue}. Source: mlx5dv_init_obj(3),
 * {@code struct mlx5dv_cq}.
 */
public final class Mlx5CqRing extends Answer {
    private record Values(long buf, long dbrec, int cqeCount, int cqeSize, long cqUar, int cqn) {}

    private final Values values;

    Mlx5CqRing(DvObjects.Cq c) {
        this(new Values(c.buf(), c.dbrec(), c.count(), c.size(), c.uar(), c.number()));
    }

    private Mlx5CqRing(Values values) {
        super(values);
        this.values = values;
    }

    /** {@return the address of the first completion} */
    public long buf() {
        return values.buf();
    }

    /**
     * {@return the address of the doorbell record: the number of completions polled, and how the next event is
     * requested}
     */
    public long dbrec() {
        return values.dbrec();
    }

    /** {@return the number of completions that the ring holds, a power of two} */
    public int cqeCount() {
        return values.cqeCount();
    }

    /** {@return the size of a completion in bytes, 64 or 128} */
    public int cqeSize() {
        return values.cqeSize();
    }

    /** {@return the address of the register page through which events are requested} */
    public long cqUar() {
        return values.cqUar();
    }

    /** {@return the number of the queue} */
    public int cqn() {
        return values.cqn();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvSrqLayout;

/**
 * The memory of a shared receive queue. The elements from {@link #head()} to {@link #tail()} were free at the time of
 * the query. Immutable. Source: mlx5dv_init_obj(3), {@code struct mlx5dv_srq}.
 */
public final class Mlx5SrqRing {
    private final long buf;
    private final long dbrec;
    private final int stride;
    private final int head;
    private final int tail;
    private final int srqn;
    private final Answered answered;

    Mlx5SrqRing(long at) {
        answered = new Answered(NativeMemory.getLong(at + DvSrqLayout.COMP_MASK));
        buf = NativeMemory.getLong(at + DvSrqLayout.BUF);
        dbrec = NativeMemory.getLong(at + DvSrqLayout.DBREC);
        stride = NativeMemory.getInt(at + DvSrqLayout.STRIDE);
        head = NativeMemory.getInt(at + DvSrqLayout.HEAD);
        tail = NativeMemory.getInt(at + DvSrqLayout.TAIL);
        srqn = answered.has(Mlx5SrqMask.SRQN) ? NativeMemory.getInt(at + DvSrqLayout.SRQN) : 0;
    }

    /** {@return the address of the first element} */
    public long buf() {
        return buf;
    }

    /** {@return the address of the doorbell record, which contains the number of receives posted} */
    public long dbrec() {
        return dbrec;
    }

    /** {@return the number of bytes from one element to the next, a power of two} */
    public int stride() {
        return stride;
    }

    /** {@return the index of the first free element} */
    public int head() {
        return head;
    }

    /** {@return the index of the last free element} */
    public int tail() {
        return tail;
    }

    /**
     * Returns whether attributes were filled in; those that were not read as 0.
     *
     * @param bits bits of {@link Mlx5SrqMask}
     * @return true if all of them were
     */
    public boolean has(long bits) {
        return answered.has(bits);
    }

    /** {@return the number of the queue, 24 bits; 0 without {@link Mlx5SrqMask#SRQN}} */
    public int srqn() {
        return srqn;
    }
}

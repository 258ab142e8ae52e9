/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvSrqLayout;

/**
 * Where a shared receive queue is. The elements from {@link #head()} to {@link #tail()} were free when it was asked. Immutable.
 * Source: mlx5dv_init_obj(3), {@code struct mlx5dv_srq}.
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

    /**
     * The address of the first element.
     *
     * @return the address
     */
    public long buf() {
        return buf;
    }

    /**
     * The address of the doorbell record: how many receives were posted.
     *
     * @return the address
     */
    public long dbrec() {
        return dbrec;
    }

    /**
     * Bytes from one element to the next.
     *
     * @return a power of two
     */
    public int stride() {
        return stride;
    }

    /**
     * The first free element.
     *
     * @return its index
     */
    public int head() {
        return head;
    }

    /**
     * The last free element.
     *
     * @return its index
     */
    public int tail() {
        return tail;
    }

    /**
     * Whether something that was asked for was answered; what was not reads as 0.
     *
     * @param bits of {@link Mlx5SrqMask}
     * @return true if all of them were
     */
    public boolean has(long bits) {
        return answered.has(bits);
    }

    /**
     * The number.
     *
     * @return the number, 24 bits; 0 without {@link Mlx5SrqMask#SRQN}
     */
    public int srqn() {
        return srqn;
    }
}

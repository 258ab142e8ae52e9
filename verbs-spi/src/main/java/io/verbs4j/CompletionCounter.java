/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DestroyCompCntr;
import java.util.Objects;

/**
 * A completion counter: two unsigned 64-bit numbers that the device increments when requests of the
 * {@linkplain QueuePair#attachCompCntr attached} queue pairs end. It counts requests without a completion for each,
 * even unsignaled ones, and also what the peer has read and written.
 *
 * <p>A request that ends with an error, or is flushed, adds 1 to the second number, whatever the counter's type. A
 * number that exceeds {@link CompCntrCaps#maxValue()} continues at 0.
 *
 * <p>Providers subclass it. All methods may be called from any thread; all but {@link #close()} throw
 * {@link VerbsException} with {@link Errno#EINVAL} after close. Since level 4. Source: {@code ibv_create_comp_cntr(3)}.
 */
public abstract class CompletionCounter extends VerbsObject {
    /**
     * Creates the handle; for providers.
     *
     * @param context context that the counter belongs to
     */
    protected CompletionCounter(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Reads the count of successes. Source: {@code ibv_read_comp_cntr(3)}.
     *
     * @return requests or bytes, depending on the counter's {@link CompCntrType}; unsigned
     */
    public abstract long read();

    /**
     * Reads the count of failures. Source: {@code ibv_read_err_comp_cntr(3)}.
     *
     * @return requests, unsigned
     */
    public abstract long readErr();

    /**
     * Sets the count of successes. What is counted at the same time may be lost. Source: {@code ibv_set_comp_cntr(3)}.
     *
     * @param value up to {@link CompCntrCaps#maxValue()}, unsigned
     */
    public abstract void set(long value);

    /**
     * Sets the count of failures. What is counted at the same time may be lost. Source:
     * {@code ibv_set_err_comp_cntr(3)}.
     *
     * @param value as {@link #set}
     */
    public abstract void setErr(long value);

    /**
     * Adds to the count of successes. Source: {@code ibv_inc_comp_cntr(3)}.
     *
     * @param amount up to {@link CompCntrCaps#maxValue()}, unsigned
     */
    public abstract void inc(long amount);

    /**
     * Adds to the count of failures. Source: {@code ibv_inc_err_comp_cntr(3)}.
     *
     * @param amount as {@link #inc}
     */
    public abstract void incErr(long amount);

    /**
     * Destroys the counter. Source: {@code ibv_destroy_comp_cntr(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it is attached to a queue pair
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DESTROY_COMP_CNTR, DestroyCompCntr.class)
                .destroyCompCntr(this);
    }

    @Override
    public final String toString() {
        return "completion counter of " + context().device();
    }
}

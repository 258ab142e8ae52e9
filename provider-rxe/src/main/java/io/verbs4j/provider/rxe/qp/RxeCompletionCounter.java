/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;

/** The program's handle of a completion counter. */
public final class RxeCompletionCounter extends CompletionCounter {
    /** The operations that the device can count, {@link CompCntrOps} bits. */
    public static final int OPS = (CompCntrOps.REMOTE_RDMA_WRITE << 1) - 1;

    /** The numbers. In an object of their own, because the header defines the member names of a handle. */
    public final Counter counter;

    /** Creates a counter of bytes or of requests, starting at 0. */
    public RxeCompletionCounter(Context context, boolean bytes) {
        super(context);
        counter = new Counter(bytes);
    }

    @Override
    public long read() {
        return counter.number("read_comp_cntr", false).get();
    }

    @Override
    public long readErr() {
        return counter.number("read_err_comp_cntr", true).get();
    }

    @Override
    public void set(long value) {
        counter.number("set_comp_cntr", false).set(value);
    }

    @Override
    public void setErr(long value) {
        counter.number("set_err_comp_cntr", true).set(value);
    }

    @Override
    public void inc(long amount) {
        counter.number("inc_comp_cntr", false).getAndAdd(amount);
    }

    @Override
    public void incErr(long amount) {
        counter.number("inc_err_comp_cntr", true).getAndAdd(amount);
    }
}

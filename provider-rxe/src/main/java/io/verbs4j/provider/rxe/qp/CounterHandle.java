/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.CompCntrOps;
import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;

/** What programs have of a completion counter. */
public final class CounterHandle extends CompletionCounter {
    /** What the device counts, {@link CompCntrOps} bits. */
    public static final int OPS = (CompCntrOps.REMOTE_RDMA_WRITE << 1) - 1;

    /** The numbers; one field, as the names on a handle are the header's. */
    public final Counter counter;

    /** Makes a counter at 0: of bytes, or of requests. */
    public CounterHandle(Context context, boolean bytes) {
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.CompletionCounter;
import io.verbs4j.Context;

/** A completion counter of a native device. */
public final class NativeCompletionCounter extends CompletionCounter {
    /** The {@code struct ibv_comp_cntr}. */
    public final IbvCounter ibv;

    /** Creates the handle of a {@code struct ibv_comp_cntr}. */
    public NativeCompletionCounter(Context context, IbvCounter ibv) {
        super(context);
        this.ibv = ibv;
    }

    @Override
    public long read() {
        return ibv.read(CounterFunction.READ);
    }

    @Override
    public long readErr() {
        return ibv.read(CounterFunction.READ_ERR);
    }

    @Override
    public void set(long value) {
        ibv.change(CounterFunction.SET, value);
    }

    @Override
    public void setErr(long value) {
        ibv.change(CounterFunction.SET_ERR, value);
    }

    @Override
    public void inc(long amount) {
        ibv.change(CounterFunction.INC, amount);
    }

    @Override
    public void incErr(long amount) {
        ibv.change(CounterFunction.INC_ERR, amount);
    }
}

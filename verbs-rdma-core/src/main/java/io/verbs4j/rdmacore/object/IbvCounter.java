/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** A {@code struct ibv_comp_cntr}. */
public final class IbvCounter extends IbvObject {
    /** Creates the object for a {@code struct ibv_comp_cntr}. */
    public IbvCounter(long address) {
        super(address);
    }

    private void enter(CounterFunction function) {
        if (!pin().enter()) {
            throw new VerbsException(
                    Errno.EINVAL, function.verb(), "the completion counter is closed; use an open one");
        }
    }

    long read(CounterFunction function) {
        enter(function);
        try {
            return function.read(function.verb(), address());
        } finally {
            pin().leave();
        }
    }

    void change(CounterFunction function, long value) {
        enter(function);
        try {
            function.change(function.verb(), address(), value);
        } finally {
            pin().leave();
        }
    }
}

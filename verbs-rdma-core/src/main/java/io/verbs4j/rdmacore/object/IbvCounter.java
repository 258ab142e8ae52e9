/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.memory.NativeMemory;
import io.verbs4j.rdmacore.memory.Scratch;

/** A {@code struct ibv_comp_cntr}. */
public final class IbvCounter extends IbvObject {
    private static final int SINCE = 65;

    /** Of a {@code struct ibv_comp_cntr}. */
    public IbvCounter(long address) {
        super(address);
    }

    private void enter(String verb) {
        if (!pin().enter()) {
            throw new VerbsException(Errno.EINVAL, verb, "the completion counter is closed; use an open one");
        }
    }

    long read(String verb) {
        enter(verb);
        try (Scratch value = new Scratch(Long.BYTES)) {
            Answers.check(verb, Libibverbs.function("ibv_" + verb, SINCE).call(address(), value.address()));
            return NativeMemory.getLong(value.address());
        } finally {
            pin().leave();
        }
    }

    void change(String verb, long value) {
        enter(verb);
        try {
            Answers.check(verb, Libibverbs.function("ibv_" + verb, SINCE).call(address(), value));
        } finally {
            pin().leave();
        }
    }
}

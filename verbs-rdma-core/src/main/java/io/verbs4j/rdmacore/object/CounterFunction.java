/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libibverbs;

/**
 * The functions that read and change the two values of a {@code struct ibv_comp_cntr}, from rdma-core 65. Each is
 * looked up once. Thread-safe; the caller keeps the counter from being destroyed.
 */
public enum CounterFunction {
    /** {@code ibv_read_comp_cntr}. */
    READ("read_comp_cntr"),
    /** {@code ibv_read_err_comp_cntr}. */
    READ_ERR("read_err_comp_cntr"),
    /** {@code ibv_set_comp_cntr}. */
    SET("set_comp_cntr"),
    /** {@code ibv_set_err_comp_cntr}. */
    SET_ERR("set_err_comp_cntr"),
    /** {@code ibv_inc_comp_cntr}. */
    INC("inc_comp_cntr"),
    /** {@code ibv_inc_err_comp_cntr}. */
    INC_ERR("inc_err_comp_cntr");

    private static final int SINCE = 65;

    private final String verb;
    private final String symbol;
    private volatile NativeFunction found;

    CounterFunction(String verb) {
        this.verb = verb;
        this.symbol = "ibv_" + verb;
    }

    /** {@return the name of the verb, for messages} */
    public String verb() {
        return verb;
    }

    /** {@return the name of the function, for messages} */
    public String symbol() {
        return symbol;
    }

    /**
     * Reads a value.
     *
     * @param name verb name for messages
     * @param counter the {@code struct ibv_comp_cntr}
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks the function; otherwise the errno that
     *     the function returns
     */
    public long read(String name, long counter) {
        try (Scratch value = new Scratch(Long.BYTES)) {
            Answers.check(name, function().call(counter, value.address()));
            return NativeMemory.getLong(value.address());
        }
    }

    /**
     * Changes a value.
     *
     * @param name verb name for messages
     * @param counter the {@code struct ibv_comp_cntr}
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks the function; otherwise the errno that
     *     the function returns
     */
    public void change(String name, long counter, long value) {
        Answers.check(name, function().call(counter, value));
    }

    private NativeFunction function() {
        NativeFunction function = found;
        if (function == null) {
            function = Libibverbs.function(symbol, SINCE);
            found = function;
        }
        return function;
    }
}

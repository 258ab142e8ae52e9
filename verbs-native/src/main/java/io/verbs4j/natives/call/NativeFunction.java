/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A C function whose address is known only at run time: an entry of a context's {@code ops}, a slot of its extended
 * table or a library's export. {@link NativeBinding} decides how it is called. A call allocates nothing.
 *
 * <p>All arguments are {@code long}. On the 64-bit ABIs of Linux an {@code int} argument travels in the same register,
 * and an {@code int} result is the low half of the register that returns a {@code long}; the caller casts it.
 * Thread-safe.
 */
public abstract class NativeFunction {
    private static final Map<Long, NativeFunction> BOUND = new ConcurrentHashMap<>();
    private static final Map<Long, NativeFunction> DATA = new ConcurrentHashMap<>();

    NativeFunction() {}

    /** {@return the function at an address, which must not be 0; always the same instance for an address} */
    public static NativeFunction at(long address) {
        return BOUND.computeIfAbsent(requireAddress(address), NativeBinding::checked);
    }

    /**
     * As {@link #at}, for data-path verbs. They return their error, so errno is not kept for each call. It is read only
     * after a call that returned -1, and may then be that of a call that the JVM has made in between.
     */
    public static NativeFunction data(long address) {
        return DATA.computeIfAbsent(requireAddress(address), NativeBinding::data);
    }

    private static long requireAddress(long address) {
        if (address == 0) {
            throw new IllegalArgumentException("a function pointer is NULL");
        }
        return address;
    }

    /** Calls it with one argument. */
    public abstract long call(long a);

    /** Calls it with two arguments. */
    public abstract long call(long a, long b);

    /** Calls it with three arguments. */
    public abstract long call(long a, long b, long c);

    /** Calls it with four arguments. */
    public abstract long call(long a, long b, long c, long d);

    /** Calls it with five arguments. */
    public abstract long call(long a, long b, long c, long d, long e);

    /** Calls it with six arguments. */
    public abstract long call(long a, long b, long c, long d, long e, long f);
}

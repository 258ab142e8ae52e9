/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A C function whose address is known at run time only: what stands in the {@code ops} of a context, in a slot of its
 * extended table, or what a library exports. By which means it is called, {@link NativeBinding} tells; a call allocates
 * nothing.
 *
 * <p>All arguments are {@code long}: on the 64-bit ABIs of Linux an {@code int} argument travels in the same register,
 * and an {@code int} result is the low half of the one that a {@code long} comes back in; the caller casts it.
 * Thread-safe.
 */
public abstract class NativeFunction {
    private static final Map<Long, NativeFunction> BOUND = new ConcurrentHashMap<>();
    private static final Map<Long, NativeFunction> DATA = new ConcurrentHashMap<>();

    NativeFunction() {}

    /** The function at an address that is not 0; the same instance at every call. */
    public static NativeFunction at(long address) {
        return BOUND.computeIfAbsent(requireAddress(address), NativeBinding::checked);
    }

    /**
     * As {@link #at}, for verbs of the data path: they return what is wrong, and no error number is kept for them.
     * Where one answers -1 all the same, it is asked for afterwards, and may be that of a call that the JVM has made in
     * between.
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.SymbolProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A C function whose address is known at run time only: what stands in the {@code ops} of a context, or in a slot of its
 * extended table.
 *
 * <p>JNA's direct mapping binds the native methods of a class to addresses, once. So each address gets a class of its own, a
 * hidden copy of {@link BoundFunction}: a call then costs what direct mapping costs and allocates nothing, where {@code
 * Function.invoke} would cost nine times that and allocate.
 *
 * <p>All arguments are {@code long}: on the 64-bit ABIs of Linux an {@code int} argument travels in the same register, and an
 * {@code int} result is the low half of the one that a {@code long} comes back in; the caller casts it. Thread-safe.
 */
public abstract class NativeFunction {
    private static final Map<Long, NativeFunction> BOUND = new ConcurrentHashMap<>();

    /** For {@link BoundFunction}. */
    NativeFunction() {}

    /** The function at an address that is not 0; the same instance at every call. */
    public static NativeFunction at(long address) {
        if (address == 0) {
            throw new IllegalArgumentException("a function pointer is NULL");
        }
        return BOUND.computeIfAbsent(address, NativeFunction::bind);
    }

    private static NativeFunction bind(long address) {
        try (InputStream code = NativeFunction.class.getResourceAsStream("BoundFunction.class")) {
            Class<?> copy = MethodHandles.lookup()
                    .defineHiddenClass(code.readAllBytes(), false, ClassOption.NESTMATE)
                    .lookupClass();
            SymbolProvider anyName = (handle, name, parent) -> address;
            Native.register(copy, NativeLibrary.getInstance(null, Map.of(Library.OPTION_SYMBOL_PROVIDER, anyName)));
            return (NativeFunction) copy.getDeclaredConstructor().newInstance();
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("binding a function pointer failed", e);
        }
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import java.util.function.Supplier;

/**
 * A function of a library that is known to export it, bound at its first call. Thread-safe: binding it twice yields the
 * same function.
 */
public final class Export {
    private final Supplier<LoadedLibrary> library;
    private final String name;
    private NativeFunction function;

    /** Creates the function of a library that is loaded at the first call. */
    public Export(Supplier<LoadedLibrary> library, String name) {
        this.library = library;
        this.name = name;
    }

    /** {@return the function; loads the library first if necessary} */
    public NativeFunction get() {
        NativeFunction known = function;
        return known != null ? known : bind();
    }

    private NativeFunction bind() {
        long address = library.get().address(name);
        if (address == 0) {
            throw new UnsatisfiedLinkError(name);
        }
        NativeFunction bound = NativeFunction.at(address);
        function = bound;
        return bound;
    }
}

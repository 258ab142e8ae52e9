/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.dv;

import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.call.VendorLibrary;

/** The functions of libefa.so.1. */
public final class Libefa {
    /** Property with the library to load instead of {@code libefa.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.efa.libefa";

    private static final VendorLibrary LIBRARY = new VendorLibrary("libefa.so.1", LIBRARY_PROPERTY);

    private Libefa() {}

    /** Returns whether the loaded library has a function. */
    public static boolean has(String name) {
        return LIBRARY.has(name);
    }

    /**
     * Returns a function of libefa.
     *
     * @param since the rdma-core release that added it, for the message
     * @throws io.verbs4j.VerbsException {@link io.verbs4j.Errno#ENOSYS} if the loaded library lacks it
     */
    public static NativeFunction function(String name, int since) {
        return LIBRARY.function(name, since);
    }
}

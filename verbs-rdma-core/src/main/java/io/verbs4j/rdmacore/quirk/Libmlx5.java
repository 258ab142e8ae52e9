/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.call.VendorLibrary;

/** The functions that libmlx5.so.1 exports. */
public final class Libmlx5 {
    /** Property that names the library to load instead of {@code libmlx5.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.mlx5.libmlx5";

    private static final VendorLibrary LIBRARY = new VendorLibrary("libmlx5.so.1", LIBRARY_PROPERTY);

    private Libmlx5() {}

    /** {@return whether the loaded library has a function} */
    public static boolean has(String name) {
        return LIBRARY.has(name);
    }

    /**
     * Returns a function of libmlx5.
     *
     * @param since the release of rdma-core that introduced it, for the message
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks it
     */
    public static NativeFunction function(String name, int since) {
        return LIBRARY.function(name, since);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** What libmlx5.so.1 exports, by direct mapping. It is loaded already when a device is open: libibverbs has done that. */
public final class Libmlx5 {
    /** Property that names the library to load in place of {@code libmlx5.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.mlx5.libmlx5";

    static {
        Native.register(Libmlx5.class, NativeLibrary.getInstance(System.getProperty(LIBRARY_PROPERTY, "libmlx5.so.1")));
    }

    private Libmlx5() {}

    /** Tells where the rings of objects are. The completion queues asked about are the caller's to poll from then on. */
    public static native int mlx5dv_init_obj(long obj, long types);
}

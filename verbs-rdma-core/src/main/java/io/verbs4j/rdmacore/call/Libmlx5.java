/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * What libmlx5.so.1 exports, each function by itself: no release has all of them, and one that is missing is told by its name.
 * The library is loaded already when a device is open: libibverbs has done that.
 */
public final class Libmlx5 {
    /** Property that names the library to load in place of {@code libmlx5.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.mlx5.libmlx5";

    private static final NativeLibrary LIBRARY =
            NativeLibrary.getInstance(System.getProperty(LIBRARY_PROPERTY, "libmlx5.so.1"));

    private Libmlx5() {}

    /** Whether the loaded library has a function. */
    public static boolean has(String name) {
        return address(name) != 0;
    }

    /**
     * A function of libmlx5.
     *
     * @param since the release of rdma-core that it came with, for the message
     * @throws VerbsException {@link Errno#ENOSYS} where the loaded library lacks it
     */
    public static NativeFunction function(String name, int since) {
        long address = address(name);
        if (address == 0) {
            throw new VerbsException(
                    Errno.ENOSYS,
                    name,
                    "the loaded " + LIBRARY.getName() + " (" + LIBRARY.getFile()
                            + ") has no such function; it came with" + " rdma-core " + since
                            + ": install that or a later release");
        }
        return NativeFunction.at(address);
    }

    private static long address(String name) {
        try {
            return Pointer.nativeValue(LIBRARY.getFunction(name));
        } catch (UnsatisfiedLinkError e) {
            return 0;
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.call.VendorLibrary;

/** The functions of libhbl.so.1. */
public final class Libhbl {
    /** Property with the library to load instead of {@code libhbl.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.gaudi.libhbl";

    /** The library name passed to the loader. */
    public static final String NAME = System.getProperty(LIBRARY_PROPERTY, "libhbl.so.1");

    private static final VendorLibrary LIBRARY = new VendorLibrary("libhbl.so.1", LIBRARY_PROPERTY);

    private Libhbl() {}

    /**
     * Loads the library, which registers itself with libibverbs. If libibverbs has not found its plug-in, devices are
     * listed only after that.
     *
     * @throws VerbsException {@link Errno#ENOSYS} if it cannot be loaded
     */
    public static void require(String verb) {
        boolean there;
        try {
            there = has("hbldv_open_device");
        } catch (LinkageError e) {
            throw missing(verb, e);
        }
        if (!there) {
            throw missing(verb, null);
        }
    }

    private static VerbsException missing(String verb, Throwable cause) {
        String what = "the kernel has a Gaudi device, but " + NAME
                + " can't be loaded or is a different library; install the one of the vendor's rdma-core, or give its"
                + " path with -D" + LIBRARY_PROPERTY;
        return new VerbsException(Errno.ENOSYS, verb, what, cause);
    }

    /** Returns whether the loaded library has a function. */
    public static boolean has(String name) {
        return LIBRARY.has(name);
    }

    /**
     * Returns a function that all releases have.
     *
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks it
     */
    public static NativeFunction function(String name) {
        return function(name, "all releases have it");
    }

    /**
     * Returns a function.
     *
     * @param who which releases have it, for the message
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks it
     */
    public static NativeFunction function(String name, String who) {
        if (!has(name)) {
            throw new VerbsException(Errno.ENOSYS, name, "the loaded libhbl has no such function; " + who);
        }
        return LIBRARY.function(name, 0);
    }
}

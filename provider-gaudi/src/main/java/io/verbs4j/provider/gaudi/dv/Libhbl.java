/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.call.VendorLibrary;

/** What libhbl.so.1 exports. */
public final class Libhbl {
    /** Property that names the library to load in place of {@code libhbl.so.1}: a path, or a name for the loader. */
    public static final String LIBRARY_PROPERTY = "io.verbs4j.gaudi.libhbl";

    /** What the loader is asked for. */
    public static final String NAME = System.getProperty(LIBRARY_PROPERTY, "libhbl.so.1");

    private static final VendorLibrary LIBRARY = new VendorLibrary("libhbl.so.1", LIBRARY_PROPERTY);

    private Libhbl() {}

    /**
     * Loads it, which makes it known to libibverbs: where libibverbs has not found its plug-in, devices are listed only then.
     *
     * @throws VerbsException {@link Errno#ENOSYS} where it can't be loaded
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
        String what = "the kernel has a Gaudi, and " + NAME
                + " can't be loaded or is another library; install that of the vendor's"
                + " rdma-core, or say where it is by -D" + LIBRARY_PROPERTY;
        return new VerbsException(Errno.ENOSYS, verb, what, cause);
    }

    /** Whether the loaded library has a function. */
    public static boolean has(String name) {
        return LIBRARY.has(name);
    }

    /**
     * A function that all releases have.
     *
     * @throws VerbsException {@link Errno#ENOSYS} where the loaded library lacks it
     */
    public static NativeFunction function(String name) {
        return function(name, "all releases have it");
    }

    /**
     * A function.
     *
     * @param who which releases have it, for the message
     * @throws VerbsException {@link Errno#ENOSYS} where the loaded library lacks it
     */
    public static NativeFunction function(String name, String who) {
        if (!has(name)) {
            throw new VerbsException(Errno.ENOSYS, name, "the loaded libhbl has no such function; " + who);
        }
        return LIBRARY.function(name, 0);
    }
}

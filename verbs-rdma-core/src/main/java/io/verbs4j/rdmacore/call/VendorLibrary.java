/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.LoadedLibrary;
import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.natives.call.NativeFunction;

/**
 * What a vendor's library exports, each function by itself: no release has all of them, and one that is missing is told by its name.
 * The library is loaded already when a device is open: libibverbs has done that.
 */
public final class VendorLibrary {
    private final LoadedLibrary library;

    /**
     * A library.
     *
     * @param name what the loader knows it as
     * @param property names another one to load in its place: a path, or a name for the loader
     */
    public VendorLibrary(String name, String property) {
        library = NativeBinding.open(System.getProperty(property, name));
    }

    /** Whether the loaded library has a function. */
    public boolean has(String name) {
        return address(name) != 0;
    }

    /**
     * A function.
     *
     * @param since the release of rdma-core that it came with, for the message
     * @throws VerbsException {@link Errno#ENOSYS} where the loaded library lacks it
     */
    public NativeFunction function(String name, int since) {
        long address = address(name);
        if (address == 0) {
            throw new VerbsException(
                    Errno.ENOSYS,
                    name,
                    "the loaded " + library.describe()
                            + " has no such function; it came with rdma-core " + since
                            + ": install that or a later release");
        }
        return NativeFunction.at(address);
    }

    private long address(String name) {
        return library.address(name);
    }
}

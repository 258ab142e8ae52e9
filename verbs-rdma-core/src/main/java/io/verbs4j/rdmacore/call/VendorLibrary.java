/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.call;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.LoadedLibrary;
import io.verbs4j.natives.call.NativeBinding;
import io.verbs4j.natives.call.NativeFunction;

/**
 * The exports of a vendor's library, looked up one at a time: no release has all of them, and a missing one is reported
 * by name. When a device is open, libibverbs has loaded the library already.
 */
public final class VendorLibrary {
    private final LoadedLibrary library;

    /**
     * Opens a library.
     *
     * @param name its name for the loader
     * @param property names another library to load instead: a path, or a name for the loader
     */
    public VendorLibrary(String name, String property) {
        library = NativeBinding.open(System.getProperty(property, name));
    }

    /** {@return whether the loaded library has a function} */
    public boolean has(String name) {
        return address(name) != 0;
    }

    /**
     * Returns a function.
     *
     * @param since the release of rdma-core that introduced it, for the message
     * @throws VerbsException {@link Errno#ENOSYS} if the loaded library lacks it
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

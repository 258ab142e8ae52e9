/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsObject;
import java.util.List;

/**
 * An open device as the library makes it. What the library needs of it besides is behind the field: the names of methods on
 * handles are the header's.
 */
final class LibraryContext extends Context {
    final Records records = new Records();
    private volatile ContextOps ops;

    LibraryContext(Device device, OpenAttr attr) {
        super(device, attr);
    }

    @Override
    protected ContextOps libraryOps() {
        ContextOps present = ops;
        if (present == null) {
            throw Arguments.invalid(
                    "open_device", records.state + " is not open yet; a provider must not use it before");
        }
        return present;
    }

    /** What the library keeps of an open device, and of each of its handles. */
    final class Records {
        final ObjectState state = new ObjectState(LibraryContext.this, Kind.CONTEXT, List.of());

        private Records() {}

        /** Called once, when the provider has opened the device. */
        void opened(ProviderIdentity provider, ContextOps providerOps) {
            ops = new LibraryOps(LibraryContext.this, new ProviderSide(provider, providerOps));
            put(LibraryContext.this, state);
            state.opened(LibraryContext.this);
        }

        boolean openAttrAccepted() {
            return LibraryContext.openAttrAccepted(LibraryContext.this);
        }

        /** The record of a handle, or null where it has none of this library's. */
        static ObjectState of(VerbsObject handle) {
            return libraryState(handle) instanceof ObjectState s ? s : null;
        }

        static boolean has(VerbsObject handle) {
            return libraryState(handle) != null;
        }

        static void put(VerbsObject handle, ObjectState state) {
            libraryState(handle, state);
        }
    }
}

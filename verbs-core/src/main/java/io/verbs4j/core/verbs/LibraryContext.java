/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextAttr;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.ExtendedContext;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.core.base.ProviderIdentity;
import java.util.List;

/**
 * The library's context. Everything that the library adds is behind the field {@code records}, because names of methods
 * on handles are reserved for the header.
 */
final class LibraryContext extends ExtendedContext {
    final Records records = new Records();
    private final Parties parties;
    private final ContextTable table;
    private volatile ContextOps ops;

    LibraryContext(Device device, OpenAttr attr, Parties parties, ContextTable table) {
        super(device, attr);
        this.parties = parties;
        this.table = table;
    }

    @Override
    protected ContextOps libraryOps() {
        ContextOps present = ops;
        if (present == null) {
            throw Arguments.invalid(
                    "open_device", records.state + " is not open yet; a provider must not use it until then");
        }
        return present;
    }

    @Override
    protected ContextTable table() {
        return table;
    }

    @Override
    protected void queryContext(ContextAttr attr) {
        parties.describe(attr, table);
    }

    /** The library's records of an open device and of each of its handles. */
    final class Records {
        final ObjectState state = new ObjectState(LibraryContext.this, Kind.CONTEXT, List.of());

        private Records() {}

        /** Called once, when the provider has opened the device. */
        void opened(ProviderIdentity provider, ContextOps providerOps) {
            LibraryOps library = new LibraryOps(LibraryContext.this, new ProviderSide(provider, providerOps, table));
            library.fill(table);
            table.seal();
            ops = library;
            put(LibraryContext.this, state);
            state.opened(LibraryContext.this);
        }

        boolean openAttrAccepted() {
            return LibraryContext.openAttrAccepted(LibraryContext.this);
        }

        /** The record of a handle, or null if it has none of this library. */
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

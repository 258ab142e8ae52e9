/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ContextAttr;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.ExtendedContext;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsObject;
import java.util.List;

/** An open device as the library makes it. */
final class LibraryContext extends ExtendedContext {
    private final ObjectState state;
    private final Parties parties;
    private final ContextTable table;
    private volatile ContextOps ops;

    LibraryContext(Device device, OpenAttr attr, Parties parties, ContextTable table) {
        super(device, attr);
        this.parties = parties;
        this.table = table;
        state = new ObjectState(this, Kind.CONTEXT, List.of());
    }

    /** Called once, when the provider has opened the device. */
    void opened(String provider, ContextOps providerOps) {
        LibraryOps library = new LibraryOps(this, new ProviderSide(provider, providerOps, table));
        library.fill(table);
        table.seal();
        ops = library;
        state(this, state);
        state.opened(this);
    }

    @Override
    protected ContextOps libraryOps() {
        ContextOps present = ops;
        if (present == null) {
            throw Arguments.invalid("open_device", state + " is not open yet; a provider must not use it before");
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

    ObjectState state() {
        return state;
    }

    boolean openAttrAccepted() {
        return openAttrAccepted(this);
    }

    /** The record of a handle, or null where it has none of this library's. */
    static ObjectState stateOf(VerbsObject handle) {
        return libraryState(handle) instanceof ObjectState s ? s : null;
    }

    static boolean hasState(VerbsObject handle) {
        return libraryState(handle) != null;
    }

    static void state(VerbsObject handle, ObjectState state) {
        libraryState(handle, state);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.VerbsObject;
import java.util.List;

/** An open device as the library makes it. */
final class LibraryContext extends Context {
    private final ObjectState state;
    private volatile ContextOps ops;

    LibraryContext(Device device) {
        super(device);
        state = new ObjectState(this, Kind.CONTEXT, List.of());
    }

    /** Called once, when the provider has opened the device. */
    void opened(String provider, ContextOps providerOps) {
        ops = new LibraryOps(this, new ProviderSide(provider, providerOps));
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

    ObjectState state() {
        return state;
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

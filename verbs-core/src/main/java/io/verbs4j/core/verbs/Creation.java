/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.VerbsObject;

/**
 * An object that is being created, with its record. It keeps its parents from being closed, from before the provider is
 * called; if the creation fails, closing releases them.
 *
 * <pre>{@code
 * Creation creation = handles.begin(verb, state);
 * try (creation) {
 *     AddressHandle ah = creation.made(side.ops().createAh(pd, attr));
 *     creation.require(ah.pd() == pd, "protection domain");
 *     return creation.done(ah);
 * } catch (Throwable t) {
 *     throw side.failed(verb, t);
 * }
 * }</pre>
 */
final class Creation implements AutoCloseable {
    private final String verb;
    private final Handles handles;
    private final ProviderSide side;
    private final ObjectState state;
    private boolean done;

    /** Call {@link Handles#begin} instead. */
    Creation(String verb, Handles handles, ProviderSide side, ObjectState state) {
        this.verb = verb;
        this.handles = handles;
        this.side = side;
        this.state = state;
    }

    /** Takes a reference to each parent. */
    void refer() {
        int referred = 0;
        try {
            for (ObjectState parent : state.parents()) {
                parent.addChild(verb, state.kind());
                referred++;
            }
        } finally {
            if (referred < state.parents().size()) {
                release(referred);
            }
        }
    }

    private void release(int parents) {
        for (ObjectState parent : state.parents().subList(0, parents)) {
            parent.removeChild(state.kind());
        }
    }

    /** Checks that the provider has returned an object of this context. */
    <T extends VerbsObject> T made(T handle) {
        if (handle == null) {
            throw side.broken(verb, "returned null");
        }
        if (handle.context() != state.owner()) {
            throw side.broken(verb, "returned a " + state.kind() + " of another context");
        }
        return handle;
    }

    /** Refuses a handle with another property than requested. */
    void require(boolean same, String what) {
        if (!same) {
            throw side.broken(verb, "returned a " + state.kind() + " with another " + what);
        }
    }

    /** Completes the creation: gives the handle its record. */
    <T extends VerbsObject> T done(T handle) {
        if (!handles.adopt(handle, state)) {
            throw side.broken(verb, "returned a " + state.kind() + " that it had returned before");
        }
        done = true;
        return handle;
    }

    @Override
    public void close() {
        if (!done) {
            release(state.parents().size());
            state.released();
        }
    }
}

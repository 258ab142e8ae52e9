/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ContextOps;
import io.verbs4j.VerbsObject;
import java.util.function.Consumer;
import java.util.function.Function;

/** Objects of one context: finds the record of a handle, and makes and destroys objects together with their records. */
final class Handles {
    private final LibraryContext context;
    private final ProviderSide side;

    Handles(LibraryContext context, ProviderSide side) {
        this.context = context;
        this.side = side;
    }

    /**
     * The record of a handle that the caller passed. Whether it is open is not looked at: that is for the call that uses
     * it, so that it can't change in between.
     *
     * @param name what the caller knows the argument as
     */
    ObjectState find(String verb, String name, VerbsObject handle) {
        Arguments.notNull(verb, name, handle);
        ObjectState state = LibraryContext.Records.of(handle);
        if (state == null && handle.context() == context) {
            throw Arguments.invalid(verb, name + " was not made by a verb; use what the context's verbs return");
        }
        if (state == null || state.owner() != context) {
            throw Arguments.invalid(
                    verb,
                    name + " belongs to another context than " + context.records.state
                            + "; use objects of one context together");
        }
        return state;
    }

    QueuePairState findQp(String verb, VerbsObject qp) {
        return (QueuePairState) find(verb, "qp", qp);
    }

    /**
     * Makes an object.
     *
     * @param state its record; what that refers to is kept from being closed, from before the provider is called
     * @param make calls the provider
     * @param mismatch tells what is wrong with the handle, or null
     */
    <T extends VerbsObject> T create(
            String verb, ObjectState state, Function<ContextOps, T> make, Function<T, String> mismatch) {
        int referred = 0;
        boolean created = false;
        try {
            for (ObjectState parent : state.parents()) {
                parent.addChild(verb, state.kind());
                referred++;
            }
            T handle = side.call(verb, make);
            adopt(verb, handle, state, mismatch);
            created = true;
            return handle;
        } finally {
            if (!created) {
                state.parents().subList(0, referred).forEach(parent -> parent.removeChild(state.kind()));
            }
        }
    }

    private synchronized <T extends VerbsObject> void adopt(
            String verb, T handle, ObjectState state, Function<T, String> mismatch) {
        if (handle == null) {
            throw side.broken(verb, "returned null");
        }
        if (handle.context() != context) {
            throw side.broken(verb, "returned a " + state.kind() + " of another context");
        }
        if (LibraryContext.Records.has(handle)) {
            throw side.broken(verb, "returned a " + state.kind() + " that it had returned before");
        }
        String wrong = mismatch.apply(handle);
        if (wrong != null) {
            throw side.broken(verb, "returned a " + state.kind() + " with another " + wrong);
        }
        state.opened(handle);
        LibraryContext.Records.put(handle, state);
    }

    void destroy(String verb, String name, VerbsObject handle, Consumer<ContextOps> destroy) {
        find(verb, name, handle).close(verb, () -> side.run(verb, destroy));
    }
}

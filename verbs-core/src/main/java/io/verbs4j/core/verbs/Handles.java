/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextOps;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.base.Arguments;
import java.util.function.Consumer;

/** The objects of one context: finds the record of a handle, and creates and destroys objects with their records. */
final class Handles {
    private final LibraryContext context;
    private final ProviderSide side;

    Handles(LibraryContext context, ProviderSide side) {
        this.context = context;
        this.side = side;
    }

    /**
     * Finds the record of a handle that the caller passed. Does not check whether it is open: the call that uses it
     * does, so that this cannot change in between.
     *
     * @param name the caller's name for the argument
     */
    ObjectState find(String verb, String name, VerbsObject handle) {
        Arguments.notNull(verb, name, handle);
        ObjectState state = LibraryContext.Records.of(handle);
        if (state == null && handle.context() == context) {
            throw Arguments.invalid(verb, name + " was not created by a verb; use what the context's verbs return");
        }
        if (state == null || state.owner() != context) {
            throw Arguments.invalid(
                    verb,
                    name + " belongs to another context, not to " + context.records.state
                            + "; use objects of the same context together");
        }
        return state;
    }

    QueuePairState findQp(String verb, VerbsObject qp) {
        return (QueuePairState) find(verb, "qp", qp);
    }

    /**
     * Begins to create an object.
     *
     * @param state its record; keeps the parents from being closed
     */
    Creation begin(String verb, ObjectState state) {
        Creation creation = new Creation(verb, this, side, state);
        creation.refer();
        return creation;
    }

    /** Gives a handle its record; returns false if it has one. */
    synchronized boolean adopt(VerbsObject handle, ObjectState state) {
        if (LibraryContext.Records.has(handle)) {
            return false;
        }
        state.opened(handle);
        LibraryContext.Records.put(handle, state);
        return true;
    }

    void destroy(String verb, String name, VerbsObject handle, Consumer<ContextOps> destroy) {
        find(verb, name, handle).close(verb, () -> side.run(verb, destroy));
    }
}

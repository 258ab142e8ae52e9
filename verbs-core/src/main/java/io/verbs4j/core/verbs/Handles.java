/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextOps;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.base.Arguments;
import java.util.function.Consumer;

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
     * Begins to make an object.
     *
     * @param state its record; what that refers to is kept from being closed
     */
    Creation begin(String verb, ObjectState state) {
        Creation creation = new Creation(verb, this, side, state);
        creation.refer();
        return creation;
    }

    /** Gives a handle its record; false where it has one. */
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

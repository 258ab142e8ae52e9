/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Containment;
import io.verbs4j.core.base.ProviderIdentity;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The provider's verbs of one context, called through {@link Containment}. */
final class ProviderSide {
    private final ProviderIdentity identity;
    private final String provider;
    private final ContextOps ops;
    private final ContextTable table;

    ProviderSide(ProviderIdentity identity, ContextOps ops, ContextTable table) {
        this.identity = identity;
        provider = identity.name();
        this.ops = ops;
        this.table = table;
    }

    /** The provider's function for an extended verb, or null. Call it like {@link #ops}. */
    <T> T find(int slot, Class<T> type) {
        return type.cast(table.provider(slot));
    }

    /** As {@link #find}, for verbs without a substitute. The header asks before it calls; others may not have. */
    <T> T slot(String verb, int slot, Class<T> type) {
        T function = find(slot, type);
        if (function == null) {
            throw without(verb, "and there is no substitute");
        }
        return function;
    }

    /** The exception for a verb that the provider does not have. */
    VerbsException without(String verb, String why) {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "provider '" + provider + "' does not have this verb, " + why + "; use another device");
    }

    /** The provider's verbs of level 1. Pass what they throw to {@link #failed}. */
    ContextOps ops() {
        return ops;
    }

    /** Converts what a call of the provider threw to the application's exception. */
    VerbsException failed(String verb, Throwable thrown) {
        return Containment.contain(identity, verb, thrown);
    }

    <T> T call(String verb, Function<ContextOps, T> body) {
        try {
            return body.apply(ops);
        } catch (Throwable t) {
            throw failed(verb, t);
        }
    }

    void run(String verb, Consumer<ContextOps> body) {
        try {
            body.accept(ops);
        } catch (Throwable t) {
            throw failed(verb, t);
        }
    }

    /** Asks the provider about an object, which cannot be closed meanwhile; the answer is not null. */
    <T> T ask(String verb, ObjectState state, Supplier<T> body) {
        T answer;
        state.enter(verb);
        try {
            answer = body.get();
        } catch (Throwable t) {
            throw failed(verb, t);
        } finally {
            state.leave();
        }
        if (answer == null) {
            throw broken(verb, "returned null");
        }
        return answer;
    }

    /** Lets the provider change an object, one change at a time. */
    void change(String verb, ObjectState state, Runnable body) {
        state.enterChange(verb);
        try {
            body.run();
        } catch (Throwable t) {
            throw failed(verb, t);
        } finally {
            state.leaveChange();
        }
    }

    VerbsException broken(String verb, String what) {
        return Containment.broken(provider, verb, what, null);
    }
}

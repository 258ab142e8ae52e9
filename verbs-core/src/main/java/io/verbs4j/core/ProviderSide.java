/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ContextOps;
import io.verbs4j.VerbsException;
import java.util.function.Consumer;
import java.util.function.Function;

/** The provider's verbs of one context, to be called through {@link Containment}. */
final class ProviderSide {
    private final ProviderIdentity identity;
    private final String provider;
    private final ContextOps ops;

    ProviderSide(ProviderIdentity identity, ContextOps ops) {
        this.identity = identity;
        provider = identity.name();
        this.ops = ops;
    }

    <T> T call(String verb, Function<ContextOps, T> body) {
        try {
            return body.apply(ops);
        } catch (Throwable t) {
            throw Containment.contain(identity, verb, t);
        }
    }

    void run(String verb, Consumer<ContextOps> body) {
        try {
            body.accept(ops);
        } catch (Throwable t) {
            throw Containment.contain(identity, verb, t);
        }
    }

    VerbsException broken(String verb, String what) {
        return Containment.broken(provider, verb, what, null);
    }
}

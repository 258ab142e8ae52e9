/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

import io.verbs4j.ContextOps;
import io.verbs4j.VerbsException;
import java.util.function.Consumer;
import java.util.function.Function;

/** The provider's verbs of one context, to be called through {@link Containment}. */
final class ProviderSide {
    private final String provider;
    private final ContextOps ops;

    ProviderSide(String provider, ContextOps ops) {
        this.provider = provider;
        this.ops = ops;
    }

    <T> T call(String verb, Function<ContextOps, T> body) {
        try {
            return body.apply(ops);
        } catch (Throwable t) {
            throw Containment.contain(provider, verb, t);
        }
    }

    void run(String verb, Consumer<ContextOps> body) {
        try {
            body.accept(ops);
        } catch (Throwable t) {
            throw Containment.contain(provider, verb, t);
        }
    }

    VerbsException broken(String verb, String what) {
        return Containment.broken(provider, verb, what, null);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import java.lang.invoke.MethodHandles.Lookup;
import java.util.function.Function;

/**
 * Makes a vendor's verbs, whose constructor is hidden from programs and lies in another package than the provider: the static initialiser of
 * their class passes it to {@link #constructor}. Held apart from the provider's classes, so that the initialiser loads none of them. Thread-safe.
 *
 * @param <B> the provider's open context
 * @param <T> the vendor's verbs
 */
public final class VendorVerbs<B, T> {
    private final Lookup lookup;
    private final Class<T> type;
    private volatile Function<B, T> constructor;

    /**
     * For a class of the provider's module.
     *
     * @param lookup of a class in that module
     * @param type the vendor's verbs
     */
    public VendorVerbs(Lookup lookup, Class<T> type) {
        this.lookup = lookup;
        this.type = type;
    }

    /** Sets the constructor; for the class itself. */
    public void constructor(Function<B, T> value) {
        constructor = value;
    }

    /** Makes an instance of an open context. */
    public T make(B base) {
        if (constructor == null) {
            try {
                lookup.ensureInitialized(type);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e); // the class is public
            }
        }
        return constructor.apply(base);
    }
}

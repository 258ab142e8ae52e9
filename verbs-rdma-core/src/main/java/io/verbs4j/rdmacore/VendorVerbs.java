/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import java.lang.invoke.MethodHandles.Lookup;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Creates a vendor's verbs. Their constructor is hidden from programs and in another package than the provider, so the
 * static initialiser of their class passes it to {@link #constructor}. The constructors are kept by class, so that the
 * vendor's package names no class of the provider and its initialiser loads none. Thread-safe.
 */
public final class VendorVerbs {
    private static final ClassValue<AtomicReference<Function<VendorContext, ?>>> CONSTRUCTORS = new ClassValue<>() {
        @Override
        protected AtomicReference<Function<VendorContext, ?>> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    private VendorVerbs() {}

    /** Sets the constructor of the vendor's verbs; called by their class. */
    public static <T> void constructor(Class<T> type, Function<VendorContext, T> value) {
        CONSTRUCTORS.get(type).set(value);
    }

    /**
     * Creates an instance for an open context.
     *
     * @param lookup of a class in the module of the vendor's verbs
     */
    static <T> T make(Lookup lookup, Class<T> type, VendorContext base) {
        AtomicReference<Function<VendorContext, ?>> constructor = CONSTRUCTORS.get(type);
        if (constructor.get() == null) {
            try {
                lookup.ensureInitialized(type);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e); // the class is public
            }
        }
        return type.cast(constructor.get().apply(base));
    }
}

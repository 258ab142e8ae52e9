/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import java.lang.invoke.MethodHandles.Lookup;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Makes a vendor's verbs, whose constructor is hidden from programs and lies in another package than the provider: the static
 * initialiser of their class passes it to {@link #constructor}. Held here by class, so that neither the vendor's package names a
 * class of the provider nor the initialiser loads one. Thread-safe.
 */
public final class VendorVerbs {
    private static final ClassValue<AtomicReference<Function<VendorContext, ?>>> CONSTRUCTORS = new ClassValue<>() {
        @Override
        protected AtomicReference<Function<VendorContext, ?>> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    private VendorVerbs() {}

    /** Sets the constructor of the vendor's verbs; for their class itself. */
    public static <T> void constructor(Class<T> type, Function<VendorContext, T> value) {
        CONSTRUCTORS.get(type).set(value);
    }

    /**
     * Makes an instance of an open context.
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import java.util.function.Supplier;

/**
 * Another way to make what a verb of the library creates. The library knows none of mlx5dv's functions, and is to check the
 * attributes, keep the references and own the handle all the same: so the program's call goes to the library's verb, and when that
 * calls us, on the same thread, we make the thing by the other way.
 */
final class Detour {
    private static final ThreadLocal<Supplier<?>> NEXT = new ThreadLocal<>();

    private Detour() {}

    /** Calls the verb, with another way to make what it creates. */
    static <T> T through(Supplier<T> make, Supplier<T> verb) {
        NEXT.set(make);
        try {
            return verb.get();
        } finally {
            NEXT.remove();
        }
    }

    /** Makes it by the other way where there is one, else by the usual. */
    static <T> T make(Class<T> type, Supplier<? extends T> usual) {
        Supplier<?> other = NEXT.get();
        if (other == null) {
            return usual.get();
        }
        NEXT.remove(); // for one thing only
        return type.cast(other.get());
    }
}

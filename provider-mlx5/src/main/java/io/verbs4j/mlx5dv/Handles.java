/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.rdmacore.memory.Pin;
import java.util.function.Function;

/** Handles of the verbs, as functions of libmlx5 take them: of this context, open, and kept open while they are used. */
final class Handles {
    private Handles() {}

    /**
     * Calls something with the object behind a handle.
     *
     * @param name what the caller knows the handle as
     * @param type of the provider's handle
     * @param pin keeps that open
     */
    static <N, T> T use(
            Mlx5Context base,
            String verb,
            String name,
            VerbsObject handle,
            Class<N> type,
            Function<N, Pin> pin,
            Function<N, T> body) {
        if (handle == null) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is null; pass an open one");
        }
        if (handle.context() != base.context() || !type.isInstance(handle)) {
            throw new VerbsException(
                    Errno.EINVAL, verb, name + " belongs to another context; use objects of one context together");
        }
        N known = type.cast(handle);
        return base.children().use(verb, () -> {
            if (!pin.apply(known).enter()) {
                throw new VerbsException(Errno.EINVAL, verb, name + " is closed; use one that is open");
            }
            try {
                return body.apply(known);
            } finally {
                pin.apply(known).leave();
            }
        });
    }
}

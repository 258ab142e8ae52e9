/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.VerbsObject;
import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.rdmacore.object.IbvObject;
import io.verbs4j.rdmacore.object.OpenHandles;
import java.util.function.Function;

/** Handles of the verbs, as functions of libmlx5 take them: of this context, open, and kept open while they are used. */
final class Handles {
    private Handles() {}

    /**
     * Calls something with the object behind a handle.
     *
     * @param name what the caller knows the handle as
     * @param type of the provider's handle
     * @param object what is behind that
     */
    static <N, I extends IbvObject, T> T use(
            Mlx5Context base,
            String verb,
            String name,
            VerbsObject handle,
            Class<N> type,
            Function<N, I> object,
            Function<I, T> body) {
        return base.children().use(verb, () -> OpenHandles.use(base.context(), verb, name, handle, type, object, body));
    }
}

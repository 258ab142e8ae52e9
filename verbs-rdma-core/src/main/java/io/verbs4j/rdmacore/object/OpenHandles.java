/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import java.util.function.Function;

/** Handles of the verbs, as a vendor's functions take them: of one context, open, and kept open while they are used. */
public final class OpenHandles {
    private OpenHandles() {}

    /**
     * Calls something with the object behind a handle.
     *
     * @param name what the caller knows the handle as
     * @param type of the provider's handle
     * @param object what is behind that
     * @throws VerbsException {@link Errno#EINVAL} where the handle is null, closed or of another context
     */
    public static <N, I extends IbvObject, T> T use(
            Context context,
            String verb,
            String name,
            VerbsObject handle,
            Class<N> type,
            Function<N, I> object,
            Function<I, T> body) {
        if (handle == null) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is null; pass an open one");
        }
        if (handle.context() != context || !type.isInstance(handle)) {
            throw new VerbsException(
                    Errno.EINVAL, verb, name + " belongs to another context; use objects of one context together");
        }
        I known = object.apply(type.cast(handle));
        if (!known.pin().enter()) {
            throw new VerbsException(Errno.EINVAL, verb, name + " is closed; use one that is open");
        }
        try {
            return body.apply(known);
        } finally {
            known.pin().leave();
        }
    }
}

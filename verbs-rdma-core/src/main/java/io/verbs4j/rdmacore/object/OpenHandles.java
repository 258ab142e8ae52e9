/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import java.util.function.Function;

/** Checks handles that vendor functions take: of one context, open, and kept open during the call. */
public final class OpenHandles {
    private OpenHandles() {}

    /**
     * Calls a function with the object behind a handle.
     *
     * @param name the caller's name for the handle
     * @param type class of the provider's handle
     * @param object returns the object behind it
     * @throws VerbsException {@link Errno#EINVAL} if the handle is null, closed or of another context
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/** The way from a context, as the program knows it, to the open device behind it. The header has none, and can't be given one. */
public final class Mlx5Contexts {
    private static final Map<Context, WeakReference<Mlx5Context>> OPENED = new WeakHashMap<>();

    private Mlx5Contexts() {}

    static void opened(Context context, Mlx5Context opened) {
        synchronized (OPENED) {
            OPENED.put(context, new WeakReference<>(opened)); // it refers to the context, which would stay for ever
        }
    }

    /**
     * The device behind a context. It may be closed: {@link Children#use} of {@link Mlx5Context#children()} tells that.
     *
     * @param verb that the exception is to name
     * @throws VerbsException {@link Errno#EINVAL} for null, {@link Errno#EOPNOTSUPP} for a context of another provider
     */
    public static Mlx5Context of(String verb, Context context) {
        if (context == null) {
            throw new VerbsException(Errno.EINVAL, verb, "context is null; pass an open context of an mlx5 device");
        }
        WeakReference<Mlx5Context> found;
        synchronized (OPENED) {
            found = OPENED.get(context);
        }
        Mlx5Context opened = found == null ? null : found.get();
        if (opened == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    context.device() + " was not opened by the provider mlx5; take a device that this provider lists");
        }
        return opened;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * An mlx5-specific send request, for {@link Mlx5Dv#postSend}. Once that has returned, the request can be changed and
 * posted again. Not thread-safe.
 */
public abstract class Mlx5SendRequest {
    private long wrId;
    private int sendFlags;

    Mlx5SendRequest() {}

    /** {@return the id that the request's completion carries} */
    public final long wrId() {
        return wrId;
    }

    /** {@return {@link io.verbs4j.SendFlags} bits} */
    public final int sendFlags() {
        return sendFlags;
    }

    final void name(long id, int flags) {
        wrId = id;
        sendFlags = flags;
    }
}

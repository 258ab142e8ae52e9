/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * A request that the verbs do not have, for {@link Mlx5Dv#postSend}. It can be posted again, changed or not, once that
 * has returned. Not thread-safe.
 */
public abstract class Mlx5SendRequest {
    private long wrId;
    private int sendFlags;

    Mlx5SendRequest() {}

    /** {@return what the completion names the request by} */
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Attributes for opening a ConnectX, for {@link io.verbs4j.OpenAttr#vendor(Object)}. Since rdma-core 21. Not
 * thread-safe. Source: mlx5dv_open_device(3), {@code struct mlx5dv_context_attr}.
 */
public final class Mlx5OpenAttr {
    /**
     * Flag: fail to open without DevX. Without the flag, a device is opened with DevX if possible, since rdma-core 29.
     */
    public static final int DEVX = 1 << 0;

    private int flags;

    /** Creates attributes without flags. */
    public Mlx5OpenAttr() {}

    /** {@return the flags} */
    public int flags() {
        return flags;
    }

    /**
     * Sets the flags. Unknown flags are refused at open with {@link io.verbs4j.Errno#EOPNOTSUPP}.
     *
     * @param value {@link #DEVX}, or 0
     * @return this
     */
    public Mlx5OpenAttr flags(int value) {
        flags = value;
        return this;
    }
}

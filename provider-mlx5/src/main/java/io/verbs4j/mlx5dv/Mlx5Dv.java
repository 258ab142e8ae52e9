/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.provider.mlx5.Mlx5Contexts;
import io.verbs4j.rdmacore.NativeDevice;

/**
 * What an open ConnectX has beyond the verbs. All methods may be called from any thread; after the context is closed they answer
 * {@link Errno#EINVAL}. Source: mlx5dv(7).
 */
public final class Mlx5Dv {
    private final Mlx5Context base;

    private Mlx5Dv(Mlx5Context base) {
        this.base = base;
    }

    /**
     * Whether libmlx5 drives a device. Source: mlx5dv_is_supported(3).
     *
     * @param device a device that the library has listed
     * @return true for a ConnectX or BlueField
     */
    public static boolean isSupported(Device device) {
        return device instanceof NativeDevice known && known.isMlx5();
    }

    /**
     * The direct verbs of an open device. Costs nothing worth keeping the instance for.
     *
     * @param context an open context of a device that is {@linkplain #isSupported(Device) supported}
     * @return its direct verbs
     * @throws VerbsException {@link Errno#EOPNOTSUPP} for a context of another provider; {@link Errno#EINVAL} for null, and
     *     where the context is closed
     */
    public static Mlx5Dv of(Context context) {
        Mlx5Context base = Mlx5Contexts.of("mlx5dv", context);
        return base.children().use("mlx5dv", () -> new Mlx5Dv(base));
    }

    /**
     * The context that these are the direct verbs of.
     *
     * @return the context that was given to {@link #of}
     */
    public Context context() {
        return base.context();
    }
}

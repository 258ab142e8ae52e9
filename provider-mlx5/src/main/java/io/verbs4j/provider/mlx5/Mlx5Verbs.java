/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.rdmacore.VendorVerbs;
import java.lang.invoke.MethodHandles;

/** Makes the typed API of a device, whose constructors programs do not see. */
public final class Mlx5Verbs {
    /** Makes mlx5dv. */
    public static final VendorVerbs<Mlx5Context, Mlx5Dv> DV = new VendorVerbs<>(MethodHandles.lookup(), Mlx5Dv.class);

    /** Makes DevX. */
    public static final VendorVerbs<Mlx5Context, Devx> DEVX = new VendorVerbs<>(MethodHandles.lookup(), Devx.class);

    /** Makes the steering of packets. */
    public static final VendorVerbs<Mlx5Context, Steering> STEERING =
            new VendorVerbs<>(MethodHandles.lookup(), Steering.class);

    private Mlx5Verbs() {}
}

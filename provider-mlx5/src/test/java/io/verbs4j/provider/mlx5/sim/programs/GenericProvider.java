/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;

/**
 * Stands in for the generic provider, which would leave devices alone that mlx5's provider claims. Takes nothing before
 * {@link #use}.
 */
public final class GenericProvider extends NativeProvider {
    private static boolean used;

    /** For {@link java.util.ServiceLoader}. */
    public GenericProvider() {}

    /** Makes it take the devices instead of mlx5's provider. Must be called before anything else of the library. */
    static void use() {
        used = true;
        System.setProperty("io.verbs4j.exclude", Mlx5Provider.class.getName());
    }

    @Override
    public String name() {
        return Mlx5Rig.GENERIC;
    }

    @Override
    public boolean takes(NativeDevice device) {
        return used;
    }
}

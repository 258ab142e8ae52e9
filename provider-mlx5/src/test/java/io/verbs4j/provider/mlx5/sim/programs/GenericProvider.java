/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;

/**
 * Stands in for the provider of devices that no other one knows, which leaves alone what mlx5's claims. Takes nothing
 * before it is told to.
 */
public final class GenericProvider extends NativeProvider {
    private static boolean used;

    /** For {@link java.util.ServiceLoader}. */
    public GenericProvider() {}

    /** Has it take the devices instead of mlx5's provider. Has to come before anything is asked of the library. */
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

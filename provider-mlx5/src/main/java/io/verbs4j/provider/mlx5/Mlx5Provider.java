/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Context;
import io.verbs4j.rdmacore.DataPath;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;
import io.verbs4j.rdmacore.quirk.Driver;

/** The provider of NVIDIA ConnectX and BlueField devices that libmlx5 drives. */
public final class Mlx5Provider extends NativeProvider {
    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public Mlx5Provider() {}

    @Override
    public String name() {
        return "mlx5";
    }

    @Override
    public boolean takes(NativeDevice device) {
        return device.kernel.driver() == Driver.MLX5;
    }

    @Override
    protected NativeContext context(NativeDevice device, Context context) {
        return Mlx5Context.of(device, context, DataPath.ofProperties(name()));
    }
}

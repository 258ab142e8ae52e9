/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.Context;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;
import java.util.Locale;
import java.util.Optional;

/** The provider of NVIDIA ConnectX and BlueField devices that libmlx5 drives. */
public final class Mlx5Provider extends NativeProvider {
    private static final String VENDOR = "pci:v000015b3d";

    /** The first of the vendor's device ids that libmlx5 drives; those below are ConnectX-3 and older. */
    private static final int FIRST_DEVICE = 0x1011;

    /** For {@link java.util.ServiceLoader}. */
    public Mlx5Provider() {}

    @Override
    public String name() {
        return "mlx5";
    }

    /** By PCI id and, where the kernel tells it, by driver; a device can bear any name. */
    @Override
    public boolean takes(NativeDevice device) {
        Optional<String> id = device.attribute("device/modalias").map(s -> s.toLowerCase(Locale.ROOT));
        boolean driver = device.attribute("device/uevent")
                .flatMap(text ->
                        text.lines().filter(l -> l.startsWith("DRIVER=")).findFirst())
                .map(line -> line.equals("DRIVER=mlx5_core"))
                .orElse(true);
        return driver && id.filter(Mlx5Provider::isConnectX).isPresent();
    }

    private static boolean isConnectX(String modalias) {
        return modalias.startsWith(VENDOR)
                && modalias.length() >= VENDOR.length() + 8
                && Integer.parseUnsignedInt(modalias.substring(VENDOR.length(), VENDOR.length() + 8), 16)
                        >= FIRST_DEVICE;
    }

    @Override
    protected NativeContext context(NativeDevice device, Context context) {
        return new Mlx5Context(device, context, DataPath.ofProperties());
    }
}

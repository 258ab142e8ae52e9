/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Device;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.DeviceLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A device that libibverbs lists. Immutable. */
public final class NativeDevice extends Device {
    private static final int NAME_MAX = 64;
    private static final int PATH_MAX = 256;

    private static final Pattern MLX5 = Pattern.compile("(?i)pci:v000015B3d([0-9A-F]{8})");

    /** The first of the vendor's device ids that libmlx5 drives; those below are ConnectX-3 and older. */
    private static final int FIRST_MLX5 = 0x1011;

    private final String uverbsName;
    private final Path sysfs;
    private final boolean softRoce;
    private final boolean mlx5;

    private NativeDevice(long device) {
        super(
                NativeMemory.getString(device + DeviceLayout.NAME, NAME_MAX),
                NativeMemory.fromNetwork(Libibverbs.ibv_get_device_guid(device)),
                NativeMemory.getInt(device + DeviceLayout.NODE_TYPE),
                NativeMemory.getInt(device + DeviceLayout.TRANSPORT_TYPE));
        uverbsName = NativeMemory.getString(device + DeviceLayout.DEV_NAME, NAME_MAX);
        sysfs = Path.of(NativeMemory.getString(device + DeviceLayout.IBDEV_PATH, PATH_MAX));
        softRoce = attribute("parent").isPresent();
        mlx5 = hasMlx5Driver();
    }

    /** Reads a {@code struct ibv_device} of a list that was not freed yet. */
    static NativeDevice of(long device) {
        return new NativeDevice(device);
    }

    /** The name of the kernel's character device, for instance {@code uverbs0}. */
    public String uverbsName() {
        return uverbsName;
    }

    /**
     * What the kernel says about the device.
     *
     * @param name name of a file below the device's folder in sysfs, for instance {@code device/modalias}
     * @return its text without white space around it, or nothing where there is no such file
     */
    public Optional<String> attribute(String name) {
        try {
            return Optional.of(Files.readString(sysfs.resolve(name)).strip());
        } catch (IOException e) {
            return Optional.empty(); // not every device has every file
        }
    }

    /** Whether it is one of the kernel's rdma_rxe. Only that has a file for its network interface; names can be changed by anybody. */
    public boolean isSoftRoce() {
        return softRoce;
    }

    /** Whether libmlx5 drives it: by PCI id and, where the kernel tells it, by driver. */
    public boolean isMlx5() {
        return mlx5;
    }

    private boolean hasMlx5Driver() {
        boolean driver = attribute("device/uevent")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("DRIVER=")).findFirst())
                .map(line -> line.equals("DRIVER=mlx5_core"))
                .orElse(true);
        return driver
                && attribute("device/modalias")
                        .map(MLX5::matcher)
                        .filter(NativeDevice::isMlx5)
                        .isPresent();
    }

    private static boolean isMlx5(Matcher modalias) {
        return modalias.lookingAt() && Integer.parseUnsignedInt(modalias.group(1), 16) >= FIRST_MLX5;
    }

    /** Whether this is the same device as another, from another listing. */
    boolean isSame(NativeDevice other) {
        return name().equals(other.name())
                && guid() == other.guid()
                && uverbsName.equals(other.uverbsName)
                && sysfs.equals(other.sysfs);
    }
}

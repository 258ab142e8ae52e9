/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.DeviceKind;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.DeviceLayout;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel tells of a device. Immutable. */
public final class KernelDevice {
    private static final int NAME_MAX = 64;
    private static final int PATH_MAX = 256;

    /** Apart, as most machines have no device to match. */
    private static final class Modalias {
        static final Pattern EFA = Pattern.compile("(?i)pci:v00001D0Fd0000EFA[0-9A-F].*", Pattern.DOTALL);
        static final Pattern GAUDI = Pattern.compile("(?i)pci:v00001DA3d.*", Pattern.DOTALL);
        static final Pattern MLX5 = Pattern.compile("(?i)pci:v000015B3d([0-9A-F]{8})");
    }

    /** The first of the vendor's device ids that libmlx5 drives; those below are ConnectX-3 and older. */
    private static final int FIRST_MLX5 = 0x1011;

    /** What siw describes its devices by, before the interface's name. */
    private static final String SIW = "Software iWARP";

    private final String uverbsName;
    private final Path sysfs;
    private final boolean softRoce;
    private final boolean mlx5;
    private final boolean efa;
    private final boolean gaudi;

    /** Of a {@code struct ibv_device} of a list that was not freed yet. */
    KernelDevice(long device) {
        this(
                NativeMemory.getString(device + DeviceLayout.DEV_NAME, NAME_MAX),
                Path.of(NativeMemory.getString(device + DeviceLayout.IBDEV_PATH, PATH_MAX)));
    }

    /** Of a folder of sysfs. */
    KernelDevice(String uverbsName, Path sysfs) {
        this.uverbsName = uverbsName;
        this.sysfs = sysfs;
        softRoce = attribute("parent").isPresent();
        mlx5 = hasDriver("mlx5_core") && hasModalias(Modalias.MLX5, KernelDevice::isMlx5);
        efa = hasDriver("efa") && hasModalias(Modalias.EFA, Matcher::matches);
        gaudi = hasModalias(Modalias.GAUDI, Matcher::matches);
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

    /** Whether libefa drives it: by PCI id and, where the kernel tells it, by driver. */
    public boolean isEfa() {
        return efa;
    }

    /**
     * Whether libhbl drives it: by PCI vendor. The number that tells drivers apart is no help: newer kernels gave Gaudi's to
     * another one.
     */
    public boolean isGaudi() {
        return gaudi;
    }

    /** Whether the kernel has a device, whether or not there is a library for it. */
    public static boolean isThere(Predicate<KernelDevice> wanted) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder("infiniband"))) {
            for (Path entry : entries) {
                if (wanted.test(new KernelDevice("", entry))) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            return false; // no class of devices, or none that can be listed
        }
    }

    /** A class of devices in sysfs; libibverbs heeds the same variable. */
    static Path folder(String name) {
        String sysfs = System.getenv("SYSFS_PATH");
        return Path.of(sysfs == null || sysfs.isEmpty() ? "/sys" : sysfs, "class", name);
    }

    /** KERNEL where it has no hardware of its own, and for rdma_rxe and siw, whose parent may be the network's. */
    int kind() {
        boolean software = softRoce
                || !Files.exists(sysfs.resolve("device"))
                || attribute("node_desc").filter(text -> text.startsWith(SIW)).isPresent();
        return software ? DeviceKind.KERNEL : DeviceKind.HARDWARE;
    }

    private boolean hasDriver(String name) {
        return attribute("device/uevent")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("DRIVER=")).findFirst())
                .map(line -> line.equals("DRIVER=" + name))
                .orElse(true);
    }

    private boolean hasModalias(Pattern pattern, Predicate<Matcher> fits) {
        return attribute("device/modalias").map(pattern::matcher).filter(fits).isPresent();
    }

    private static boolean isMlx5(Matcher modalias) {
        return modalias.lookingAt() && Integer.parseUnsignedInt(modalias.group(1), 16) >= FIRST_MLX5;
    }

    /** Whether this is the same as another, from another listing. */
    boolean isSame(KernelDevice other) {
        return uverbsName.equals(other.uverbsName) && sysfs.equals(other.sysfs);
    }
}

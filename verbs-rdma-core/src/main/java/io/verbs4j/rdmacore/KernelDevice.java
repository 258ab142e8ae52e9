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

/** What the kernel reports about a device. Immutable. */
public final class KernelDevice {
    private static final int NAME_MAX = 64;
    private static final int PATH_MAX = 256;

    /** A class of its own, because most machines have no device to match. */
    private static final class Modalias {
        static final Pattern EFA = Pattern.compile("(?i)pci:v00001D0Fd0000EFA[0-9A-F].*", Pattern.DOTALL);
        static final Pattern GAUDI = Pattern.compile("(?i)pci:v00001DA3d.*", Pattern.DOTALL);
        static final Pattern MLX5 = Pattern.compile("(?i)pci:v000015B3d([0-9A-F]{8})");
    }

    /** First device id of the vendor that libmlx5 drives; lower ones are ConnectX-3 and older. */
    private static final int FIRST_MLX5 = 0x1011;

    /** Prefix of the description of siw's devices; the name of the network interface follows. */
    private static final String SIW = "Software iWARP";

    private final String uverbsName;
    private final Path sysfs;
    private final boolean softRoce;
    private final boolean mlx5;
    private final boolean efa;
    private final boolean gaudi;

    /** Reads a {@code struct ibv_device} of a list that has not been freed. */
    KernelDevice(long device) {
        this(
                NativeMemory.getString(device + DeviceLayout.DEV_NAME, NAME_MAX),
                Path.of(NativeMemory.getString(device + DeviceLayout.IBDEV_PATH, PATH_MAX)));
    }

    /** Reads a directory of sysfs. */
    KernelDevice(String uverbsName, Path sysfs) {
        this.uverbsName = uverbsName;
        this.sysfs = sysfs;
        softRoce = attribute("parent").isPresent();
        mlx5 = hasDriver("mlx5_core") && hasModalias(Modalias.MLX5, KernelDevice::isMlx5);
        efa = hasDriver("efa") && hasModalias(Modalias.EFA, Matcher::matches);
        gaudi = hasModalias(Modalias.GAUDI, Matcher::matches);
    }

    /** {@return the name of the kernel's character device, for instance {@code uverbs0}} */
    public String uverbsName() {
        return uverbsName;
    }

    /**
     * Returns an attribute of the device.
     *
     * @param name path of a file below the device's directory in sysfs, for instance {@code device/modalias}
     * @return its text without surrounding white space, or empty if there is no such file
     */
    public Optional<String> attribute(String name) {
        try {
            return Optional.of(Files.readString(sysfs.resolve(name)).strip());
        } catch (IOException e) {
            return Optional.empty(); // not every device has every file
        }
    }

    /**
     * Returns whether the device belongs to the kernel's rdma_rxe. Only that driver has a file for its network
     * interface; the name proves nothing, because it can be changed.
     */
    public boolean isSoftRoce() {
        return softRoce;
    }

    /** {@return whether libmlx5 drives the device, judged by PCI id and, if the kernel reports it, by driver} */
    public boolean isMlx5() {
        return mlx5;
    }

    /** {@return whether libefa drives the device, judged by PCI id and, if the kernel reports it, by driver} */
    public boolean isEfa() {
        return efa;
    }

    /**
     * Returns whether libhbl drives the device, judged by PCI vendor. The kernel's driver number does not help: newer
     * kernels gave Gaudi's number to another driver.
     */
    public boolean isGaudi() {
        return gaudi;
    }

    /** {@return whether the kernel has such a device, even if no library drives it} */
    public static boolean isThere(Predicate<KernelDevice> wanted) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder("infiniband"))) {
            for (Path entry : entries) {
                if (wanted.test(new KernelDevice("", entry))) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            return false; // the class does not exist or cannot be listed
        }
    }

    /** {@return the directory of a device class in sysfs; libibverbs respects the same variable} */
    static Path folder(String name) {
        String sysfs = System.getenv("SYSFS_PATH");
        return Path.of(sysfs == null || sysfs.isEmpty() ? "/sys" : sysfs, "class", name);
    }

    /**
     * Returns KERNEL for a device without hardware of its own, and for rdma_rxe and siw, whose parent may be a network
     * device; otherwise HARDWARE.
     */
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

    /** {@return whether this is the same device as one from another listing} */
    boolean isSame(KernelDevice other) {
        return uverbsName.equals(other.uverbsName) && sysfs.equals(other.sysfs);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.DeviceKind;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.DeviceLayout;
import io.verbs4j.rdmacore.quirk.Driver;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What the kernel reports about a device. Immutable. */
public final class KernelDevice {
    private static final int NAME_MAX = 64;
    private static final int PATH_MAX = 256;

    private final String uverbsName;
    private final Path sysfs;
    private final Driver driver;

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
        driver = Driver.of(this::attribute);
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

    /** {@return the device's driver} */
    public Driver driver() {
        return driver;
    }

    /** {@return whether the kernel has a device of a driver, even if no library drives it} */
    public static boolean isThere(Driver wanted) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder("infiniband"))) {
            for (Path entry : entries) {
                if (new KernelDevice("", entry).driver() == wanted) {
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

    /** {@return KERNEL for a device without hardware of its own, otherwise HARDWARE} */
    int kind() {
        boolean software = !Files.exists(sysfs.resolve("device")) || driver.isSoftware(this::attribute);
        return software ? DeviceKind.KERNEL : DeviceKind.HARDWARE;
    }

    /** {@return whether this is the same device as one from another listing} */
    boolean isSame(KernelDevice other) {
        return uverbsName.equals(other.uverbsName) && sysfs.equals(other.sysfs);
    }
}

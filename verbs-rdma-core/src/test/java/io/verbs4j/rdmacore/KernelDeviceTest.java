/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.DeviceKind;
import io.verbs4j.rdmacore.quirk.Driver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recognition of a device's driver from sysfs. */
class KernelDeviceTest {
    @TempDir
    Path sysfs;

    private void file(String name, String text) throws IOException {
        Files.createDirectories(sysfs.resolve(name).getParent());
        Files.writeString(sysfs.resolve(name), text + "\n");
    }

    private KernelDevice device() {
        return new KernelDevice("uverbs0", sysfs);
    }

    @Test
    void mlx5AdapterIsRecognized() throws IOException {
        file("device/uevent", "DRIVER=mlx5_core\nPCI_CLASS=20700");
        file("device/modalias", "pci:v000015B3d0000101Dsv000015B3sd00000083bc02sc07i00");
        file("node_desc", "somebody's words");
        assertThat(device().kind()).isEqualTo(DeviceKind.HARDWARE);
        assertThat(device().driver()).isEqualTo(Driver.MLX5);
        assertThat(device().driver()).isNotEqualTo(Driver.RXE);
    }

    @Test
    void efaIsRecognized() throws IOException {
        file("device/uevent", "DRIVER=efa\nPCI_CLASS=20000");
        for (String part : new String[] {"EFA0", "EFA1", "EFA2", "EFA3", "EFA4"}) {
            file("device/modalias", "pci:v00001D0Fd0000" + part + "sv00001D0Fsd0000" + part + "bc02sc00i00");
            assertThat(device().driver()).isEqualTo(Driver.EFA);
            assertThat(device().driver()).isNotEqualTo(Driver.MLX5);
        }
        assertThat(device().kind()).isEqualTo(DeviceKind.HARDWARE);
    }

    /** The vendor's network adapter, an EFA with another driver, and another vendor's adapter. */
    @Test
    void otherDevicesAreNotTakenForEfa() throws IOException {
        file("device/uevent", "DRIVER=efa");
        file("device/modalias", "pci:v00001D0Fd0000EC20sv00001D0Fsd0000EC20bc02sc00i00");
        assertThat(device().driver()).isNotEqualTo(Driver.EFA);
        file("device/modalias", "pci:v000015B3d0000EFA1sv000015B3sd00000083bc02sc07i00");
        assertThat(device().driver()).isNotEqualTo(Driver.EFA);
        file("device/modalias", "pci:v00001D0Fd0000EFA1sv00001D0Fsd0000EFA1bc02sc00i00");
        assertThat(device().driver()).isEqualTo(Driver.EFA);
        file("device/uevent", "DRIVER=vfio-pci");
        assertThat(device().driver()).isNotEqualTo(Driver.EFA);
    }

    /**
     * Any model, with any driver for the NICs, because the driver's name has changed. An Ethernet adapter with the same
     * number is not one.
     */
    @Test
    void gaudiIsRecognized() throws IOException {
        file("device/modalias", "pci:v00001DA3d00001020sv00001DA3sd00001020bc12sc00i00");
        file("device/uevent", "DRIVER=habanalabs");
        assertThat(device().driver()).isEqualTo(Driver.GAUDI);
        assertThat(device().driver()).isNotEqualTo(Driver.EFA);
        assertThat(device().kind()).isEqualTo(DeviceKind.HARDWARE);
        file("device/modalias", "pci:v00001DD8d00001020sv00001DA3sd00001020bc12sc00i00");
        assertThat(device().driver()).isNotEqualTo(Driver.GAUDI);
    }

    /** Older kernels give these devices the parent of their network interface, which may be an adapter. */
    @Test
    void softwareDeviceOverAdapterIsOfKernel() throws IOException {
        file("device/uevent", "DRIVER=e1000");
        file("node_desc", "Software iWARP stack");
        assertThat(device().kind()).isEqualTo(DeviceKind.KERNEL);
        file("node_desc", "rxe");
        file("parent", "eth0");
        assertThat(device().kind()).isEqualTo(DeviceKind.KERNEL);
        assertThat(device().driver()).isEqualTo(Driver.RXE);
    }

    /** On older kernels, which report the adapter's PCI id for the device as well. */
    @Test
    void softRoceOverAdapterIsNotTakenForAdapter() throws IOException {
        file("device/uevent", "DRIVER=mlx5_core");
        file("device/modalias", "pci:v000015B3d0000101Dsv000015B3sd00000083bc02sc00i00");
        assertThat(device().driver()).isEqualTo(Driver.MLX5);
        file("parent", "eth0");
        assertThat(device().driver()).isEqualTo(Driver.RXE);
        assertThat(device().kind()).isEqualTo(DeviceKind.KERNEL);
    }

    @Test
    void olderAdapterOfSameVendorIsNotRecognized() throws IOException {
        file("device/modalias", "pci:v000015B3d00001007sv000015B3sd00000083bc02sc00i00");
        assertThat(device().driver()).isEqualTo(Driver.OTHER);
        file("device/modalias", "pci:v000015B3d00001011sv000015B3sd00000083bc02sc00i00");
        assertThat(device().driver()).isEqualTo(Driver.MLX5);
    }

    @Test
    void deviceWithoutHardwareIsOfKernel() throws IOException {
        file("node_desc", "something new");
        assertThat(device().kind()).isEqualTo(DeviceKind.KERNEL);
        assertThat(device().driver()).isNotEqualTo(Driver.MLX5);
    }
}

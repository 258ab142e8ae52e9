/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Device;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.call.Libibverbs;
import io.verbs4j.rdmacore.layout.DeviceLayout;

/** A device that libibverbs lists. Immutable. */
public final class NativeDevice extends Device {
    private static final int NAME_MAX = 64;

    /** What the kernel reports about the device. */
    public final KernelDevice kernel;

    /** Reads a {@code struct ibv_device} of a list that has not been freed. */
    NativeDevice(long device) {
        this(device, new KernelDevice(device));
    }

    private NativeDevice(long device, KernelDevice kernel) {
        super(
                NativeMemory.getString(device + DeviceLayout.NAME, NAME_MAX),
                NativeMemory.fromNetwork(Libibverbs.ibv_get_device_guid(device)),
                NativeMemory.getInt(device + DeviceLayout.NODE_TYPE),
                NativeMemory.getInt(device + DeviceLayout.TRANSPORT_TYPE),
                kernel.kind());
        this.kernel = kernel;
    }
}

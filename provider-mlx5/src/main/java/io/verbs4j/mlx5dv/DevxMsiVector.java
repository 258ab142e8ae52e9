/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDevxMsiVectorLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * An interrupt of the device, for an event queue that the program reads. libmlx5 supports these only where it drives
 * the device itself, through VFIO; with the kernel's driver it fails with {@link Errno#EOPNOTSUPP}. Since rdma-core 40.
 * Thread-safe. Source: mlx5dv_devx_alloc_msi_vector(3).
 */
public final class DevxMsiVector extends DvHandle {
    static final String KIND = "MSI vector";

    private final long address;
    private final int vector;
    private final int fd;

    DevxMsiVector(VendorContext base, long address) {
        super(base, KIND);
        this.address = address;
        vector = NativeMemory.getInt(address + DvDevxMsiVectorLayout.VECTOR);
        fd = NativeMemory.getInt(address + DvDevxMsiVectorLayout.FD);
    }

    /** {@return the number that the command for an event queue names the interrupt by, from 0} */
    public int vector() {
        return vector;
    }

    /** {@return an eventfd that signals the interrupt, open until this is closed} */
    public int fd() {
        return fd;
    }

    @Override
    void destroy() {
        Answers.check(
                "mlx5dv_devx_free_msi_vector",
                Libmlx5.function("mlx5dv_devx_free_msi_vector", 40).call(address));
    }
}

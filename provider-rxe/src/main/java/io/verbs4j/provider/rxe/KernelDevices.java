/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;
import io.verbs4j.rdmacore.quirk.Driver;

/**
 * The devices of the kernel's rdma_rxe, through libibverbs. They keep their kernel names and use the native driver's
 * data path, because every post ends in a system call anyway.
 */
public final class KernelDevices extends NativeProvider {
    /** For {@link java.util.ServiceLoader}, as a claim. */
    public KernelDevices() {}

    @Override
    public String name() {
        return "rxe";
    }

    @Override
    public boolean takes(NativeDevice device) {
        return device.kernel.driver() == Driver.RXE;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDevxUmemLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory that DevX commands can name by its number: for queues, doorbell records and memory keys. A registered buffer
 * stays reachable until this is closed, even if the program drops both. Thread-safe. Source: mlx5dv_devx_umem_reg(3).
 */
public final class DevxUmem extends DvHandle {
    static final String KIND = "DevX memory";

    /** Registrations that hold a buffer: the device may access it whether or not the program still references it. */
    private static final Set<DevxUmem> REGISTERED = ConcurrentHashMap.newKeySet();

    private final long address;
    private final int umemId;
    private final boolean imported;

    @SuppressWarnings("unused") // only kept reachable
    private final Object memory;

    DevxUmem(VendorContext base, long address, Object memory, boolean imported) {
        super(base, KIND);
        this.address = address;
        this.memory = memory;
        this.imported = imported;
        umemId = NativeMemory.getInt(address + DvDevxUmemLayout.UMEM_ID);
        if (memory != null) {
            REGISTERED.add(this);
        }
    }

    /** {@return the number that commands of this context name the memory by, valid until close} */
    public int umemId() {
        return umemId;
    }

    /**
     * Exports the memory: returns what another process needs to use it in commands, once that process has this
     * context's descriptor. Since rdma-core 63. Source: mlx5dv_devx_umem_export(3).
     *
     * @return bytes for {@link Devx#importUmem}, valid for the same release of libmlx5 only
     * @throws VerbsException {@link Errno#ENOSYS} with an older libmlx5; {@link Errno#EINVAL} after close
     */
    public byte[] export() {
        return use(
                "mlx5dv_devx_umem_export",
                () -> DevxExports.export("mlx5dv_devx_umem_export", address, DevxExports.umemSize()));
    }

    @Override
    void destroy() {
        if (imported) {
            Libmlx5.function("mlx5dv_devx_umem_unimport", 63).call(address);
        } else {
            Answers.check(
                    "mlx5dv_devx_umem_dereg",
                    Libmlx5.function("mlx5dv_devx_umem_dereg", 21).call(address));
        }
        REGISTERED.remove(this);
    }
}

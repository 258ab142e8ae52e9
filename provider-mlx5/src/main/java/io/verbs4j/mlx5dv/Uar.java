/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvContext;
import io.verbs4j.provider.mlx5.layout.DvDevxUarLayout;
import io.verbs4j.rdmacore.OwnedFd;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A page of doorbell registers. Its addresses are valid until {@link #close}. Close it before its context. Thread-safe.
 * Source: mlx5dv_devx_alloc_uar(3).
 */
public final class Uar extends DvHandle {
    private static final String KIND = "register page";
    private static final String FREE = "mlx5dv_devx_free_uar";

    private final long uar;
    private final int pageId;
    private final long regAddress;
    private final long baseAddress;
    private final long mmapOffset;

    private Uar(VendorContext base, long uar) {
        super(base, KIND);
        this.uar = uar;
        pageId = NativeMemory.getInt(uar + DvDevxUarLayout.PAGE_ID);
        regAddress = NativeMemory.getLong(uar + DvDevxUarLayout.REG_ADDR);
        baseAddress = NativeMemory.getLong(uar + DvDevxUarLayout.BASE_ADDR);
        mmapOffset = NativeMemory.getLong(uar + DvDevxUarLayout.MMAP_OFF);
    }

    static Uar alloc(DvContext base, long type) {
        String verb = "mlx5dv_devx_alloc_uar";
        if (type != UarType.BF && type != UarType.NC && type != UarType.NC_DEDICATED) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "type is 0x" + Long.toHexString(type) + "; use one of UarType");
        }
        return make(
                base,
                verb,
                KIND,
                () -> new Uar(
                        base,
                        Answers.checkPointer(verb, Libmlx5.function(verb, 21).call(base.address(), type))));
    }

    /**
     * Returns the device's number of the page.
     *
     * @return the number
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public int pageId() {
        return use("mlx5dv_devx_uar", () -> pageId);
    }

    /**
     * Returns the address of the first doorbell register.
     *
     * @return the address, within the page; writable, not readable
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public long regAddress() {
        return use("mlx5dv_devx_uar", () -> regAddress);
    }

    /**
     * Returns the address of the page.
     *
     * @return the address
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public long baseAddress() {
        return use("mlx5dv_devx_uar", () -> baseAddress);
    }

    /**
     * Returns the offset of the page in the device file.
     *
     * @return the offset, for mmap(2)
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public long mmapOffset() {
        return use("mlx5dv_devx_uar", () -> mmapOffset);
    }

    /**
     * Exports the page, so that another device can ring its registers: the dma-buf is the whole page, and the first
     * register lies in it at {@link #regAddress} - {@link #baseAddress}. The descriptor does not keep the page: close
     * it first. Since rdma-core 62. Source: mlx5dv_devx_uar_export_dmabuf_fd(3).
     *
     * @return a descriptor of a dma-buf, which the program closes
     * @throws VerbsException {@link Errno#ENOSYS} with an older libmlx5; {@link Errno#EOPNOTSUPP} if the kernel cannot
     *     export pages; {@link Errno#EINVAL} after close
     */
    public ExportedFd exportDmabufFd() {
        String verb = "mlx5dv_devx_uar_export_dmabuf_fd";
        return use(verb, () -> OwnedFd.checked(verb, Libmlx5.function(verb, 62).call(uar)));
    }

    @Override
    void destroy() {
        Libmlx5.function(FREE, 21).call(uar);
    }
}

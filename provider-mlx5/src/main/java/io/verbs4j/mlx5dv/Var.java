/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvContext;
import io.verbs4j.provider.mlx5.layout.DvVarLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.layout.ContextLayout;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A page of doorbells for the emulation of virtio devices, mapped into this process. Its address is valid until
 * {@link #close}. Close it before its context. Thread-safe. Source: mlx5dv_alloc_var(3).
 */
public final class Var extends DvHandle {
    private static final String KIND = "virtio doorbell page";
    private static final String ALLOC = "mlx5dv_alloc_var";
    private static final String FREE = "mlx5dv_free_var";

    private final long dv;
    private final int pageId;
    private final int length;
    private final long mmapOffset;
    private final long address;

    private Var(VendorContext base, long dv) {
        super(base, KIND);
        this.dv = dv;
        pageId = NativeMemory.getInt(dv + DvVarLayout.PAGE_ID);
        length = NativeMemory.getInt(dv + DvVarLayout.LENGTH);
        mmapOffset = NativeMemory.getLong(dv + DvVarLayout.MMAP_OFF);
        int file = NativeMemory.getInt(base.address() + ContextLayout.CMD_FD);
        address = Libc.mmap(0, length, Libc.PROT_READ_WRITE, Libc.MAP_SHARED, file, mmapOffset);
        if (address == -1) {
            int errno = Libc.errno();
            Libmlx5.function(FREE, 28).call(dv);
            throw Answers.failed("mmap", errno);
        }
    }

    static Var alloc(DvContext base, int flags) {
        if ((flags & ~VarFlags.TLP) != 0) {
            throw new VerbsException(
                    Errno.EINVAL, ALLOC, "flags is 0x" + Integer.toHexString(flags) + "; use those of VarFlags");
        }
        return make(
                base,
                ALLOC,
                KIND,
                () -> new Var(
                        base,
                        Answers.checkPointer(ALLOC, Libmlx5.function(ALLOC, 28).call(base.address(), flags))));
    }

    /**
     * Returns the device's number of the page.
     *
     * @return the number
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public int pageId() {
        return use("mlx5dv_var", () -> pageId);
    }

    /**
     * Returns the size of the page.
     *
     * @return number of bytes
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public int length() {
        return use("mlx5dv_var", () -> length);
    }

    /**
     * Returns the offset of the page in the device file, for another process that maps it.
     *
     * @return the offset, for mmap(2)
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public long mmapOffset() {
        return use("mlx5dv_var", () -> mmapOffset);
    }

    /**
     * Returns the address that the page is mapped to in this process.
     *
     * @return the address
     * @throws VerbsException {@link Errno#EINVAL} after close
     */
    public long address() {
        return use("mlx5dv_var", () -> address);
    }

    @Override
    void destroy() {
        Libc.munmap(address, length);
        Libmlx5.function(FREE, 28).call(dv);
    }
}

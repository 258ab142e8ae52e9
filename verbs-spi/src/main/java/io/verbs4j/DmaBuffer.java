/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.ExportBufDmabufFd;
import io.verbs4j.slot.FreeBuf;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Memory that the device allocated for a program in the way that its accesses require: in guests whose memory is
 * encrypted, memory that the device can access. Everywhere else it is ordinary memory. It starts at a page boundary.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 4. Source: {@code ibv_alloc_buf(3)}.
 */
public abstract class DmaBuffer extends VerbsObject {
    private final ProtectionDomain pd;
    private final long addr;
    private final long length;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that the memory was allocated for
     * @param addr address of its first byte
     * @param length length in bytes
     */
    protected DmaBuffer(ProtectionDomain pd, long addr, long length) {
        super(Objects.requireNonNull(pd, "pd").context());
        this.pd = pd;
        this.addr = addr;
        this.length = length;
    }

    /** {@return the protection domain that it was allocated for} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the address of the first byte} */
    public final long addr() {
        return addr;
    }

    /** {@return the length in bytes} */
    public final long length() {
        return length;
    }

    /**
     * Returns a part of the memory as a buffer, which must not be accessed after {@link #close()}.
     *
     * @param offset offset of the returned buffer in bytes from the start of this memory
     * @param size its size in bytes
     * @return a direct buffer, big-endian, over these bytes
     * @throws IndexOutOfBoundsException for bytes outside this memory
     */
    public final ByteBuffer buffer(long offset, int size) {
        Objects.checkFromIndexSize(offset, size, length);
        return memory(offset, size);
    }

    /**
     * Implements {@link #buffer(long, int)}; for providers.
     *
     * @param offset offset in bytes, already checked
     * @param size size in bytes, already checked
     * @return a direct buffer over these bytes
     */
    protected abstract ByteBuffer memory(long offset, int size);

    /**
     * Registers all of this memory. Source: {@code ibv_reg_buf_mr(3)}.
     *
     * @param access allowed operations, {@link AccessFlags} bits
     * @return the region, which keeps this buffer from being freed
     * @throws VerbsException as {@link ProtectionDomain#regMrEx(RegMrAttrEx)}
     */
    public final MemoryRegion regMr(int access) {
        return pd.regMrEx(new RegMrAttrEx().buf(this).addr(addr).length(length).access(access));
    }

    /**
     * Exports this memory as a dma-buf for other devices. Source: {@code ibv_export_buf_dmabuf_fd(3)}.
     *
     * @return a file descriptor, which the caller must close
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device does not support it; {@link Errno#ENODATA} if this
     *     is ordinary memory
     */
    public final ExportedFd exportDmabufFd() {
        return Extension.require(context(), ContextSlot.EXPORT_BUF_DMABUF_FD, ExportBufDmabufFd.class)
                .exportBufDmabufFd(this);
    }

    /**
     * Frees the memory. Source: {@code ibv_free_buf(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it has registered regions
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.FREE_BUF, FreeBuf.class).freeBuf(this);
    }

    @Override
    public final String toString() {
        return length + " bytes allocated by " + context().device();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.UnimportDm;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Memory on the device, whose contents need not cross the bus. {@link ProtectionDomain#regDmMr} registers it.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 3. Source: {@code ibv_alloc_dm(3)}.
 */
public abstract class DeviceMemory extends VerbsObject {
    private final long length;

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the memory belongs to
     * @param length length in bytes
     */
    protected DeviceMemory(Context context, long length) {
        super(Objects.requireNonNull(context, "context"));
        this.length = length;
    }

    /** {@return the length in bytes} */
    public final long length() {
        return length;
    }

    /**
     * Copies data to the device. Neither throws nor allocates. Source: {@code ibv_memcpy_to_dm(3)}.
     *
     * @param dmOffset destination offset in bytes from the start of this memory
     * @param source a direct buffer; the data between its position and its limit is copied, and both stay unchanged
     * @return 0, or an errno: {@link Errno#EFAULT} beyond the end; {@link Errno#EINVAL} for null, for a buffer that is
     *     not direct, for an offset or a length that the device does not support (ConnectX requires multiples of 4),
     *     and after close
     */
    public abstract int copyTo(long dmOffset, ByteBuffer source);

    /**
     * Copies data from the device. Neither throws nor allocates. Source: {@code ibv_memcpy_from_dm(3)}.
     *
     * @param target a writable direct buffer; filled between its position and its limit, which stay unchanged
     * @param dmOffset source offset in bytes from the start of this memory
     * @return as {@link #copyTo}
     */
    public abstract int copyFrom(ByteBuffer target, long dmOffset);

    /**
     * Exports this memory as a dma-buf for other devices, which remains usable after {@link #close()}. Source:
     * {@code ibv_dm_export_dmabuf_fd(3)}.
     *
     * @return a file descriptor, which the caller must close
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it
     */
    public final ExportedFd exportDmabufFd() {
        return Extension.require(context(), ContextSlot.DM_EXPORT_DMABUF_FD, DmExportDmabufFd.class)
                .dmExportDmabufFd(this);
    }

    /**
     * {@return whether this is a handle of memory that another context allocated, returned by {@code importDm}} Closing
     * it leaves the memory as it is. Since level 4.
     */
    public final boolean isImported() {
        return imported;
    }

    /**
     * Returns the number that identifies this memory to contexts that share a descriptor, see
     * {@link Context#exportDevice()}. The number may be reused for another object once this one is closed. Since level
     * 4. Source: {@code struct ibv_dm, handle}.
     *
     * @return the number, to pass to {@code importDm} there
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device cannot share contexts; {@link Errno#EINVAL} after close
     */
    public final int exportHandle() {
        return Extension.require(context(), ContextSlot.EXPORT_HANDLE, ExportHandle.class)
                .exportHandle(this);
    }

    /**
     * Frees the memory; for imported memory, only the handle. Source: {@code ibv_free_dm(3)},
     * {@code ibv_unimport_dm(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it has registered regions, including those of another context
     *     that imported it
     */
    @Override
    public final void close() {
        if (imported) {
            Extension.require(context(), ContextSlot.UNIMPORT_DM, UnimportDm.class)
                    .unimportDm(this);
        } else {
            Extension.require(context(), ContextSlot.FREE_DM, FreeDm.class).freeDm(this);
        }
    }

    @Override
    public final String toString() {
        return length + " bytes of memory on " + context().device();
    }
}

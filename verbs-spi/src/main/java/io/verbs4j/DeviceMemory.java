/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DmExportDmabufFd;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.FreeDm;
import io.verbs4j.slot.UnimportDm;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Memory on the device: what is there need not cross the bus. Registered by {@link ProtectionDomain#regDmMr}.
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
     * Copies to the device. Neither throws nor allocates. Source: {@code ibv_memcpy_to_dm(3)}.
     *
     * @param dmOffset where it goes, in bytes from the beginning of this memory
     * @param source a direct buffer; what is between its position and its limit is copied, and they stay as they are
     * @return 0, or an errno: {@link Errno#EFAULT} beyond the end; {@link Errno#EINVAL} for null, for a buffer that is not direct, for an
     *     offset or a length that the device can't (ConnectX takes multiples of 4), and after close
     */
    public abstract int copyTo(long dmOffset, ByteBuffer source);

    /**
     * Copies from the device. Neither throws nor allocates. Source: {@code ibv_memcpy_from_dm(3)}.
     *
     * @param target a direct buffer that can be written; filled between its position and its limit, which stay as they are
     * @param dmOffset where it comes from, in bytes from the beginning of this memory
     * @return as {@link #copyTo}
     */
    public abstract int copyFrom(ByteBuffer target, long dmOffset);

    /**
     * Makes a dma-buf of it, for other devices. It may be used beyond {@link #close()} of this memory. Source: {@code
     * ibv_dm_export_dmabuf_fd(3)}.
     *
     * @return a file descriptor, which is the caller's to close
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device can't
     */
    public final ExportedFd exportDmabufFd() {
        return Extension.require(context(), ContextSlot.DM_EXPORT_DMABUF_FD, DmExportDmabufFd.class)
                .dmExportDmabufFd(this);
    }

    /**
     * Whether this is a handle of memory that another context has allocated. Closing it leaves the memory as it is. Since level 4.
     *
     * @return true for what {@code importDm} returned
     */
    public final boolean isImported() {
        return imported;
    }

    /**
     * The number by which contexts name this memory that share a descriptor: {@link Context#exportDevice()}. It is
     * another object's when this one is closed. Since level 4. Source: {@code struct ibv_dm, handle}.
     *
     * @return the number, for {@code importDm} there
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device
     *     can't share contexts; {@link Errno#EINVAL} after close
     */
    public final int exportHandle() {
        return Extension.require(context(), ContextSlot.EXPORT_HANDLE, ExportHandle.class)
                .exportHandle(this);
    }

    /**
     * Frees the memory; of imported memory the handle alone. Source: {@code ibv_free_dm(3)}, {@code ibv_unimport_dm(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while regions are made of it, also by another context that has imported it
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.UnimportMr;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A memory region: memory that a device may access.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Source: {@code ibv_reg_mr(3)}.
 */
public abstract class MemoryRegion extends VerbsObject {
    /**
     * The objects kept for regions, of all contexts. Static, because the device continues to write after the
     * application has dropped region and context without closing them. In the header, so that it also works with a
     * library that does not know it.
     */
    private static final Map<MemoryRegion, Object> KEPT = new ConcurrentHashMap<>();

    private volatile ProtectionDomain pd;
    private volatile long addr;
    private volatile long length;
    private volatile int access;
    private volatile int lkey;
    private volatile int rkey;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that the region belongs to
     * @param addr first address
     * @param length length in bytes
     * @param access {@link AccessFlags} bits
     * @param lkey local key
     * @param rkey remote key
     */
    protected MemoryRegion(ProtectionDomain pd, long addr, long length, int access, int lkey, int rkey) {
        super(Objects.requireNonNull(pd, "pd").context());
        update(pd, addr, length, access, lkey, rkey);
    }

    /**
     * Updates what the handle reports, after {@link ContextOps#reregMr}; for providers.
     *
     * @param pd domain that the region belongs to
     * @param addr first address
     * @param length length in bytes
     * @param access {@link AccessFlags} bits
     * @param lkey local key
     * @param rkey remote key
     */
    protected final void update(ProtectionDomain pd, long addr, long length, int access, int lkey, int rkey) {
        this.pd = pd;
        this.addr = addr;
        this.length = length;
        this.access = access;
        this.lkey = lkey;
        this.rkey = rkey;
    }

    /** {@return the domain that the region belongs to} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the first address, which work requests and remote sides must use} */
    public final long addr() {
        return addr;
    }

    /** {@return the length in bytes} */
    public final long length() {
        return length;
    }

    /** {@return the allowed operations, {@link AccessFlags} bits} */
    public final int access() {
        return access;
    }

    /** {@return the local key, for scatter/gather elements} */
    public final int lkey() {
        return lkey;
    }

    /** {@return the remote key, for RDMA and atomic operations of the remote side} */
    public final int rkey() {
        return rkey;
    }

    /**
     * Changes the region. On failure it is unchanged. Source: {@code ibv_rereg_mr(3)}.
     *
     * @param flags what to change, {@link ReregFlags} bits
     * @param newPd the new domain, if that changes; otherwise ignored
     * @param newAddr first address of the new memory, if that changes; otherwise ignored
     * @param newLength its length in bytes
     * @param newAccess operations allowed from now on, {@link AccessFlags} bits, if those change; otherwise ignored
     * @throws VerbsException {@link Errno#EINVAL} for unknown flags or values out of range, and for an imported region,
     *     which only the context that registered it can change; {@link Errno#EBUSY} while memory windows are bound to
     *     it; {@link Errno#EFAULT} if the new memory is not mapped as the access requires; {@link Errno#EOPNOTSUPP} if
     *     the device does not support it; {@link Errno#ENOMEM} if there is not enough memory
     */
    public final void rereg(int flags, ProtectionDomain newPd, long newAddr, long newLength, int newAccess) {
        ops().reregMr(this, flags, newPd, newAddr, newLength, newAccess);
        if ((flags & ReregFlags.CHANGE_TRANSLATION) != 0) {
            keepAlive(null);
        }
    }

    /**
     * {@return whether this is a handle of a region that another context registered, returned by {@code importMr}}
     * Closing it leaves the region as it is. Since level 4.
     */
    public final boolean isImported() {
        return imported;
    }

    /**
     * Returns the number that identifies this region to contexts that share a descriptor, see
     * {@link Context#exportDevice()}. The number may be reused for another object once this one is closed. Since level
     * 4. Source: {@code struct ibv_mr, handle}.
     *
     * @return the number, to pass to {@code importMr} there
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device cannot share contexts; {@link Errno#EINVAL} after close
     */
    public final int exportHandle() {
        return Extension.require(context(), ContextSlot.EXPORT_HANDLE, ExportHandle.class)
                .exportHandle(this);
    }

    /**
     * Deregisters the region; for an imported one, frees only the handle. Source: {@code ibv_dereg_mr(3)},
     * {@code ibv_unimport_mr(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while memory windows are bound to it. On the embedded device also
     *     while another process that imported it is stopped in the middle of a write to it: then keep the memory, and
     *     call close again
     */
    @Override
    public final void close() {
        if (imported) {
            Extension.require(context(), ContextSlot.UNIMPORT_MR, UnimportMr.class)
                    .unimportMr(this);
        } else {
            ops().deregMr(this);
            keepAlive(null);
        }
    }

    /** Keeps an object reachable, or none, instead of the previous one. */
    final void keepAlive(Object object) {
        if (object != null) {
            KEPT.put(this, object);
        } else {
            KEPT.remove(this);
        }
    }

    @Override
    public final String toString() {
        return "memory region 0x" + Long.toHexString(addr) + " + " + length + " (" + AccessFlags.toString(access)
                + ", lkey 0x" + Integer.toHexString(lkey) + ", rkey 0x" + Integer.toHexString(rkey) + ") of "
                + context().device();
    }
}

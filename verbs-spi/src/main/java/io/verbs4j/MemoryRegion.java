/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.UnimportMr;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A memory region: memory that a device may read and write.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Source: {@code ibv_reg_mr(3)}.
 */
public abstract class MemoryRegion extends VerbsObject {
    /**
     * What is kept for regions, of all contexts. Static, because the device goes on writing when the application has dropped
     * region and context without closing them. In the header, so that a library that knows nothing of it is as good.
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
     * Changes what the handle tells, after {@link ContextOps#reregMr}; for providers.
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

    /**
     * The domain that the region belongs to.
     *
     * @return the domain
     */
    public final ProtectionDomain pd() {
        return pd;
    }

    /**
     * The first address, as work requests and remote sides must give it.
     *
     * @return the address
     */
    public final long addr() {
        return addr;
    }

    /** {@return the length in bytes} */
    public final long length() {
        return length;
    }

    /**
     * What is allowed.
     *
     * @return {@link AccessFlags} bits
     */
    public final int access() {
        return access;
    }

    /**
     * The local key, for scatter/gather elements.
     *
     * @return the key
     */
    public final int lkey() {
        return lkey;
    }

    /**
     * The remote key, for the remote side's RDMA and atomic operations.
     *
     * @return the key
     */
    public final int rkey() {
        return rkey;
    }

    /**
     * Changes the region. On failure it stays as it was. Source: {@code ibv_rereg_mr(3)}.
     *
     * @param flags what changes, {@link ReregFlags} bits
     * @param newPd the new domain, where that changes; else ignored
     * @param newAddr first address of the new memory, where that changes; else ignored
     * @param newLength its length in bytes
     * @param newAccess what is allowed from now on, {@link AccessFlags} bits, where that changes; else ignored
     * @throws VerbsException {@link Errno#EINVAL} for unknown flags or what is out of range, and for an imported region, which the
     *     context that registered it can change; {@link Errno#EBUSY} while
     *     memory windows are bound to it; {@link Errno#EFAULT} where the new memory is not mapped as the access needs;
     *     {@link Errno#EOPNOTSUPP} where the device can't; {@link Errno#ENOMEM} where there is no memory for it
     */
    public final void rereg(int flags, ProtectionDomain newPd, long newAddr, long newLength, int newAccess) {
        ops().reregMr(this, flags, newPd, newAddr, newLength, newAccess);
        if ((flags & ReregFlags.CHANGE_TRANSLATION) != 0) {
            keepAlive(null);
        }
    }

    /**
     * Whether this is a handle of a region that another context has registered. Closing it leaves the region as it is. Since level 4.
     *
     * @return true for what {@code importMr} returned
     */
    public final boolean isImported() {
        return imported;
    }

    /**
     * The number by which contexts name this region that share a descriptor: {@link Context#exportDevice()}. It is
     * another object's when this one is closed. Since level 4. Source: {@code struct ibv_mr, handle}.
     *
     * @return the number, for {@code importMr} there
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device
     *     can't share contexts; {@link Errno#EINVAL} after close
     */
    public final int exportHandle() {
        return Extension.require(context(), ContextSlot.EXPORT_HANDLE, ExportHandle.class)
                .exportHandle(this);
    }

    /**
     * Deregisters the region; of an imported one frees the handle alone. Source: {@code ibv_dereg_mr(3)},
     * {@code ibv_unimport_mr(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while memory windows are bound to it; on the embedded device also
     *     while another process that has imported it is stopped in the middle of a write to it: then keep the memory,
     *     and call close again
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

    /** Keeps an object, or none, in place of the one before. */
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

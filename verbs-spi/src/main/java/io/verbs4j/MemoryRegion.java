/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

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
     * @throws VerbsException {@link Errno#EINVAL} for unknown flags or what is out of range; {@link Errno#EBUSY} while
     *     memory windows are bound to it; {@link Errno#EFAULT} where the new memory is not mapped as the access needs;
     *     {@link Errno#EOPNOTSUPP} where the device can't; {@link Errno#ENOMEM} where there is no memory for it
     */
    public final void rereg(int flags, ProtectionDomain newPd, long newAddr, long newLength, int newAccess) {
        ops().reregMr(this, flags, newPd, newAddr, newLength, newAccess);
        if ((flags & ReregFlags.CHANGE_TRANSLATION) != 0) {
            keepAlive(null);
        }
    }

    /** Deregisters the region. Source: {@code ibv_dereg_mr(3)}. */
    @Override
    public final void close() {
        ops().deregMr(this);
        keepAlive(null);
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

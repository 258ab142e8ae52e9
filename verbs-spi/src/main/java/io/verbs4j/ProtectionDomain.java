/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.AdviseMr;
import io.verbs4j.slot.AllocBuf;
import io.verbs4j.slot.AllocMrKey;
import io.verbs4j.slot.AllocNullMr;
import io.verbs4j.slot.ExportHandle;
import io.verbs4j.slot.ImportMr;
import io.verbs4j.slot.RegDmMr;
import io.verbs4j.slot.RegMrEx;
import io.verbs4j.slot.UnimportPd;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A protection domain: the objects in it may be used together, and with no others.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Source: {@code ibv_alloc_pd(3)}.
 */
public abstract class ProtectionDomain extends VerbsObject {

    /**
     * Creates the handle; for providers.
     *
     * @param context context that the domain belongs to
     */
    protected ProtectionDomain(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Registers the memory of a direct buffer between its position and its limit. The buffer stays reachable while the
     * region is registered, and an arena ({@code java.lang.foreign}) that it is from refuses to be closed. Source: {@code
     * ibv_reg_mr(3)}.
     *
     * @param buffer a direct buffer with at least one byte remaining; its position and limit are not changed
     * @param access what is allowed, {@link AccessFlags} bits; reading by the local device always is
     * @return the new region
     * @throws VerbsException {@link Errno#EINVAL} for a buffer that is not direct, is empty, or (with a right to write)
     *     is read-only, and for access bits that are unknown or give remote write or atomic rights without {@link
     *     AccessFlags#LOCAL_WRITE}; {@link Errno#EOPNOTSUPP} for a buffer of an arena that the program can close, where
     *     the JVM does not let the library keep it open: the message tells the option that does; {@link Errno#ENOMEM}
     *     where there are no more
     */
    public final MemoryRegion regMr(ByteBuffer buffer, int access) {
        return ops().regMrBuffer(this, buffer, access);
    }

    /**
     * Registers memory by its address, of any length. It is the caller's duty that the memory stays allocated until the
     * region is closed. Source: {@code ibv_reg_mr(3)}.
     *
     * @param addr first address
     * @param length length in bytes, from 1; -1, with address 0 and {@link AccessFlags#ON_DEMAND}, asks for an implicit region:
     *     all of the process's memory, also what is mapped later ({@link OdpGeneralCaps#SUPPORT_IMPLICIT})
     * @param access what is allowed, {@link AccessFlags} bits
     * @return the new region
     * @throws VerbsException {@link Errno#EFAULT} where the memory is not mapped as the access needs; {@link Errno#EOPNOTSUPP}
     *     for an implicit region of a device that has none; {@link Errno#EINVAL} and {@link Errno#ENOMEM} as {@link
     *     #regMr(ByteBuffer, int)}
     */
    public final MemoryRegion regMr(long addr, long length, int access) {
        return ops().regMr(this, addr, length, access);
    }

    /**
     * As {@link #regMr(long, long, int)}, and keeps an object reachable while the region is registered: one whose memory is
     * freed when nobody can reach it, for instance a segment of {@code Arena.ofAuto()}. What the program frees by a call, such
     * as an arena by its {@code close()}, it must not free before the region is closed: being reachable does not prevent that.
     *
     * @param addr first address
     * @param length length in bytes, from 1
     * @param access what is allowed, {@link AccessFlags} bits
     * @param keepAlive kept until the region is closed or gets other memory; may be null
     * @return the new region
     * @throws VerbsException as {@link #regMr(long, long, int)}
     */
    public final MemoryRegion regMr(long addr, long length, int access, Object keepAlive) {
        MemoryRegion mr = ops().regMr(this, addr, length, access);
        mr.keepAlive(keepAlive);
        return mr;
    }

    /**
     * Creates a queue pair in state RESET. Source: {@code ibv_create_qp(3)}.
     *
     * @param attr how to make it; {@link QpInitAttr#cap()} holds afterwards what was given
     * @return the new queue pair
     * @throws VerbsException {@link Errno#EINVAL} for what is out of range or of another context; {@link Errno#ENOMEM}
     *     where there are no more; {@link Errno#EOPNOTSUPP} for a type that the device does not have
     */
    public final QueuePair createQp(QpInitAttr attr) {
        return ops().createQp(this, attr);
    }

    /**
     * Creates a shared receive queue. Source: {@code ibv_create_srq(3)}.
     *
     * @param attr how to make it; {@link SrqInitAttr#attr()} holds afterwards what was given
     * @return the new queue
     * @throws VerbsException {@link Errno#EINVAL} for what is out of range; {@link Errno#ENOMEM} where there are no more
     */
    public final SharedReceiveQueue createSrq(SrqInitAttr attr) {
        return ops().createSrq(this, attr);
    }

    /**
     * Creates an address handle. Source: {@code ibv_create_ah(3)}.
     *
     * @param attr where it leads
     * @return the new handle
     * @throws VerbsException {@link Errno#EINVAL} for a port or GID index that does not exist, or an address without a
     *     GID where the link layer needs one; {@link Errno#ENETUNREACH} where there is no way to it
     */
    public final AddressHandle createAh(AhAttr attr) {
        return ops().createAh(this, attr);
    }

    /**
     * Creates an address handle that leads back to the sender of a datagram. Source: {@code ibv_create_ah_from_wc(3)}.
     *
     * @param wc completion of the receive
     * @param grh buffer whose first 40 bytes from its position are those of the receive buffer; it stays as it is
     * @param portNum port that received the datagram, from 1
     * @return the new handle
     * @throws VerbsException as {@link Context#initAhFromWc(int, WorkCompletion, ByteBuffer)} and {@link #createAh(AhAttr)}
     */
    public final AddressHandle createAhFromWc(WorkCompletion wc, ByteBuffer grh, int portNum) {
        return createAh(context().initAhFromWc(portNum, wc, grh));
    }

    /**
     * Allocates a memory window, unbound. Source: {@code ibv_alloc_mw(3)}.
     *
     * @param type a {@link MwType} value
     * @return the new window
     * @throws VerbsException {@link Errno#EINVAL} for an unknown type; {@link Errno#ENOMEM} where there are no more
     */
    public final MemoryWindow allocMw(int type) {
        return ops().allocMw(this, type);
    }

    /**
     * The domain that decides what may be used together: of a parent domain the one that it is made of, else this one. Since level 3.
     *
     * @return the domain; never a parent domain
     */
    public final ProtectionDomain base() {
        return this instanceof ParentDomain parent ? parent.pd() : this;
    }

    /**
     * Registers memory, or a dma-buf, by any address. Where library or provider do not have this verb, {@link
     * #regMr(ByteBuffer, int)} and
     * {@link #regMr(long, long, int, Object)} serve for memory under its own address. Since level 3. Source: {@code
     * ibv_reg_mr_ex(3)}.
     *
     * @param attr what and how
     * @return the new region
     * @throws VerbsException {@link Errno#EINVAL} where not exactly one of a buffer, an address and a dma-buf is given,
     *     a dma-buf without iova and offset, for a descriptor below 0, and as {@link #regMr(ByteBuffer, int)} and
     *     {@link #regMr(long, long, int)}; {@link Errno#EBADF} for a descriptor that is none;
     *     {@link Errno#EOPNOTSUPP} where the device can't
     */
    public final MemoryRegion regMrEx(RegMrAttrEx attr) {
        RegMrEx extended = Extension.find(context(), ContextSlot.REG_MR_EX, RegMrEx.class);
        if (extended == null) {
            if (attr != null && attr.isBuffer()) {
                MemoryRegion mr = regMr(attr.buffer(), attr.access());
                mr.keepAlive(attr.keepAlive());
                return mr;
            }
            if (attr == null || !attr.isBase()) {
                throw Extension.missing(context(), ContextSlot.REG_MR_EX);
            }
            return regMr(attr.addr(), attr.length(), attr.access(), attr.keepAlive());
        }
        MemoryRegion mr = extended.regMrEx(this, attr);
        mr.keepAlive(attr.keepAlive());
        return mr;
    }

    /**
     * Tells the device what will become of memory that is paged in on demand. Since level 3. Source: {@code ibv_advise_mr(3)}.
     *
     * @param advice an {@link AdviseMrAdvice} value
     * @param flags {@link AdviseMrFlags} bits
     * @param sgList the memory, by local keys of this domain
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device can't;
     *     {@link Errno#EFAULT} for addresses outside a region; {@link Errno#ENOENT} for an unknown key; {@link Errno#EPERM} for one of
     *     another domain; {@link Errno#EINVAL} for a region without {@link AccessFlags#ON_DEMAND}
     */
    public final void adviseMr(int advice, int flags, ScatterGatherElement... sgList) {
        Extension.require(context(), ContextSlot.ADVISE_MR, AdviseMr.class)
                .adviseMr(this, advice, flags, sgList, sgList == null ? 0 : sgList.length);
    }

    /**
     * Makes a region of nothing, for the parts of a scatter list that nobody wants: what is written there vanishes, and zeros are read.
     * Since level 3. Source: {@code ibv_alloc_null_mr(3)}.
     *
     * @return the new region: address 0, length all ones
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device can't
     */
    public final MemoryRegion allocNullMr() {
        return Extension.require(context(), ContextSlot.ALLOC_NULL_MR, AllocNullMr.class)
                .allocNullMr(this);
    }

    /**
     * Makes a key without memory, which {@link WrOpcode#REG_MR} gives some and {@link WrOpcode#LOCAL_INV} takes it from again: memory is
     * registered without a call to the operating system. Since level 3. Source: {@code ib_alloc_mr} of the Linux kernel, "allocate L_Key"
     * of the InfiniBand specification.
     *
     * @param attr how
     * @return the new region, of length 0
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device can't;
     *     {@link Errno#EINVAL} for a number out of range
     */
    public final MemoryRegion allocMrKey(MrKeyInitAttr attr) {
        return Extension.require(context(), ContextSlot.ALLOC_MR_KEY, AllocMrKey.class)
                .allocMrKey(this, attr);
    }

    /**
     * Registers memory on the device. Since level 3. Source: {@code ibv_reg_dm_mr(3)}.
     *
     * @param dm the memory
     * @param dmOffset first byte
     * @param length length in bytes, from 1
     * @param access what is allowed, {@link AccessFlags} bits; with {@link AccessFlags#ZERO_BASED}, because this memory has no address
     * @return the new region
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the device can't;
     *     {@link Errno#EINVAL} for a range outside the memory, and without {@link AccessFlags#ZERO_BASED}
     */
    public final MemoryRegion regDmMr(DeviceMemory dm, long dmOffset, long length, int access) {
        return Extension.require(context(), ContextSlot.REG_DM_MR, RegDmMr.class)
                .regDmMr(this, dm, dmOffset, length, access);
    }

    /**
     * Allocates memory that the device can reach, also in guests whose memory is encrypted. Everywhere else it is
     * ordinary memory. Since level 4. Source: {@code ibv_alloc_buf(3)}.
     *
     * @param length length in bytes, from 1
     * @return a new buffer, which begins at a page; what is in it is not defined
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP}
     *     where the device allocates none; {@link Errno#ENOMEM} where there is no more
     */
    public final DmaBuffer allocBuf(long length) {
        return Extension.require(context(), ContextSlot.ALLOC_BUF, AllocBuf.class)
                .allocBuf(this, length);
    }

    /**
     * Imports a memory region of this domain: its keys can be used here. Closing the returned handle leaves the region registered.
     * When the context that registered it closes it, requests that use its keys fail, here too. Since level 4. Source: {@code
     * ibv_import_mr(3)}.
     *
     * @param handle the number of the region: its {@link MemoryRegion#exportHandle()}
     * @return a new handle of the region; {@link MemoryRegion#addr()} and {@link MemoryRegion#access()} are 0 where the device does
     *     not tell them, as in C
     * @throws VerbsException as {@link Context#importPd(int)}
     */
    public final MemoryRegion importMr(int handle) {
        MemoryRegion mr = Extension.require(context(), ContextSlot.IMPORT_MR, ImportMr.class)
                .importMr(this, handle);
        mr.imported = true;
        return mr;
    }

    /**
     * Whether this is a handle of a domain that another context has allocated. Closing it leaves the domain as it is. Since level 4.
     *
     * @return true for what {@code importPd} returned
     */
    public final boolean isImported() {
        return imported;
    }

    /**
     * The number by which contexts name this domain that share a descriptor: {@link Context#exportDevice()}. It is
     * another object's when this one is closed. Since level 4. Source: {@code struct ibv_pd, handle}.
     *
     * @return the number, for {@code importPd} there
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device
     *     can't share contexts; {@link Errno#EINVAL} after close
     */
    public final int exportHandle() {
        return Extension.require(context(), ContextSlot.EXPORT_HANDLE, ExportHandle.class)
                .exportHandle(this);
    }

    /**
     * Frees the domain; of an imported one the handle alone. Source: {@code ibv_dealloc_pd(3)}, {@code ibv_unimport_pd(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while something is in it, also of another context that has imported it
     */
    @Override
    public final void close() {
        if (imported) {
            Extension.require(context(), ContextSlot.UNIMPORT_PD, UnimportPd.class)
                    .unimportPd(this);
        } else {
            ops().deallocPd(this);
        }
    }

    @Override
    public final String toString() {
        return (this instanceof ParentDomain ? "parent domain of " : "protection domain of ")
                + context().device();
    }
}

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
 * A protection domain: objects in it may be used together, but not with objects of other domains.
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
     * region is registered, and its arena ({@code java.lang.foreign}) cannot be closed. Source: {@code ibv_reg_mr(3)}.
     *
     * @param buffer a direct buffer with at least one byte remaining; its position and limit are not changed
     * @param access allowed operations, {@link AccessFlags} bits; the local device may always read
     * @return the new region
     * @throws VerbsException {@link Errno#EINVAL} for a buffer that is not direct, is empty, or is read-only although
     *     {@code access} allows writes, and for access bits that are unknown or allow remote writes or atomics without
     *     {@link AccessFlags#LOCAL_WRITE}; {@link Errno#EOPNOTSUPP} for a buffer of an arena that the program can
     *     close, if the JVM does not let the library keep it open: the message names the option that does;
     *     {@link Errno#ENOMEM} if there are no more
     */
    public final MemoryRegion regMr(ByteBuffer buffer, int access) {
        return ops().regMrBuffer(this, buffer, access);
    }

    /**
     * Registers memory by its address, of any length. The caller must keep the memory allocated until the region is
     * closed. Source: {@code ibv_reg_mr(3)}.
     *
     * @param addr first address
     * @param length length in bytes, from 1; -1, with address 0 and {@link AccessFlags#ON_DEMAND}, requests an implicit
     *     region: all memory of the process, including memory mapped later ({@link OdpGeneralCaps#SUPPORT_IMPLICIT})
     * @param access allowed operations, {@link AccessFlags} bits
     * @return the new region
     * @throws VerbsException {@link Errno#EFAULT} if the memory is not mapped as the access requires;
     *     {@link Errno#EOPNOTSUPP} for an implicit region if the device does not support them; {@link Errno#EINVAL} and
     *     {@link Errno#ENOMEM} as {@link #regMr(ByteBuffer, int)}
     */
    public final MemoryRegion regMr(long addr, long length, int access) {
        return ops().regMr(this, addr, length, access);
    }

    /**
     * Registers memory as {@link #regMr(long, long, int)} does, and keeps an object reachable while the region is
     * registered. Use it for an object whose memory is freed when it becomes unreachable, for instance a segment of
     * {@code Arena.ofAuto()}. Memory that the program frees by a call, such as an arena by its {@code close()}, must
     * not be freed before the region is closed: reachability does not prevent that.
     *
     * @param addr first address
     * @param length length in bytes, from 1
     * @param access allowed operations, {@link AccessFlags} bits
     * @param keepAlive object kept reachable until the region is closed or gets other memory; may be null
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
     * @param attr attributes of the queue pair; afterwards {@link QpInitAttr#cap()} holds the actual capacities
     * @return the new queue pair
     * @throws VerbsException {@link Errno#EINVAL} for values out of range or of another context; {@link Errno#ENOMEM}
     *     if there are no more; {@link Errno#EOPNOTSUPP} for a type that the device does not support
     */
    public final QueuePair createQp(QpInitAttr attr) {
        return ops().createQp(this, attr);
    }

    /**
     * Creates a shared receive queue. Source: {@code ibv_create_srq(3)}.
     *
     * @param attr attributes of the queue; afterwards {@link SrqInitAttr#attr()} holds the actual capacities
     * @return the new queue
     * @throws VerbsException {@link Errno#EINVAL} for values out of range; {@link Errno#ENOMEM} if there are no more
     */
    public final SharedReceiveQueue createSrq(SrqInitAttr attr) {
        return ops().createSrq(this, attr);
    }

    /**
     * Creates an address handle. Source: {@code ibv_create_ah(3)}.
     *
     * @param attr the path to the destination
     * @return the new handle
     * @throws VerbsException {@link Errno#EINVAL} for a port or GID index that does not exist, or an address without a
     *     GID if the link layer requires one; {@link Errno#ENETUNREACH} if there is no route to it
     */
    public final AddressHandle createAh(AhAttr attr) {
        return ops().createAh(this, attr);
    }

    /**
     * Creates an address handle that leads back to the sender of a datagram. Source: {@code ibv_create_ah_from_wc(3)}.
     *
     * @param wc completion of the receive
     * @param grh buffer whose first 40 bytes from its position are those of the receive buffer; it is not changed
     * @param portNum port that received the datagram, from 1
     * @return the new handle
     * @throws VerbsException as {@link Context#initAhFromWc(int, WorkCompletion, ByteBuffer)} and
     *     {@link #createAh(AhAttr)}
     */
    public final AddressHandle createAhFromWc(WorkCompletion wc, ByteBuffer grh, int portNum) {
        return createAh(context().initAhFromWc(portNum, wc, grh));
    }

    /**
     * Allocates a memory window, unbound. Source: {@code ibv_alloc_mw(3)}.
     *
     * @param type a {@link MwType} value
     * @return the new window
     * @throws VerbsException {@link Errno#EINVAL} for an unknown type; {@link Errno#ENOMEM} if there are no more
     */
    public final MemoryWindow allocMw(int type) {
        return ops().allocMw(this, type);
    }

    /**
     * {@return the domain that decides which objects may be used together: for a parent domain its protection domain,
     * otherwise this one; never a parent domain} Since level 3.
     */
    public final ProtectionDomain base() {
        return this instanceof ParentDomain parent ? parent.pd() : this;
    }

    /**
     * Registers memory, or a dma-buf, under any address. If library or provider do not have this verb,
     * {@link #regMr(ByteBuffer, int)} and {@link #regMr(long, long, int, Object)} serve as a fallback for memory under
     * its own address. Since level 3. Source: {@code ibv_reg_mr_ex(3)}.
     *
     * @param attr what to register, and how
     * @return the new region
     * @throws VerbsException {@link Errno#EINVAL} unless exactly one of a buffer, an address and a dma-buf is given,
     *     for a dma-buf without iova and offset, for a descriptor below 0, and as {@link #regMr(ByteBuffer, int)} and
     *     {@link #regMr(long, long, int)}; {@link Errno#EBADF} for a number that is not a descriptor;
     *     {@link Errno#EOPNOTSUPP} if the device does not support it
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
     * Advises the device how memory with on-demand paging will be used. Since level 3. Source:
     * {@code ibv_advise_mr(3)}.
     *
     * @param advice an {@link AdviseMrAdvice} value
     * @param flags {@link AdviseMrFlags} bits
     * @param sgList the memory, by local keys of this domain
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it; {@link Errno#EFAULT} for addresses outside a region; {@link Errno#ENOENT} for an
     *     unknown key; {@link Errno#EPERM} for a key of another domain; {@link Errno#EINVAL} for a region without
     *     {@link AccessFlags#ON_DEMAND}
     */
    public final void adviseMr(int advice, int flags, ScatterGatherElement... sgList) {
        Extension.require(context(), ContextSlot.ADVISE_MR, AdviseMr.class)
                .adviseMr(this, advice, flags, sgList, sgList == null ? 0 : sgList.length);
    }

    /**
     * Allocates a null region, for unwanted parts of a scatter list: writes to it are discarded, and reads return
     * zeros. Since level 3. Source: {@code ibv_alloc_null_mr(3)}.
     *
     * @return the new region, with address 0 and a length of all ones
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it
     */
    public final MemoryRegion allocNullMr() {
        return Extension.require(context(), ContextSlot.ALLOC_NULL_MR, AllocNullMr.class)
                .allocNullMr(this);
    }

    /**
     * Allocates a key without memory, so that memory can be registered without a call to the operating system:
     * {@link WrOpcode#REG_MR} gives it memory, and {@link WrOpcode#LOCAL_INV} removes that. Since level 3. Source:
     * {@code ib_alloc_mr} of the Linux kernel, "allocate L_Key" of the InfiniBand specification.
     *
     * @param attr attributes of the key
     * @return the new region, of length 0
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it; {@link Errno#EINVAL} for a number out of range
     */
    public final MemoryRegion allocMrKey(MrKeyInitAttr attr) {
        return Extension.require(context(), ContextSlot.ALLOC_MR_KEY, AllocMrKey.class)
                .allocMrKey(this, attr);
    }

    /**
     * Registers memory on the device. Since level 3. Source: {@code ibv_reg_dm_mr(3)}.
     *
     * @param dm the memory
     * @param dmOffset offset of the first byte
     * @param length length in bytes, from 1
     * @param access allowed operations, {@link AccessFlags} bits; they must include {@link AccessFlags#ZERO_BASED},
     *     because this memory has no address
     * @return the new region
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it; {@link Errno#EINVAL} for a range outside the memory, and without
     *     {@link AccessFlags#ZERO_BASED}
     */
    public final MemoryRegion regDmMr(DeviceMemory dm, long dmOffset, long length, int access) {
        return Extension.require(context(), ContextSlot.REG_DM_MR, RegDmMr.class)
                .regDmMr(this, dm, dmOffset, length, access);
    }

    /**
     * Allocates memory that the device can access even in guests whose memory is encrypted. Everywhere else it is
     * ordinary memory. Since level 4. Source: {@code ibv_alloc_buf(3)}.
     *
     * @param length length in bytes, from 1
     * @return a new buffer, which starts at a page boundary; its contents are undefined
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device does not support it; {@link Errno#ENOMEM} if there is no more
     */
    public final DmaBuffer allocBuf(long length) {
        return Extension.require(context(), ContextSlot.ALLOC_BUF, AllocBuf.class)
                .allocBuf(this, length);
    }

    /**
     * Imports a memory region of this domain, so that its keys can be used here. Closing the returned handle leaves the
     * region registered. When the context that registered it closes it, requests that use its keys fail, here too.
     * Since level 4. Source: {@code ibv_import_mr(3)}.
     *
     * @param handle the number of the region: its {@link MemoryRegion#exportHandle()}
     * @return a new handle of the region; {@link MemoryRegion#addr()} and {@link MemoryRegion#access()} are 0 if the
     *     device does not report them, as in C
     * @throws VerbsException as {@link Context#importPd(int)}
     */
    public final MemoryRegion importMr(int handle) {
        MemoryRegion mr = Extension.require(context(), ContextSlot.IMPORT_MR, ImportMr.class)
                .importMr(this, handle);
        mr.imported = true;
        return mr;
    }

    /**
     * {@return whether this is a handle of a domain that another context allocated, returned by {@code importPd}}
     * Closing it leaves the domain as it is. Since level 4.
     */
    public final boolean isImported() {
        return imported;
    }

    /**
     * Returns the number that identifies this domain to contexts that share a descriptor, see
     * {@link Context#exportDevice()}. The number may be reused for another object once this one is closed. Since level
     * 4. Source: {@code struct ibv_pd, handle}.
     *
     * @return the number, to pass to {@code importPd} there
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device cannot share contexts; {@link Errno#EINVAL} after close
     */
    public final int exportHandle() {
        return Extension.require(context(), ContextSlot.EXPORT_HANDLE, ExportHandle.class)
                .exportHandle(this);
    }

    /**
     * Frees the domain; for an imported one, only the handle. Source: {@code ibv_dealloc_pd(3)},
     * {@code ibv_unimport_pd(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it contains objects, including those of another context that
     *     imported it
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

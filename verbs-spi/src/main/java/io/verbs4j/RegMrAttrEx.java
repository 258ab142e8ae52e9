/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;

/**
 * Attributes for registering memory: the argument of {@link ProtectionDomain#regMrEx(RegMrAttrEx)}. Set exactly one of
 * {@link #buffer()}, {@link #addr()} and {@link #fd()}; with {@link #fd()}, set {@link #iova()} and {@link #fdOffset()}
 * too.
 *
 * <p>Since level 3. Source: {@code ibv_reg_mr_ex(3)}, {@code ibv_reg_mr_iova(3)}, {@code ibv_reg_dmabuf_mr(3)}. Not
 * thread-safe.
 */
public final class RegMrAttrEx extends InputAttr {
    private long length;
    private int access;
    private long iova;
    private long addr;
    private int fd;
    private long fdOffset;
    private Object keepAlive;
    private ByteBuffer buffer;
    private DmaHandle dmah;
    private DmaBuffer buf;

    /** Creates an instance whose masks are empty. */
    public RegMrAttrEx() {}

    /** {@return the length in bytes, from 1; ignored with {@link #buffer()}, which has its own} */
    public long length() {
        return length;
    }

    /**
     * Sets {@link #length()}.
     *
     * @param value length in bytes, from 1; ignored with {@link #buffer()}
     * @return this
     */
    public RegMrAttrEx length(long value) {
        length = value;
        return this;
    }

    /** {@return the allowed operations, {@link AccessFlags} bits} */
    public int access() {
        return access;
    }

    /**
     * Sets {@link #access()}.
     *
     * @param value allowed operations, {@link AccessFlags} bits
     * @return this
     */
    public RegMrAttrEx access(int value) {
        access = value;
        return this;
    }

    /**
     * {@return the address by which work requests and remote sides refer to the first byte} The kernel requires the
     * same offset within a page as that of the memory.
     */
    public long iova() {
        return iova;
    }

    /**
     * Sets {@link #iova()} and the bit {@link RegMrMask#IOVA}.
     *
     * @param value the address by which work requests and remote sides refer to the first byte. The kernel requires the
     *     same offset within a page as that of the memory
     * @return this
     */
    public RegMrAttrEx iova(long value) {
        iova = value;
        mark(RegMrMask.IOVA);
        return this;
    }

    /** {@return the first address of memory of this process, which must stay allocated until the region is closed} */
    public long addr() {
        return addr;
    }

    /**
     * Sets {@link #addr()} and the bit {@link RegMrMask#ADDR}.
     *
     * @param value first address of memory of this process, which must stay allocated until the region is closed
     * @return this
     */
    public RegMrAttrEx addr(long value) {
        addr = value;
        mark(RegMrMask.ADDR);
        return this;
    }

    /** {@return the memory as a buffer, between its position and its limit at registration; or null} */
    public ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Sets {@link #buffer()} and the bit {@link RegMrMask#BUFFER}. The buffer stays reachable while the region is
     * registered, and its arena cannot be closed, as with {@link ProtectionDomain#regMr(ByteBuffer, int)}. A library
     * that does not know the bit fails with EOPNOTSUPP; a buffer without {@link #iova()} is registered even by a
     * library older than level 3.
     *
     * @param value a direct buffer; null clears the bit
     * @return this
     */
    public RegMrAttrEx buffer(ByteBuffer value) {
        buffer = value;
        mark(RegMrMask.BUFFER, value);
        return this;
    }

    /**
     * Returns a copy with an address instead of the buffer; for the library, so that providers need to know only
     * addresses.
     *
     * @param address address of the byte at the buffer's position
     * @return a copy with all other attributes and bits, including those of later levels
     */
    public RegMrAttrEx withAddressOfBuffer(long address) {
        RegMrAttrEx copy = new RegMrAttrEx();
        copy.length = buffer.remaining();
        copy.access = access;
        copy.iova = iova;
        copy.addr = address;
        copy.fd = fd;
        copy.fdOffset = fdOffset;
        copy.keepAlive = keepAlive;
        copy.dmah = dmah;
        copy.buf = buf;
        copy.masks(compMask() & ~RegMrMask.BUFFER | RegMrMask.ADDR, compMask2());
        return copy;
    }

    /** {@return the file descriptor of a dma-buf; the region keeps the buffer, not the descriptor} */
    public int fd() {
        return fd;
    }

    /**
     * Sets {@link #fd()} and the bit {@link RegMrMask#FD}.
     *
     * @param value file descriptor of a dma-buf; the region keeps the buffer, not the descriptor
     * @return this
     */
    public RegMrAttrEx fd(int value) {
        fd = value;
        mark(RegMrMask.FD);
        return this;
    }

    /** {@return the offset in the dma-buf at which the memory starts, in bytes} */
    public long fdOffset() {
        return fdOffset;
    }

    /**
     * Sets {@link #fdOffset()} and the bit {@link RegMrMask#FD_OFFSET}.
     *
     * @param value offset in the dma-buf at which the memory starts, in bytes
     * @return this
     */
    public RegMrAttrEx fdOffset(long value) {
        fdOffset = value;
        mark(RegMrMask.FD_OFFSET);
        return this;
    }

    /**
     * {@return the object kept reachable while the region is registered, as with {@link ProtectionDomain#regMr(long,
     * long, int, Object)}; may be null}
     */
    public Object keepAlive() {
        return keepAlive;
    }

    /**
     * Sets {@link #keepAlive()}.
     *
     * @param value object kept reachable while the region is registered, as with
     *     {@link ProtectionDomain#regMr(long, long, int, Object)}; may be null
     * @return this
     */
    public RegMrAttrEx keepAlive(Object value) {
        keepAlive = value;
        return this;
    }

    /** {@return the hints for the device's accesses over PCIe; null if they are not set} */
    public DmaHandle dmah() {
        return dmah;
    }

    /**
     * Sets {@link #dmah()} and the bit {@link RegMrMask#DMAH}. The hints cannot be freed while the region is
     * registered. Since level 4.
     *
     * @param value the hints; null clears the bit
     * @return this
     */
    public RegMrAttrEx dmah(DmaHandle value) {
        dmah = value;
        mark(RegMrMask.DMAH, value);
        return this;
    }

    /** {@return the buffer that the memory at {@link #addr()} belongs to; null if it is not set} */
    public DmaBuffer buf() {
        return buf;
    }

    /**
     * Sets {@link #buf()} and the bit {@link RegMrMask#BUF}; with {@link #addr()} and {@link #length()}, which select
     * the part of the buffer to register. The buffer cannot be freed while the region is registered. Since level 4.
     *
     * @param value a buffer of the same protection domain; null clears the bit
     * @return this
     */
    public RegMrAttrEx buf(DmaBuffer value) {
        buf = value;
        mark(RegMrMask.BUF, value);
        return this;
    }

    /** Returns whether {@link ProtectionDomain#regMr(ByteBuffer, int)} supports all of these attributes. */
    boolean isBuffer() {
        return buffer != null && hasOnly(RegMrMask.BUFFER, 0) && (compMask() & RegMrMask.BUFFER) != 0;
    }

    /** Returns whether a verb of level 1 supports all of these attributes, for an address. */
    boolean isBase() {
        return hasOnly(RegMrMask.ADDR | RegMrMask.IOVA, 0)
                && (compMask() & RegMrMask.ADDR) != 0
                && ((compMask() & RegMrMask.IOVA) == 0 || iova == addr);
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}

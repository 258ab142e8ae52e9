/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;

/**
 * What is registered, and how: the argument of {@link ProtectionDomain#regMrEx(RegMrAttrEx)}. Exactly one of {@link
 * #buffer()}, {@link
 * #addr()} and {@link #fd()} is to be set; with {@link #fd()}, {@link #iova()} and {@link #fdOffset()} too.
 *
 * <p>Since level 3. Source: {@code ibv_reg_mr_ex(3)}, {@code ibv_reg_mr_iova(3)}, {@code ibv_reg_dmabuf_mr(3)}. Not thread-safe.
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

    /** {@return length in bytes, from 1; does not count with {@link #buffer()}, which has its own} */
    public long length() {
        return length;
    }

    /**
     * Sets {@link #length()}.
     *
     * @param value length in bytes, from 1; does not count with {@link #buffer()}
     * @return this
     */
    public RegMrAttrEx length(long value) {
        length = value;
        return this;
    }

    /** {@return what is allowed, {@link AccessFlags} bits} */
    public int access() {
        return access;
    }

    /**
     * Sets {@link #access()}.
     *
     * @param value what is allowed, {@link AccessFlags} bits
     * @return this
     */
    public RegMrAttrEx access(int value) {
        access = value;
        return this;
    }

    /** {@return the address that work requests and remote sides name the first byte by. The kernel asks that it lies as far into a page as the memory does} */
    public long iova() {
        return iova;
    }

    /**
     * Sets {@link #iova()} and the bit {@link RegMrMask#IOVA}.
     *
     * @param value the address that work requests and remote sides name the first byte by. The kernel asks that it lies as far into a page as the memory does
     * @return this
     */
    public RegMrAttrEx iova(long value) {
        iova = value;
        mark(RegMrMask.IOVA);
        return this;
    }

    /** {@return first address of memory of this process, which must stay allocated until the region is closed} */
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

    /** {@return the memory, as a buffer: what is between its position and its limit when it is registered; or null} */
    public ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Sets {@link #buffer()} and the bit {@link RegMrMask#BUFFER}. The buffer is kept while the region is registered,
     * and an arena that its memory belongs to can't be closed, as by {@link ProtectionDomain#regMr(ByteBuffer, int)}. A
     * library that does not know the bit refuses it, EOPNOTSUPP; one older than level 3 registers a buffer without
     * {@link #iova()} all the same.
     *
     * @param value a direct buffer; null clears the bit, as if it had never been set
     * @return this
     */
    public RegMrAttrEx buffer(ByteBuffer value) {
        buffer = value;
        mark(RegMrMask.BUFFER, value);
        return this;
    }

    /**
     * The same with an address in place of the buffer, for whoever knows that: the library, so that providers know
     * addresses alone.
     *
     * @param address address of what is at the buffer's position
     * @return a copy with all other attributes and bits, those of later levels too
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

    /** {@return file descriptor of a dma-buf; the region keeps the buffer, not the descriptor} */
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

    /** {@return where in the dma-buf the memory begins, in bytes} */
    public long fdOffset() {
        return fdOffset;
    }

    /**
     * Sets {@link #fdOffset()} and the bit {@link RegMrMask#FD_OFFSET}.
     *
     * @param value where in the dma-buf the memory begins, in bytes
     * @return this
     */
    public RegMrAttrEx fdOffset(long value) {
        fdOffset = value;
        mark(RegMrMask.FD_OFFSET);
        return this;
    }

    /** {@return what is kept reachable while the region is registered, as by {@link ProtectionDomain#regMr(long, long, int, Object)}; may be null} */
    public Object keepAlive() {
        return keepAlive;
    }

    /**
     * Sets {@link #keepAlive()}.
     *
     * @param value what is kept reachable while the region is registered, as by {@link ProtectionDomain#regMr(long, long, int, Object)}; may be null
     * @return this
     */
    public RegMrAttrEx keepAlive(Object value) {
        keepAlive = value;
        return this;
    }

    /** {@return hints for the device's accesses over PCIe; null where they are not set} */
    public DmaHandle dmah() {
        return dmah;
    }

    /**
     * Sets {@link #dmah()} and the bit {@link RegMrMask#DMAH}. The hints can't be freed while the region is registered.
     * Since level 4.
     *
     * @param value the hints; null clears the bit, as if it had never been set
     * @return this
     */
    public RegMrAttrEx dmah(DmaHandle value) {
        dmah = value;
        mark(RegMrMask.DMAH, value);
        return this;
    }

    /** {@return what the memory belongs to that {@link #addr()} names; null where it is not set} */
    public DmaBuffer buf() {
        return buf;
    }

    /**
     * Sets {@link #buf()} and the bit {@link RegMrMask#BUF}; with {@link #addr()} and {@link #length()}, which say what
     * of the buffer is registered. The buffer can't be freed while the region is registered. Since level 4.
     *
     * @param value a buffer of the same protection domain; null clears the bit, as if it had never been set
     * @return this
     */
    public RegMrAttrEx buf(DmaBuffer value) {
        buf = value;
        mark(RegMrMask.BUF, value);
        return this;
    }

    /** Whether {@link ProtectionDomain#regMr(ByteBuffer, int)} can do all of this. */
    boolean isBuffer() {
        return buffer != null && hasOnly(RegMrMask.BUFFER, 0) && (compMask() & RegMrMask.BUFFER) != 0;
    }

    /** Whether a verb of level 1 can do all of this, of an address. */
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

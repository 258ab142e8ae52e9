/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * The memory to register for DevX commands, and how. The mask records which optional members were set. Not thread-safe.
 * Source: {@code struct mlx5dv_devx_umem_in}, mlx5dv_devx_umem_reg(3).
 */
public final class DevxUmemAttr {
    /** Mask bit: {@link #dmabufFd(int)} was set. Source: {@code MLX5DV_UMEM_MASK_DMABUF}. */
    public static final long MASK_DMABUF = 1 << 0;

    private long addr;
    private long size;
    private int access;
    private long pgszBitmap = -1L << 12;
    private long compMask;
    private int dmabufFd;
    private ByteBuffer buffer;

    /** Creates attributes without memory, which allow any page size. */
    public DevxUmemAttr() {}

    /**
     * Sets the memory: the bytes between position and limit of a buffer, which stays reachable while it is registered.
     *
     * @param memory a direct buffer
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for null or a buffer that is not direct
     */
    public DevxUmemAttr buffer(ByteBuffer memory) {
        if (memory == null || !memory.isDirect()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "mlx5dv_devx_umem_reg",
                    "the buffer is null or not direct; use ByteBuffer.allocateDirect");
        }
        buffer = memory;
        addr = NativeMemory.address(memory) + memory.position();
        size = memory.remaining();
        return this;
    }

    /**
     * Sets the memory by address. The program must keep it there while it is registered.
     *
     * @param address the first byte; with {@link #dmabufFd(int)}, an offset in the dma-buf
     * @param length number of bytes
     * @return this
     */
    public DevxUmemAttr range(long address, long length) {
        buffer = null;
        addr = address;
        size = length;
        return this;
    }

    /**
     * Sets the device's access to the memory.
     *
     * @param flags {@link io.verbs4j.AccessFlags} bits: LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ
     * @return this
     */
    public DevxUmemAttr access(int flags) {
        access = flags;
        return this;
    }

    /**
     * Restricts the page sizes that the device may use. Commands that give an offset in the memory need a restriction;
     * by default there is none.
     *
     * @param bitmap one bit for each power of two, from 4 KiB
     * @return this
     */
    public DevxUmemAttr pgszBitmap(long bitmap) {
        pgszBitmap = bitmap;
        return this;
    }

    /**
     * Sets the dma-buf that contains the memory. Requires libmlx5 of rdma-core 43 or later; registering with an older
     * one fails with EOPNOTSUPP.
     *
     * @param fd descriptor of the dma-buf, which the program keeps and closes
     * @return this
     */
    public DevxUmemAttr dmabufFd(int fd) {
        dmabufFd = fd;
        compMask |= MASK_DMABUF;
        return this;
    }

    /** {@return the optional members that were set, {@code MASK_} bits} */
    public long compMask() {
        return compMask;
    }

    /** {@return the address of the memory, or with a dma-buf the offset in it} */
    public long addr() {
        return addr;
    }

    /** {@return the number of bytes} */
    public long size() {
        return size;
    }

    /** {@return the device's access to the memory, {@link io.verbs4j.AccessFlags} bits} */
    public int access() {
        return access;
    }

    /** {@return the page sizes that the device may use, one bit for each power of two} */
    public long pgszBitmap() {
        return pgszBitmap;
    }

    /** {@return the descriptor of the dma-buf; meaningless without {@link #MASK_DMABUF}} */
    public int dmabufFd() {
        return dmabufFd;
    }

    ByteBuffer buffer() {
        return buffer;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * What memory to register for DevX commands, and how. The mask says which of the optional members were set. To be used by one
 * thread at a time. Source: {@code struct mlx5dv_devx_umem_in}, mlx5dv_devx_umem_reg(3).
 */
public final class DevxUmemAttr {
    /** Bit of the mask: {@link #dmabufFd(int)} was set. Source: {@code MLX5DV_UMEM_MASK_DMABUF}. */
    public static final long MASK_DMABUF = 1 << 0;

    private long addr;
    private long size;
    private int access;
    private long pgszBitmap = -1L << 12;
    private long compMask;
    private int dmabufFd;
    private ByteBuffer buffer;

    /** No memory yet; any page size that goes. */
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
     * Sets the memory by address. The program keeps it there while it is registered.
     *
     * @param address the first byte; with {@link #dmabufFd(int)}, an offset in that
     * @param length in bytes
     * @return this
     */
    public DevxUmemAttr range(long address, long length) {
        buffer = null;
        addr = address;
        size = length;
        return this;
    }

    /**
     * Sets what the device may do with the memory.
     *
     * @param flags {@link io.verbs4j.AccessFlags} bits: LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ
     * @return this
     */
    public DevxUmemAttr access(int flags) {
        access = flags;
        return this;
    }

    /**
     * Sets which page sizes the device may use. Commands that give an offset in the memory need a limit; the default is none.
     *
     * @param bitmap one bit for each power of two, from 4 KiB
     * @return this
     */
    public DevxUmemAttr pgszBitmap(long bitmap) {
        pgszBitmap = bitmap;
        return this;
    }

    /**
     * Sets a dma-buf whose memory it is. Needs libmlx5 of rdma-core 43 or later: an older one answers EOPNOTSUPP.
     *
     * @param fd descriptor of the dma-buf, which stays the program's
     * @return this
     */
    public DevxUmemAttr dmabufFd(int fd) {
        dmabufFd = fd;
        compMask |= MASK_DMABUF;
        return this;
    }

    /**
     * Which of the optional members were set.
     *
     * @return {@code MASK_} bits
     */
    public long compMask() {
        return compMask;
    }

    /**
     * Where the memory begins.
     *
     * @return an address, or with a dma-buf an offset in that
     */
    public long addr() {
        return addr;
    }

    /**
     * How much memory it is.
     *
     * @return in bytes
     */
    public long size() {
        return size;
    }

    /**
     * What the device may do with it.
     *
     * @return {@link io.verbs4j.AccessFlags} bits
     */
    public int access() {
        return access;
    }

    /**
     * Which page sizes the device may use.
     *
     * @return one bit for each power of two
     */
    public long pgszBitmap() {
        return pgszBitmap;
    }

    /**
     * The dma-buf whose memory it is.
     *
     * @return its descriptor; of no meaning without {@link #MASK_DMABUF}
     */
    public int dmabufFd() {
        return dmabufFd;
    }

    ByteBuffer buffer() {
        return buffer;
    }
}

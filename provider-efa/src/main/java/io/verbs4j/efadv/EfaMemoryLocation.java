/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/**
 * Where a word is that the device counts in. Immutable; the buffer stays reachable while the device knows it. Source: efadv_create_comp_cntr(3),
 * {@code struct efadv_memory_location}.
 */
public final class EfaMemoryLocation {
    /** Memory of this process. Source: {@code EFADV_MEMORY_LOCATION_VA}. */
    public static final int VA = 0;

    /** What a dma-buf stands for. Source: {@code EFADV_MEMORY_LOCATION_DMABUF}. */
    public static final int DMABUF = 1;

    private final int type;
    private final ByteBuffer memory;
    private final int fd;
    private final long offset;

    private EfaMemoryLocation(int type, ByteBuffer memory, int fd, long offset) {
        if (memory != null && (!memory.isDirect() || memory.remaining() < Long.BYTES)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "efadv_create_comp_cntr",
                    "the buffer is not direct, or has less than 8 bytes between position and limit");
        }
        this.type = type;
        this.memory = memory == null ? null : memory.slice().order(memory.order());
        this.fd = fd;
        this.offset = offset;
    }

    /**
     * The first 8 bytes between position and limit of a buffer.
     *
     * @param memory a direct buffer; its address at the position is a multiple of 8
     * @return the place
     * @throws VerbsException {@link Errno#EINVAL} for null, a buffer that is not direct, or a shorter one
     */
    public static EfaMemoryLocation of(ByteBuffer memory) {
        if (memory == null) {
            throw new VerbsException(Errno.EINVAL, "efadv_create_comp_cntr", "memory is null; pass a direct buffer");
        }
        return new EfaMemoryLocation(VA, memory, -1, 0);
    }

    /**
     * 8 bytes behind a dma-buf, such as memory of a GPU.
     *
     * @param fd the descriptor, which stays the program's
     * @param offset where they begin; a multiple of 8
     * @param mapping the same 8 bytes as this process sees them, between position and limit of a direct buffer; null where it does not: the
     *     counter can't be read then
     * @return the place
     * @throws VerbsException {@link Errno#EINVAL} for a mapping that is not direct, or is shorter
     */
    public static EfaMemoryLocation ofDmabuf(int fd, long offset, ByteBuffer mapping) {
        return new EfaMemoryLocation(DMABUF, mapping, fd, offset);
    }

    /** {@return {@link #VA} or {@link #DMABUF}} */
    public int type() {
        return type;
    }

    /** {@return the descriptor of the dma-buf; -1 for memory of this process} */
    public int fd() {
        return fd;
    }

    /** {@return where in the dma-buf it is, in bytes} */
    public long offset() {
        return offset;
    }

    /** What this process sees of it; null for nothing. */
    ByteBuffer memory() {
        return memory;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/**
 * The location of the 8 bytes that a device counts in. Immutable; the buffer stays reachable while the device uses it.
 * Source: {@code efadv_create_comp_cntr(3)}, {@code struct efadv_memory_location}.
 */
public final class EfaMemoryLocation {
    /** Type: memory of this process. Source: {@code EFADV_MEMORY_LOCATION_VA}. */
    public static final int VA = 0;

    /** Type: memory of a dma-buf. Source: {@code EFADV_MEMORY_LOCATION_DMABUF}. */
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
     * Returns the location of the first 8 bytes between position and limit of a buffer.
     *
     * @param memory a direct buffer whose address at the position is a multiple of 8
     * @return the location
     * @throws VerbsException {@link Errno#EINVAL} if the buffer is null, not direct, or has less than 8 bytes left
     */
    public static EfaMemoryLocation of(ByteBuffer memory) {
        if (memory == null) {
            throw new VerbsException(Errno.EINVAL, "efadv_create_comp_cntr", "memory is null; pass a direct buffer");
        }
        return new EfaMemoryLocation(VA, memory, -1, 0);
    }

    /**
     * Returns the location of 8 bytes in a dma-buf, such as GPU memory.
     *
     * @param fd the file descriptor, which remains the program's
     * @param offset offset of the bytes in the dma-buf, a multiple of 8
     * @param mapping a direct buffer whose position is at this process's mapping of the same 8 bytes; null if the
     *     process does not map them, and then the counter cannot be read
     * @return the location
     * @throws VerbsException {@link Errno#EINVAL} if the mapping is not direct or has less than 8 bytes left
     */
    public static EfaMemoryLocation ofDmabuf(int fd, long offset, ByteBuffer mapping) {
        return new EfaMemoryLocation(DMABUF, mapping, fd, offset);
    }

    /** {@return {@link #VA} or {@link #DMABUF}} */
    public int type() {
        return type;
    }

    /** {@return the file descriptor of the dma-buf; -1 for memory of this process} */
    public int fd() {
        return fd;
    }

    /** {@return the offset in the dma-buf, in bytes} */
    public long offset() {
        return offset;
    }

    /** {@return this process's mapping of the bytes, or null} */
    ByteBuffer memory() {
        return memory;
    }
}

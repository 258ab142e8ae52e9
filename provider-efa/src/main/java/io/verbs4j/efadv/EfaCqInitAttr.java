/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/**
 * EFA's attributes of a new completion queue. Not thread-safe. Source: {@code efadv_create_cq(3)}, {@code struct
 * efadv_cq_init_attr}.
 */
public final class EfaCqInitAttr {
    private long wcFlags;
    private boolean inMemory;
    private int fd;
    private long offset;
    private long length;
    private ByteBuffer mapping;

    /** Creates attributes that add nothing to the verbs' own. */
    public EfaCqInitAttr() {}

    /** {@return EFA's additional completion fields, {@link EfaWcFlags} bits} */
    public long wcFlags() {
        return wcFlags;
    }

    /**
     * Requests additional fields in completions.
     *
     * @param bits {@link EfaWcFlags} bits
     * @return this
     */
    public EfaCqInitAttr wcFlags(long bits) {
        wcFlags = bits;
        return this;
    }

    /**
     * Places the queue in the memory of a dma-buf, such as GPU memory. Requires rdma-core 59.
     *
     * <p>If this process maps the memory as well, it polls as usual; any other reader must keep its own position. If it
     * does not, polling fails with {@link Errno#EOPNOTSUPP}. Such a queue has no doorbell and therefore cannot have a
     * completion channel. Source: {@code EFADV_CQ_INIT_FLAGS_EXT_MEM_DMABUF}.
     *
     * @param dmabuf the file descriptor, which remains the program's
     * @param offset offset of the queue in the dma-buf, in bytes
     * @param length size of the memory in bytes: room for at least the queue's entries, rounded up to a power of two,
     *     at 32 bytes each
     * @param memory a direct buffer whose position is at this process's mapping of the same memory; it is set to 0, and
     *     stays reachable while the queue is open. Null if the process does not map the memory: its reader must have
     *     set it to 0
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} if the buffer is not direct or is shorter than {@code length}
     */
    public EfaCqInitAttr extMemDmabuf(int dmabuf, long offset, long length, ByteBuffer memory) {
        if (memory != null && (!memory.isDirect() || memory.remaining() < length)) {
            throw new VerbsException(
                    Errno.EINVAL, "efadv_create_cq", "the buffer is not direct, or shorter than " + length + " bytes");
        }
        this.inMemory = true;
        this.fd = dmabuf;
        this.offset = offset;
        this.length = length;
        this.mapping = memory == null ? null : memory.slice();
        return this;
    }

    /** {@return whether the queue lies in a dma-buf} */
    public boolean isExtMemDmabuf() {
        return inMemory;
    }

    /** {@return the file descriptor of the dma-buf} */
    public int dmabufFd() {
        return fd;
    }

    /** {@return the offset of the queue in the dma-buf, in bytes} */
    public long dmabufOffset() {
        return offset;
    }

    /** {@return the size of the memory in bytes} */
    public long dmabufLength() {
        return length;
    }

    /** {@return this process's mapping of the queue, or null} */
    public ByteBuffer dmabufMapping() {
        return mapping;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.nio.ByteBuffer;

/**
 * What a completion queue is made of beyond the verbs. Not thread-safe. Source: efadv_create_cq(3), {@code struct efadv_cq_init_attr}.
 */
public final class EfaCqInitAttr {
    private long wcFlags;
    private boolean inMemory;
    private int fd;
    private long offset;
    private long length;
    private ByteBuffer mapping;

    /** A completion queue with nothing more. */
    public EfaCqInitAttr() {}

    /** {@return what completions have beyond the verbs, {@link EfaWcFlags} bits} */
    public long wcFlags() {
        return wcFlags;
    }

    /**
     * Says what completions have beyond the verbs.
     *
     * @param bits of {@link EfaWcFlags}
     * @return this
     */
    public EfaCqInitAttr wcFlags(long bits) {
        wcFlags = bits;
        return this;
    }

    /**
     * Has the device write completions to memory behind a dma-buf, such as that of a GPU; rdma-core 59. Where this process sees the memory, too, it
     * polls as usual, and whoever else does keeps count for himself. Where it does not, polling answers {@link Errno#EOPNOTSUPP}. Such a queue has
     * no doorbell, so it goes without a channel. Source: {@code EFADV_CQ_INIT_FLAGS_EXT_MEM_DMABUF}.
     *
     * @param dmabuf the descriptor, which stays the program's
     * @param offset where the queue begins in it, in bytes
     * @param length room for it in bytes: at least its entries, a power of two, of 32 bytes each
     * @param memory the same memory as this process sees it, from the position of a direct buffer; it becomes 0, and stays reachable while the
     *     queue is open. Null where it does not: whoever reads the queue has made it 0
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for a buffer that is not direct or is shorter
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

    /** {@return whether completions go to memory behind a dma-buf} */
    public boolean isExtMemDmabuf() {
        return inMemory;
    }

    /** {@return the descriptor of the dma-buf} */
    public int dmabufFd() {
        return fd;
    }

    /** {@return where the queue begins in the dma-buf, in bytes} */
    public long dmabufOffset() {
        return offset;
    }

    /** {@return room for the queue in bytes} */
    public long dmabufLength() {
        return length;
    }

    /** {@return the memory of the queue as this process sees it; null where it does not} */
    public ByteBuffer dmabufMapping() {
        return mapping;
    }
}

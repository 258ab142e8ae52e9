/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Gives the memory for rings and doorbell records, in place of libmlx5's own: see {@link Mlx5Dv#bufferAllocator(BufferAllocator)}.
 *
 * <p>It is called on the threads that create and destroy queues, by several at a time. An exception does not get to libmlx5: it goes
 * to the thread's uncaught exception handler, and the queue is not made ({@link io.verbs4j.Errno#ENOMEM}). Source:
 * mlx5dv_set_context_attr(3), {@code struct mlx5dv_ctx_allocators}.
 */
public interface BufferAllocator {
    /**
     * Gives memory that nobody else uses until {@link #free}. It is written to at once, by this process and by the device: an
     * address without memory behind it ends the JVM.
     *
     * @param size in bytes
     * @return the address, a multiple of the machine's page size; 0 where there is none
     */
    long allocate(long size);

    /**
     * Takes memory back. The last of it, doorbell records, comes when the context is closed.
     *
     * @param address what {@link #allocate} of this allocator has returned
     */
    void free(long address);
}

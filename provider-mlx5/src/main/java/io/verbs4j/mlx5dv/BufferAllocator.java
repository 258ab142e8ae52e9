/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Allocates the memory for rings and doorbell records in place of libmlx5: see
 * {@link Mlx5Dv#bufferAllocator(BufferAllocator)}.
 *
 * <p>It is called concurrently, on the threads that create and destroy queues. An exception does not reach libmlx5: it
 * is passed to the thread's uncaught exception handler, and creating the queue fails with
 * {@link io.verbs4j.Errno#ENOMEM}. Source: mlx5dv_set_context_attr(3), {@code struct mlx5dv_ctx_allocators}.
 */
public interface BufferAllocator {
    /**
     * Allocates memory that nothing else uses until {@link #free}. This process and the device write to it at once: an
     * address without memory behind it crashes the JVM.
     *
     * @param size number of bytes
     * @return the address, a multiple of the machine's page size; 0 if there is no memory left
     */
    long allocate(long size);

    /**
     * Frees memory. The last of it, the doorbell records, is freed when the context is closed.
     *
     * @param address an address that {@link #allocate} of this allocator returned
     */
    void free(long address);
}

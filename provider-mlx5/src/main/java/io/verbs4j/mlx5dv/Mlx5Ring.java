/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * A ring of a queue pair, in the memory that the process and the device share.
 *
 * @param buf the address of its first element; meaningless for a ring without elements
 * @param wqeCount number of elements, a power of two; 0 if there is no such queue
 * @param stride bytes from one element to the next
 */
public record Mlx5Ring(long buf, int wqeCount, int stride) {}

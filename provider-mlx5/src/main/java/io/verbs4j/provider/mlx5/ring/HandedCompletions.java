/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/**
 * A completion queue that device code has taken over.
 *
 * @param buf address of its entries
 * @param count number of entries, a power of 2
 * @param size size of an entry in bytes
 * @param record address of the record with the consumer index
 * @param number the queue's number
 * @param consumed number of completions read so far
 */
public record HandedCompletions(long buf, int count, int size, long record, int number, int consumed) {}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

/**
 * The memory layout of a completion queue, as libefa reports it.
 *
 * @param buffer address of the ring
 * @param entrySize size of an entry in bytes
 * @param numEntries number of entries
 * @param doorbell address of the doorbell; 0 if the queue has none
 */
public record CqPlace(long buffer, int entrySize, int numEntries, long doorbell) {}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Where a completion queue is. Source: efadv_query_cq(3).
 *
 * @param buffer address of the ring
 * @param entrySize size of an entry in bytes
 * @param numEntries how many there are
 * @param doorbell address of the doorbell; 0 where there is none
 */
public record EfaCompletionQueue(long buffer, int entrySize, int numEntries, long doorbell) {}

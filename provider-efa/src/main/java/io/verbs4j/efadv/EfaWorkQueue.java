/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Where a work queue is. The provider posts there: who writes it too, breaks it. Source: efadv_query_qp_wqs(3).
 *
 * @param buffer address of the ring; that of sends lies on the device, and must never be read
 * @param entrySize size of an entry in bytes
 * @param numEntries how many there are
 * @param doorbell address of the doorbell
 * @param maxBatch most entries between two doorbells
 * @param caps {@link EfaWqCaps} bits; 0 before rdma-core 65
 */
public record EfaWorkQueue(long buffer, int entrySize, int numEntries, long doorbell, int maxBatch, int caps) {}

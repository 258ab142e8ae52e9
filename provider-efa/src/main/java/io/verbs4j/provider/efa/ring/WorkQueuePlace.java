/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

/**
 * Where a work queue is, as libefa answers it.
 *
 * @param buffer address of the ring; that of sends lies on the device, and must never be read
 * @param entrySize size of an entry in bytes
 * @param numEntries number of entries
 * @param doorbell address of the doorbell
 * @param maxBatch most entries between two doorbells
 * @param caps {@link io.verbs4j.efadv.EfaWqCaps} bits; 0 before rdma-core 65
 */
public record WorkQueuePlace(long buffer, int entrySize, int numEntries, long doorbell, int maxBatch, int caps) {}

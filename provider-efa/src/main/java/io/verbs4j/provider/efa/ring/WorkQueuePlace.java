/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

/**
 * The memory layout of a work queue, as libefa reports it.
 *
 * @param buffer address of the ring; a send ring lies on the device and must never be read
 * @param entrySize size of an entry in bytes
 * @param numEntries number of entries
 * @param doorbell address of the doorbell
 * @param maxBatch maximum number of entries between two doorbells
 * @param caps {@link io.verbs4j.efadv.EfaWqCaps} bits; 0 before rdma-core 65
 */
public record WorkQueuePlace(long buffer, int entrySize, int numEntries, long doorbell, int maxBatch, int caps) {}

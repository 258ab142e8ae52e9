/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

/**
 * A send queue that device code has taken over.
 *
 * @param buffer address of the ring, which lies on the device
 * @param count number of entries, a power of 2
 * @param size size of an entry in bytes
 * @param doorbell address of the doorbell
 * @param begin index of the next entry
 * @param phase 1 if descriptors of even rounds carry the phase bit, otherwise 0
 * @param operations a bit for each {@link io.verbs4j.WrOpcode} that the queue pair can send
 * @param batch maximum number of entries between two doorbells
 */
public record HandedSends(
        long buffer, int count, int size, long doorbell, int begin, int phase, int operations, int batch) {
    /** The verb that programs call. */
    static final String VERB = "export_ring";
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

/**
 * Where a completion queue is, as libhbl answers it.
 *
 * @param memCpuAddr address of the ring, of 16 bytes an entry
 * @param piCpuAddr address of the producer's index
 * @param regsCpuAddr address of the page of registers; 0 where it has none
 * @param regsOffset offset of the registers in that page, in bytes
 * @param cqSize bytes that the ring is mapped in: whole pages
 * @param cqNum its number at the port
 * @param cqType an {@link io.verbs4j.hbldv.HblCqTypes} value
 */
public record CqPlace(
        long memCpuAddr, long piCpuAddr, long regsCpuAddr, int regsOffset, int cqSize, int cqNum, int cqType) {}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * Where a completion queue is. Source: {@code hbldv_query_cq}.
 *
 * @param memCpuAddr address of the ring, of 16 bytes an entry
 * @param piCpuAddr address of the producer's index
 * @param regsCpuAddr address of the page of registers; 0 where it has none
 * @param regsOffset where in that page, in bytes
 * @param cqSize bytes that the ring is mapped in: whole pages; how many entries there are, {@link io.verbs4j.CompletionQueue#cqe()} tells
 * @param cqNum its number at the port
 * @param cqType an {@link HblCqTypes} value
 */
public record HblQueryCqAttr(
        long memCpuAddr, long piCpuAddr, long regsCpuAddr, int regsOffset, int cqSize, int cqNum, int cqType) {}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * What a queue pair is to the device. Source: {@code hbldv_query_qp}.
 *
 * @param qpNum its number on the wire, from INIT on; 0 before
 * @param swqCpuAddr address of its send ring, from RTS on; 0 where that is in the device's memory
 * @param rwqCpuAddr address of its receive ring, likewise
 */
public record HblQueryQpAttr(int qpNum, long swqCpuAddr, long rwqCpuAddr) {}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

/**
 * What a queue pair is to the device, as libhbl answers it.
 *
 * @param qpNum its number on the wire, from INIT on; 0 before
 * @param swqCpuAddr address of its send ring, from RTS on; 0 where that is in the device's memory
 * @param rwqCpuAddr address of its receive ring, likewise
 */
public record QpPlace(int qpNum, long swqCpuAddr, long rwqCpuAddr) {}

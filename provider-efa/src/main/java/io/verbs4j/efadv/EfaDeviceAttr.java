/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * What a device is. Source: efadv_query_device(3).
 *
 * @param maxSqWr most requests in a send queue
 * @param maxRqWr most requests in a receive queue
 * @param maxSqSge most elements of a send
 * @param maxRqSge most elements of a receive
 * @param inlineBufSize most inline data in bytes
 * @param inlineBufSizeEx most inline data in bytes of queue pairs that are made for more; 0 before rdma-core 63
 * @param deviceCaps {@link EfaDeviceCap} bits
 * @param maxRdmaSize most bytes of an RDMA read or write
 */
public record EfaDeviceAttr(
        int maxSqWr,
        int maxRqWr,
        int maxSqSge,
        int maxRqSge,
        int inlineBufSize,
        int inlineBufSizeEx,
        int deviceCaps,
        int maxRdmaSize) {}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The wire format of RoCE v2: opcodes, headers, received packets, the invariant CRC and packet captures.
 *
 * <p>This package is independent of queue pairs and sockets. All numbers follow the InfiniBand Architecture
 * Specification volume 1 and its annex A17, so that the device interoperates with Linux's rxe and with adapters.
 */
package io.verbs4j.provider.rxe.wire;

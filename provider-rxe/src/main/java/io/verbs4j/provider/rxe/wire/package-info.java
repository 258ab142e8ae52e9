/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The wire of RoCE v2: opcodes, headers, received packets, the invariant CRC and packet captures.
 *
 * <p>Nothing here knows of queue pairs or sockets. All numbers are as in the InfiniBand Architecture Specification volume 1 and
 * its annex A17, so that the device talks to Linux's rxe and to adapters.
 */
package io.verbs4j.provider.rxe.wire;

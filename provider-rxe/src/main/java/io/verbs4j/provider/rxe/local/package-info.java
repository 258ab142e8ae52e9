/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages between queue pairs of one JVM, copied once and without packets: by {@link
 * io.verbs4j.provider.rxe.local.LocalPath} for connected queue pairs, by {@link
 * io.verbs4j.provider.rxe.local.LocalDatagrams} for UD.
 *
 * <pre>
 *   PlainWrites       RDMA writes that need no place in the send queue
 *   ForeignDelivery   a message for a shared receive queue of another process
 *   GrhWriter         the header in front of a received datagram, even of one that came as a packet
 * </pre>
 */
package io.verbs4j.provider.rxe.local;

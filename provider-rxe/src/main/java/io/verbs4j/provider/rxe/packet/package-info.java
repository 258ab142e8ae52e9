/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The InfiniBand transport in packets of RoCE v2: carries out send queues and receives packets.
 * {@link io.verbs4j.provider.rxe.packet.PacketPaths} is the entry point for the port,
 * {@link io.verbs4j.provider.rxe.packet.PacketHost} has the port's services to packets.
 *
 * <pre>
 *   Dispatcher      one per link: finds the queue pair of a packet, and notifies it when a burst has ended
 *   RcPath          RcRequester (sends, repeats), RcCompleter (processes responses), RcResponder (executes requests)
 *   Handoff         moves slow requests to a thread of their own: XRC between processes, flushes to disk
 *   UcPath, UdPath  both halves in one, because they have little state
 *   RequestWriter, AcknowledgeWriter, ReadResponder   create packets, in a PacketOutput
 * </pre>
 */
package io.verbs4j.provider.rxe.packet;

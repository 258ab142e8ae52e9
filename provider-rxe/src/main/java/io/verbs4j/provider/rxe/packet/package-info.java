/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The InfiniBand transport in packets of RoCE v2: what carries out send queues and takes packets in. {@link
 * io.verbs4j.provider.rxe.packet.PacketPaths} is the way in from the port, {@link
 * io.verbs4j.provider.rxe.packet.PacketHost} is what packets need of it.
 *
 * <pre>
 *   Dispatcher      one for each link: finds the queue pair, and tells it when a burst has ended
 *   RcPath          RcRequester (sends, repeats), RcCompleter (understands responses), RcResponder (executes requests)
 *   Handoff         takes requests that may take long to a thread of their own: XRC between processes, flushes to disk
 *   UcPath, UdPath  both halves in one: there is little to remember
 *   RequestWriter, AcknowledgeWriter, ReadResponder   make packets, in a PacketOutput
 * </pre>
 */
package io.verbs4j.provider.rxe.packet;

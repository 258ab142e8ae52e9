/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Soft-RoCE. {@link io.verbs4j.provider.rxe.RxeProvider} lists the embedded devices; {@link
 * io.verbs4j.provider.rxe.RxeContext} is an open one. Its verbs are implemented by the classes {@code Rxe...Verbs}, by
 * topic.
 *
 * <p>The packages, from top to bottom, below this one. Each uses only packages further down (a test rejects cycles):
 *
 * <pre>
 *   gsi      queue pair 1, for the connection manager
 *   port     the port of a device: its addresses, links, queue pairs and threads
 *   xrc      XRC domains, within this process and between processes
 *   packet   the transport: sends and receives messages as packets
 *   local    messages between queue pairs of one JVM, without packets
 *   qp       queue pairs, and the receiver's part of both transports
 *   queue    send, receive and completion queues, events
 *   link     carries packets between addresses: sockets, pipes, and the system calls for both
 *   share    memory and packets shared with other processes of this machine
 *   files    how processes of one user find each other
 *   wire     packet formats
 *   memory   access to memory; regions, windows, domains and their keys
 *   flight   events for the JDK's flight recorder
 *   random   random numbers
 *   clock    clocks and rates
 *   base     errors, interrupts, and this process
 * </pre>
 */
package io.verbs4j.provider.rxe;

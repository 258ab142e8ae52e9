/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Extended reliable connections: domains, with their shared receive queues and receiving queue pairs.
 *
 * <pre>
 *   XrcDomains       one for each port: the domains, those with a file by the file's identity
 *   XrcDomainState   a domain: its shared receive queues and queue pairs by number
 *   RxeXrcDomain       a program's handle of a domain; each context has its own
 *   RxeXrcQp        a receiving queue pair, which lives until its last handle is closed
 *   RxeXrcQueuePair      a program's handle of a receiving queue pair, through an XrcHold
 *   XrcInbox         finds the shared receive queue that a request names
 *
 *   between processes, over Unix domain sockets:
 *   Rendezvous       where the processes that share a domain find each other
 *   XrcPeer          delivers messages to another process's queues, where an XrcService receives them
 *   RemoteTarget     the connection of a handle to a queue pair of another process, where an XrcGuest has it open
 *   FrameChannel     the connection that both use
 * </pre>
 */
package io.verbs4j.provider.rxe.xrc;

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Extended reliable connections: domains, the shared receive queues and receiving queue pairs in them.
 *
 * <pre>
 *   XrcDomains       one for each port: the domains, those with a file by the file's identity
 *   XrcDomainState   a domain: its shared receive queues and queue pairs by number
 *   XrcdHandle       what programs have of a domain; each context has its own
 *   XrcTarget        a receiving queue pair, which lives until its last handle is closed
 *   XrcQpHandle      what programs have of one, by way of an XrcHold
 *   XrcInbox         finds the shared receive queue that a request names
 *
 *   between processes, over Unix domain sockets:
 *   Rendezvous       where the processes that share a domain find each other
 *   XrcPeer          hands messages over to another process's queues; there, an XrcService receives them
 *   RemoteTarget     a handle's way to a queue pair of another process; there, an XrcGuest has it open
 *   FrameChannel     what both speak
 * </pre>
 */
package io.verbs4j.provider.rxe.xrc;

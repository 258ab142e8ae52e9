/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The connection manager in Java, for devices that only move management packets. {@link io.verbs4j.cm.engine.Engines}
 * is the way in: it chooses the connection manager of a device, and keeps an engine for each port of this process.
 *
 * <pre>
 *   engine        Engine: the connections, ends and deadlines of a port; its monitor guards all of them. EngineThread
 *                 calls it when a deadline is over, ExitHook at the end of the JVM. Timers, Timed: deadlines; CmTime:
 *                 how long things take
 *   ends          Endpoint: what a CmId stands for; Addressed, Addresses, AddressCheck: its addresses; EndOptions;
 *                 PortTable, ServiceId: its port
 *   connections   Connection: what the messages change; Requests, Backlog: those that come in; ConnectionSetup: what
 *                 both sides tell each other; Repeating: a message that awaits an answer; KeepAlive: whether the peer
 *                 still exists; QpMoves: attributes of the queue pair; Limits: those of the device
 *   datagrams     SidrTable: look-ups of queue pairs, in both directions
 *   messages      Mad and its subclasses: Req, Rep, Rtu, Rej, Mra, Dreq, Drep, SidrReq, SidrRep; CmaHeader
 * </pre>
 */
package io.verbs4j.cm.engine;

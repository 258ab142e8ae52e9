/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The connection manager in Java, for devices that only transfer management packets.
 *
 * <p>{@link io.verbs4j.cm.engine.Engines} is the entry point: it selects the connection manager of a device, and keeps
 * an engine for each port of this process.
 *
 * <pre>
 *   engine        Engine: the connections, ends and deadlines of a port; its monitor guards all of them. EngineThread
 *                 calls it at deadlines, ExitHook when the JVM exits. Timers, Timed: deadlines; CmTime: times and
 *                 timeouts
 *   ends          Endpoint: implements a CmId; Addressed, Addresses, AddressCheck: its addresses; EndOptions;
 *                 PortTable, ServiceId: its port
 *   connections   Connection: the state of the protocol; Requests, Backlog: incoming requests; ConnectionSetup: the
 *                 messages that set up a connection; Repeating: a message that awaits an answer; KeepAlive: detects
 *                 lost peers; QpMoves: attributes of the queue pair; Limits: those of the device
 *   datagrams     SidrTable: look-ups of queue pairs, in both directions
 *   messages      Mad and its subclasses: Req, Rep, Rtu, Rej, Mra, Dreq, Drep, SidrReq, SidrRep; CmaHeader
 * </pre>
 */
package io.verbs4j.cm.engine;

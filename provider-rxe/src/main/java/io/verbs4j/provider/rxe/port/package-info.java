/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The port of an embedded device. {@link io.verbs4j.provider.rxe.port.Port} ties the other packages together: queue
 * pairs, completion queues and packets see it through {@code QpHost}, {@code CqHost} and {@code PacketHost}.
 *
 * <pre>
 *   set-up     RxeConfig: system properties; PortAddresses: the GID table; NodeGuid
 *   threads    PortLinks: the open links, and which thread receives from them; LinkPost: where a thread of the program
 *              does; PortWorker: the thread for deadlines; Helpers: threads for slow work; Loop: the life of a thread
 *   time       DeviceClock: stands still while the worker thread does
 *   objects    MulticastGroups; Dependents: objects that keep a context from being closed
 *   counters   CounterReport: written to a file at the end; WatchedCounters: written while someone watches
 * </pre>
 */
package io.verbs4j.provider.rxe.port;

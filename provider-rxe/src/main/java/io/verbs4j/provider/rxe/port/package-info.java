/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The port of an embedded device. {@link io.verbs4j.provider.rxe.port.Port} ties the other packages together: queue
 * pairs, completion queues and packets see it through {@code QpHost}, {@code CqHost} and {@code PacketHost}.
 *
 * <pre>
 *   set-up     RxeConfig: system properties; PortAddresses: the GID table; NodeGuid
 *   threads    PortLinks: the open links, and which thread receives from them; LinkPost: a thread of the program that
 *              does; PortWorker: the thread for deadlines; Helpers: threads for slow work; Loop: a thread's life
 *   time       DeviceClock: stands still while the worker thread does
 *   objects    MulticastGroups; Dependents: what keeps a context from being closed
 *   counters   CounterReport: written to a file at the end; WatchedCounters: while somebody watches
 * </pre>
 */
package io.verbs4j.provider.rxe.port;

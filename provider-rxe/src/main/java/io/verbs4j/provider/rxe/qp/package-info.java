/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Queue pairs. {@link io.verbs4j.provider.rxe.qp.RxeQp} has the state, the two queues and their locks; its
 * superclasses are {@link io.verbs4j.provider.rxe.qp.QpSending}, the sending side, and
 * {@link io.verbs4j.provider.rxe.qp.QpProperties}, what never changes. {@link io.verbs4j.provider.rxe.qp.RxeQueuePair}
 * is the program's handle of it.
 *
 * <pre>
 *   posting     SendOps: what may be posted; SendChecks, SendRules, AnsweredSends: validate requests; BuiltSends: posts
 *               the requests of a builder
 *   sending     SendPath: carries out the send queue; implemented in the packages local and packet
 *   receiving   InboundMessage: a SEND or RDMA WRITE that is being received; RemoteOperations: the peer's atomics,
 *               atomic writes and flushes; Inbox: where both deliver; ReceiveSide: this queue pair's receiving side
 *   others      CrossChannel: waits for other queues; KickList: queue pairs to be serviced by the worker thread;
 *               Counter, QpCounters: completion counters; AddressVector: the destination of an address handle
 * </pre>
 *
 * <p>{@link io.verbs4j.provider.rxe.qp.QpHost} has the port's services to a queue pair.
 */
package io.verbs4j.provider.rxe.qp;

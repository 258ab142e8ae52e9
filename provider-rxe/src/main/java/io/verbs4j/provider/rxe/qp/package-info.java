/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Queue pairs. {@link io.verbs4j.provider.rxe.qp.RxeQueuePair} has the state, the two queues and their locks; {@link
 * io.verbs4j.provider.rxe.qp.QpHandle} is what programs hold of it.
 *
 * <pre>
 *   posting     SendChecks, SendRules, AnsweredSends: refuse what must not be posted; BuiltSends: posts of a builder
 *   sending     SendPath: carries the send queue out; implemented in the packages local and packet
 *   receiving   InboundMessage: a SEND or RDMA WRITE as it comes in; RemoteOperations: atomics, atomic writes and
 *               flushes of the peer; Inbox: where both put what arrives; ReceiveSide: this queue pair's
 *   others      CrossChannel: waits for other queues; KickList: queue pairs to be served by the worker thread;
 *               Counter, QpCounters: completion counters; AddressVector: what an address handle stands for
 * </pre>
 *
 * <p>{@link io.verbs4j.provider.rxe.qp.QpHost} is what a queue pair needs of the port.
 */
package io.verbs4j.provider.rxe.qp;

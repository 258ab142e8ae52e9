/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Queues and their elements, independent of how messages travel.
 *
 * <pre>
 *   sending      SendQueue: a ring of SendWqe; CrossRequest, FastRegistration, WindowBind: additional state of some
 *                requests
 *   receiving    RecvQueue: a ring of RecvWqe; RxeSrq
 *   memory       ScatterList: the pieces of memory of a work request; RingMemory: memory of a ring
 *   completing   RxeCq with its CompletionRing, Moderation and CompletionWaits
 *   events       EventQueue: events and the threads that wait for them; ReadyEvents: events with reserved room
 *   tags         TagList, TagEntry: tagged buffers; TaggedMessage, TaggedHeader: a message to be matched; Rendezvous:
 *                fetches the data of a large one
 * </pre>
 *
 * <p>Classes named ...Handle are the programs' handles of these objects. {@link io.verbs4j.provider.rxe.queue.CqHost}
 * has the port's services to a completion queue.
 */
package io.verbs4j.provider.rxe.queue;

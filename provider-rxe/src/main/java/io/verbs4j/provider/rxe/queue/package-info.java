/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Queues, and what is in them. None of it knows how messages travel.
 *
 * <pre>
 *   sending      SendQueue: a ring of SendWqe; CrossRequest, FastRegistration, WindowBind: what some of these hold
 *                besides
 *   receiving    RecvQueue: a ring of RecvWqe; RxeSharedReceiveQueue
 *   memory       ScatterList: the pieces of memory of a work request; RingMemory: memory of a ring
 *   completing   RxeCompletionQueue with its CompletionRing, Moderation and CompletionWaits
 *   events       EventQueue: events and the threads that wait for them; ReadyEvents: room for one, reserved early
 *   tags         TagList, TagEntry: tagged buffers; TaggedMessage, TaggedHeader: a message that looks for one;
 *                Rendezvous: fetches the data of a large one
 * </pre>
 *
 * <p>Classes named ...Handle are what programs hold of these objects. {@link io.verbs4j.provider.rxe.queue.CqHost} is
 * what a completion queue needs of the port.
 */
package io.verbs4j.provider.rxe.queue;

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.provider.rxe.memory.BoundWindows;
import io.verbs4j.provider.rxe.memory.LastKey;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.queue.RecvWqe;
import io.verbs4j.provider.rxe.queue.TaggedMessage;

/**
 * Where messages that a connected queue pair receives go: its own receive queue or, with XRC, the shared receive queue that
 * the request names. Used with the receive lock held.
 */
public interface Inbox {

    /**
     * Chooses the shared receive queue for the request at hand, which stays chosen until the next call.
     *
     * @param srqNum what the request says; of no meaning but for XRC
     * @return false where there is no such queue
     */
    boolean select(int srqNum);

    /** The other process whose queue was chosen; null where it is one of this process. */
    default RemoteQueues remote() {
        return null;
    }

    /** Nothing more comes for now. */
    default void end() {}

    /** The domain that keys are checked against; after {@link #select}. */
    ProtectionDomain pd();

    /** The device's keys. */
    MemoryKeys keys();

    /** The windows of type 2 that are bound on the queue pair; null where none can be. */
    default BoundWindows windows() {
        return null;
    }

    /** Pins a key that lets the remote side do something; null where there is none that does. After {@link #select}. */
    default MemoryKey pin(int rkey, long from, long bytes, int right) {
        return grants(right) ? keys().pin(rkey, pd(), windows(), from, bytes, right) : null;
    }

    /** As {@link #pin(int, long, long, int)}, with a look at the key that was used last first. */
    default MemoryKey pin(LastKey last, int rkey, long from, long bytes, int right) {
        return grants(right) ? keys().pin(last, rkey, pd(), windows(), from, bytes, right) : null;
    }

    /** As {@link MemoryKeys#use} with what a {@link #pin(LastKey, int, long, long, int)} looks at. */
    default MemoryKey use(LastKey last, int rkey, long from, long bytes, int right) {
        return grants(right) ? keys().use(last, rkey, pd(), windows(), from, bytes, right) : null;
    }

    /** As {@link #pin(int, long, long, int)}, of all that the key stands for. */
    default MemoryKey pinWhole(int rkey, int right) {
        return grants(right) ? keys().pinWhole(rkey, pd(), windows(), right) : null;
    }

    /** What the remote side may do. */
    int accessFlags();

    /**
     * Whether the queue pair lets the remote side do something: where it does not, a request to do so is invalid,
     * whatever its key.
     */
    default boolean grants(int right) {
        return (accessFlags() & right) == right;
    }

    /** Path MTU in bytes. */
    int mtu();

    /** A new element, as large as any that {@link #takeReceive} fills in. */
    RecvWqe newRecvWqe();

    /** What finds buffers by the tags of messages; null where none does. A new one at each call. */
    default TaggedMessage newTaggedMessage() {
        return null;
    }

    /** Lets the worker thread see to what a message has left to be done. */
    default void serviceSoon() {}

    /** Takes the next receive work request; false where there is none. */
    boolean takeReceive(RecvWqe into);

    /**
     * What the peer reads or writes was taken, as a whole.
     *
     * @param op what it was, one bit of {@link io.verbs4j.CompCntrOps}
     * @param bytes its length
     */
    default void taken(int op, long bytes) {}

    /**
     * Completes a receive work request; false where there is nobody left to be told.
     *
     * @param wqe the request
     * @param status a {@link io.verbs4j.WcStatus} value
     * @param opcode a {@link io.verbs4j.WcOpcode} value
     * @param byteLen bytes received
     * @param wcFlags flags of the completion
     * @param immData immediate data, or the key that was invalidated
     * @param srcQp number of the sender; UD only
     * @param solicited whether the sender asked for an event
     */
    boolean completeReceive(
            RecvWqe wqe, int status, int opcode, int byteLen, int wcFlags, int immData, int srcQp, boolean solicited);
}

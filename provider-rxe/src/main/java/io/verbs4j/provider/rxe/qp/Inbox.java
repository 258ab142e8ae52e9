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
 * The destination of the messages that a connected queue pair receives: its own receive queue or, with XRC, the shared
 * receive queue that the request names. Used with the receive lock held.
 */
public interface Inbox {

    /**
     * Selects the shared receive queue of the current request, until the next call.
     *
     * @param srqNum number in the request; ignored except for XRC
     * @return false if no such queue exists
     */
    boolean select(int srqNum);

    /** {@return the other process's queues that were selected, or null for a queue of this process} */
    default RemoteQueues remote() {
        return null;
    }

    /** Ends the current work; nothing more comes for now. */
    default void end() {}

    /** {@return the domain that keys are checked against} Valid after {@link #select}. */
    ProtectionDomain pd();

    /** {@return the device's keys} */
    MemoryKeys keys();

    /** {@return the type 2 windows that are bound on the queue pair, or null if none can be} */
    default BoundWindows windows() {
        return null;
    }

    /** Pins a key that allows the peer's access; returns null if no key does. Valid after {@link #select}. */
    default MemoryKey pin(int rkey, long from, long bytes, int right) {
        return grants(right) ? keys().pin(rkey, pd(), windows(), from, bytes, right) : null;
    }

    /** Pins as {@link #pin(int, long, long, int)} does, but tries the key that was used last first. */
    default MemoryKey pin(LastKey last, int rkey, long from, long bytes, int right) {
        return grants(right) ? keys().pin(last, rkey, pd(), windows(), from, bytes, right) : null;
    }

    /** Calls {@link MemoryKeys#use} with the same checks as {@link #pin(LastKey, int, long, long, int)}. */
    default MemoryKey use(LastKey last, int rkey, long from, long bytes, int right) {
        return grants(right) ? keys().use(last, rkey, pd(), windows(), from, bytes, right) : null;
    }

    /** Pins as {@link #pin(int, long, long, int)} does, for all of the key's memory. */
    default MemoryKey pinWhole(int rkey, int right) {
        return grants(right) ? keys().pinWhole(rkey, pd(), windows(), right) : null;
    }

    /** {@return the peer's access rights, {@link io.verbs4j.AccessFlags} bits} */
    int accessFlags();

    /**
     * Returns whether the queue pair grants the peer a right. If it does not, a request that needs it is invalid,
     * whatever its key.
     */
    default boolean grants(int right) {
        return (accessFlags() & right) == right;
    }

    /** {@return the path MTU in bytes} */
    int mtu();

    /** Creates an element as large as any that {@link #takeReceive} fills. */
    RecvWqe newRecvWqe();

    /** Creates a matcher of messages to tagged buffers; returns null if the queue does not match tags. */
    default TaggedMessage newTaggedMessage() {
        return null;
    }

    /** Asks the worker thread to do what a message has left to do. */
    default void serviceSoon() {}

    /** Takes the next receive work request; returns false if there is none. */
    boolean takeReceive(RecvWqe into);

    /**
     * Records that a peer's read or write was fully accepted.
     *
     * @param op the operation, one {@link io.verbs4j.CompCntrOps} bit
     * @param bytes its length
     */
    default void taken(int op, long bytes) {}

    /**
     * Completes a receive work request; returns false if nobody is left to receive the completion.
     *
     * @param wqe the request
     * @param status a {@link io.verbs4j.WcStatus} value
     * @param opcode a {@link io.verbs4j.WcOpcode} value
     * @param byteLen bytes received
     * @param wcFlags flags of the completion
     * @param immData immediate data, or the key that was invalidated
     * @param srcQp queue pair number of the sender; UD only
     * @param solicited whether the sender requested an event
     */
    boolean completeReceive(
            RecvWqe wqe, int status, int opcode, int byteLen, int wcFlags, int immData, int srcQp, boolean solicited);
}

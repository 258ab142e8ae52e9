/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;

/**
 * The control verbs of an open device: the Java form of the first {@code ibv_context_ops}. <strong>Frozen for
 * ever</strong>: nothing is added, changed or removed in any later level.
 *
 * <p>It stands at two boundaries. A provider implements it; the library implements it too, puts its own work (argument
 * checks, state, references, events) around the provider's, and hands that to the header. Each verb has a default that
 * answers {@link Errno#EOPNOTSUPP}: a provider writes those that its device has. In alphabetical order.
 *
 * <p>A provider may count on the library to have checked, before it calls: objects are of this context, open, and belong
 * together; nothing refers to an object that is destroyed; each object is destroyed once; numbers are not negative; {@code
 * modifyQp} is a transition that the state machine allows with the attributes it needs, as far as the library knows the
 * type and the state. All verbs may be called from any thread at any time; calls about one object that change it are made one
 * after the other.
 *
 * <p>The world is open: the library judges what it keeps books of, and passes on types, operations, access bits, attributes and
 * mask bits that it does not know. Those, and the limits of the device, are the provider's to check. It answers {@link
 * Errno#EOPNOTSUPP} for what it does not know or its device can't do (a known right that it can't give among them), {@link
 * Errno#EINVAL} for what is wrong.
 *
 * <p>What these verbs return is what the program gets: handles are never wrapped, and the context that is handed to {@code
 * openDevice} is the program's.
 *
 * <p>Failures are told by {@link VerbsException}; what else a provider throws the library contains.
 *
 * <p>The data verbs are not here: they are methods of the handles with a data path, which a provider subclasses.
 */
public interface ContextOps {

    /**
     * Takes note that an asynchronous event was acknowledged. Does nothing by default. Not called for events whose object is
     * closed: a provider must not wait for it.
     *
     * @param event an event that {@link #getAsyncEvent(long)} gave
     */
    default void ackAsyncEvent(AsyncEvent event) {}

    /**
     * Takes note that completion events were acknowledged. Does nothing by default. Programs may leave it out: a provider must
     * not wait for it.
     *
     * @param cq queue whose events were acknowledged
     * @param count how many, from 1
     */
    default void ackCqEvents(CompletionQueue cq, int count) {}

    /**
     * Allocates a memory window.
     *
     * @param pd domain it belongs to
     * @param type a {@link MwType} value
     * @return the new window, unbound
     */
    default MemoryWindow allocMw(ProtectionDomain pd, int type) {
        throw unsupported("alloc_mw");
    }

    /**
     * Allocates a protection domain.
     *
     * @return the new domain
     */
    default ProtectionDomain allocPd() {
        throw unsupported("alloc_pd");
    }

    /**
     * Attaches a queue pair to a multicast group.
     *
     * @param qp queue pair of type UD
     * @param gid the group's GID
     * @param lid the group's LID; 0 on RoCE
     */
    default void attachMcast(QueuePair qp, Gid gid, int lid) {
        throw unsupported("attach_mcast");
    }

    /**
     * The descriptor that becomes readable when the context has an asynchronous event. None by default.
     *
     * @return a file descriptor that stays the provider's; -1 where there is none
     */
    default int asyncEventDescriptor() {
        return -1;
    }

    /** Closes the device: frees what {@code openDevice} took, and wakes those who wait for events. */
    default void close() {}

    /**
     * The descriptor that becomes readable when a channel has an event. None by default.
     *
     * @param channel the channel
     * @return a file descriptor that stays the provider's; -1 where there is none
     */
    default int compChannelDescriptor(CompletionChannel channel) {
        return -1;
    }

    /**
     * Creates an address handle.
     *
     * @param pd domain it belongs to
     * @param attr where it leads
     * @return the new handle
     */
    default AddressHandle createAh(ProtectionDomain pd, AhAttr attr) {
        throw unsupported("create_ah");
    }

    /**
     * Creates a completion channel.
     *
     * @return the new channel
     */
    default CompletionChannel createCompChannel() {
        throw unsupported("create_comp_channel");
    }

    /**
     * Creates a completion queue.
     *
     * @param cqe least number of entries, from 1
     * @param userContext to be handed to the handle's constructor; may be null
     * @param channel channel for its events, or null
     * @param compVector completion vector
     * @return the new queue
     */
    default CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        throw unsupported("create_cq");
    }

    /**
     * Creates a completion queue with attributes of the vendor's own. Refuses any by default.
     *
     * @param cqe least number of entries, from 1
     * @param userContext to be handed to the handle's constructor; may be null
     * @param channel channel for its events, or null
     * @param compVector completion vector
     * @param vendor the attributes, not null; a provider refuses a type that it does not know, {@link Errno#EOPNOTSUPP}
     * @return the new queue
     */
    default CompletionQueue createCq(
            int cqe, Object userContext, CompletionChannel channel, int compVector, Object vendor) {
        throw unsupported(
                "create_cq with attributes of the type " + vendor.getClass().getName());
    }

    /**
     * Creates a queue pair in state RESET.
     *
     * @param pd domain it belongs to
     * @param attr how to make it; the provider writes the capacities it gave to {@link QpInitAttr#cap()}, and
     *     refuses {@link QpInitAttr#vendor()} of a type that it does not know, {@link Errno#EOPNOTSUPP}
     * @return the new queue pair
     */
    default QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        throw unsupported("create_qp");
    }

    /**
     * Creates a shared receive queue.
     *
     * @param pd domain it belongs to
     * @param attr how to make it; the provider writes the capacities it gave to {@link SrqInitAttr#attr()}
     * @return the new queue
     */
    default SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        throw unsupported("create_srq");
    }

    /**
     * Frees a memory window, and unbinds it first where it is bound.
     *
     * @param mw the window
     */
    default void deallocMw(MemoryWindow mw) {
        throw unsupported("dealloc_mw");
    }

    /**
     * Frees a protection domain.
     *
     * @param pd the domain
     */
    default void deallocPd(ProtectionDomain pd) {
        throw unsupported("dealloc_pd");
    }

    /**
     * Deregisters a memory region: when this returns the device does not touch the memory any more.
     *
     * @param mr the region
     */
    default void deregMr(MemoryRegion mr) {
        throw unsupported("dereg_mr");
    }

    /**
     * Destroys an address handle.
     *
     * @param ah the handle
     */
    default void destroyAh(AddressHandle ah) {
        throw unsupported("destroy_ah");
    }

    /**
     * Destroys a completion channel and wakes those who wait on it.
     *
     * @param channel the channel
     */
    default void destroyCompChannel(CompletionChannel channel) {
        throw unsupported("destroy_comp_channel");
    }

    /**
     * Destroys a completion queue. Its events that were not fetched are dropped.
     *
     * @param cq the queue
     */
    default void destroyCq(CompletionQueue cq) {
        throw unsupported("destroy_cq");
    }

    /**
     * Destroys a queue pair. Its events that were not fetched are dropped, and so are its completions that were not
     * polled.
     *
     * @param qp the queue pair
     */
    default void destroyQp(QueuePair qp) {
        throw unsupported("destroy_qp");
    }

    /**
     * Destroys a shared receive queue. Its events that were not fetched are dropped.
     *
     * @param srq the queue
     */
    default void destroySrq(SharedReceiveQueue srq) {
        throw unsupported("destroy_srq");
    }

    /**
     * Detaches a queue pair from a multicast group.
     *
     * @param qp queue pair of type UD
     * @param gid the group's GID
     * @param lid the group's LID; 0 on RoCE
     */
    default void detachMcast(QueuePair qp, Gid gid, int lid) {
        throw unsupported("detach_mcast");
    }

    /**
     * Tells which rule of the device's own a receive work request breaks; the library has looked at the rules of verbs before.
     * None is known by default.
     *
     * @param qp the queue pair, open
     * @param wr one request; the rest of its list is not looked at
     * @return a sentence, or null
     */
    default String explainRecv(QueuePair qp, RecvWorkRequest wr) {
        return null;
    }

    /**
     * Tells which rule of the device's own a send work request breaks; the library has looked at the rules of verbs before. None
     * is known by default.
     *
     * @param qp the queue pair, open
     * @param wr one request; the rest of its list is not looked at
     * @return a sentence, or null
     */
    default String explainSend(QueuePair qp, SendWorkRequest wr) {
        return null;
    }

    /**
     * Tells which rule of the device's own a receive work request for a shared receive queue breaks; the library has looked at
     * the rules of verbs before. None is known by default.
     *
     * @param srq the queue, open
     * @param wr one request; the rest of its list is not looked at
     * @return a sentence, or null
     */
    default String explainSrqRecv(SharedReceiveQueue srq, RecvWorkRequest wr) {
        return null;
    }

    /**
     * Waits for the next asynchronous event.
     *
     * @param timeoutNanos how long to wait, in nanoseconds; 0 looks without waiting, -1 waits for ever
     * @return the event, or null where there was none in that time, or the wait was woken, which also one for ever may be
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} where the context is closed, before or meanwhile
     */
    default AsyncEvent getAsyncEvent(long timeoutNanos) {
        throw unsupported("get_async_event");
    }

    /**
     * Waits for the next completion event.
     *
     * @param channel channel to wait on
     * @param timeoutNanos how long to wait, in nanoseconds; 0 looks without waiting, -1 waits for ever
     * @return the queue that the event is about, or null where there was none in that time, or the wait was woken, which also
     *     one for ever may be
     * @throws VerbsException {@link Errno#EINTR} where the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} where the channel is destroyed, before or meanwhile
     */
    default CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        throw unsupported("get_cq_event");
    }

    /**
     * Changes attributes of a queue pair, its state among them.
     *
     * @param qp the queue pair
     * @param attr the attributes
     * @param attrMask which of them count, {@link QpAttrMask} bits
     */
    default void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        throw unsupported("modify_qp");
    }

    /**
     * Changes attributes of a shared receive queue.
     *
     * @param srq the queue
     * @param attr the attributes
     * @param attrMask which of them count, {@link SrqAttrMask} bits
     */
    default void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        throw unsupported("modify_srq");
    }

    /**
     * The number of completion vectors. 1 by default.
     *
     * @return the number, at least 1
     */
    default int numCompVectors() {
        return 1;
    }

    /**
     * Tells what the device can do.
     *
     * @param attr to be filled
     */
    default void queryDevice(DeviceAttr attr) {
        throw unsupported("query_device");
    }

    /**
     * Reads an entry of a port's GID table.
     *
     * @param portNum the port, from 1
     * @param index the entry, from 0
     * @return the GID, never null
     */
    default Gid queryGid(int portNum, int index) {
        throw unsupported("query_gid");
    }

    /**
     * Reads an entry of a port's P_Key table.
     *
     * @param portNum the port, from 1
     * @param index the entry, from 0
     * @return the P_Key as a number, 0 to 0xffff
     */
    default int queryPkey(int portNum, int index) {
        throw unsupported("query_pkey");
    }

    /**
     * Tells the state of a port.
     *
     * @param portNum the port, from 1
     * @param attr to be filled
     */
    default void queryPort(int portNum, PortAttr attr) {
        throw unsupported("query_port");
    }

    /**
     * Tells the attributes of a queue pair.
     *
     * @param qp the queue pair
     * @param attr to be filled
     * @param attrMask which attributes are wanted, {@link QpAttrMask} bits; a provider may fill more. What the answer
     *     holds is told by this, not by {@link QpAttr#mask()}
     * @param initAttr to be filled with what the queue pair was made with
     */
    default void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        throw unsupported("query_qp");
    }

    /**
     * Tells the attributes of a shared receive queue.
     *
     * @param srq the queue
     * @param attr to be filled
     */
    default void querySrq(SharedReceiveQueue srq, SrqAttr attr) {
        throw unsupported("query_srq");
    }

    /**
     * Registers memory by its address.
     *
     * @param pd domain the region belongs to
     * @param addr first address
     * @param length length in bytes, from 1
     * @param access what is allowed, {@link AccessFlags} bits
     * @return the new region
     */
    default MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        throw unsupported("reg_mr");
    }

    /**
     * Registers the memory of a direct buffer between its position and its limit. The library keeps the buffer reachable
     * until the region is deregistered.
     *
     * @param pd domain the region belongs to
     * @param buffer a direct buffer with at least one byte remaining; its position and limit are not changed
     * @param access what is allowed, {@link AccessFlags} bits
     * @return the new region
     */
    default MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        throw unsupported("reg_mr");
    }

    /**
     * Changes a memory region. On failure the region stays as it was.
     *
     * @param mr the region; the provider updates the handle through {@link MemoryRegion#update}
     * @param flags what changes, {@link ReregFlags} bits
     * @param pd the new domain, where that changes
     * @param addr first address of the new memory, where that changes
     * @param length its length in bytes
     * @param access what is allowed from now on, {@link AccessFlags} bits, where that changes
     */
    default void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        throw unsupported("rereg_mr");
    }

    /**
     * Changes the size of a completion queue; entries in it stay.
     *
     * @param cq the queue; the provider updates the handle through {@link CompletionQueue#updateCqe}
     * @param cqe least number of entries from now on, from 1
     */
    default void resizeCq(CompletionQueue cq, int cqe) {
        throw unsupported("resize_cq");
    }

    /**
     * The vendor's own verbs of the open device. Knows no type by default.
     *
     * @param <T> a type that the provider exports
     * @param type that type
     * @return an object of the type, the same at every call; null where the provider does not know the type
     */
    default <T> T vendor(Class<T> type) {
        return null;
    }

    /**
     * What a default answers.
     *
     * @param verb name of the verb as in libibverbs, without the prefix
     * @return an exception to throw, {@link Errno#EOPNOTSUPP}
     */
    static VerbsException unsupported(String verb) {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "the device's provider does not implement this verb; ask another device for it");
    }
}

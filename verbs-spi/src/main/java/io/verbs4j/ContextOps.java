/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.nio.ByteBuffer;

/**
 * The control verbs of an open device: the Java form of the first {@code ibv_context_ops}. <strong>Frozen
 * forever</strong>: no later level adds, changes or removes anything.
 *
 * <p>It stands at two boundaries. A provider implements it. The library implements it too: it adds its own work
 * (argument checks, state, references, events) around the provider's, and passes that to the header. Each verb has a
 * default that throws {@link Errno#EOPNOTSUPP}; a provider overrides those that its device supports. The verbs are in
 * alphabetical order.
 *
 * <p>A provider may rely on what the library has checked before the call: objects belong to this context, are open, and
 * belong together; nothing refers to an object that is destroyed; each object is destroyed once; numbers are not
 * negative; {@code modifyQp} is a transition that the state machine allows, with the attributes it requires, as far as
 * the library knows the type and the state. All verbs may be called from any thread at any time; calls that change the
 * same object are serialised.
 *
 * <p>The world is open: the library validates what it keeps track of, and passes on types, operations, access bits,
 * attributes and mask bits that it does not know. The provider must check those, and the limits of the device. It
 * throws {@link Errno#EOPNOTSUPP} for what it does not know or its device does not support (including a known access
 * right that it cannot grant), and {@link Errno#EINVAL} for what is invalid.
 *
 * <p>The program gets exactly what these verbs return: handles are never wrapped, and the context passed to
 * {@code openDevice} is the program's.
 *
 * <p>Failures are reported by {@link VerbsException}; the library contains other exceptions that a provider throws.
 *
 * <p>The data verbs are not here: they are methods of the handles with a data path, which a provider subclasses.
 */
public interface ContextOps {

    /**
     * Notifies the provider that an asynchronous event was acknowledged. Does nothing by default. Not called for events
     * whose object is closed: a provider must not wait for it.
     *
     * @param event an event that {@link #getAsyncEvent(long)} returned
     */
    default void ackAsyncEvent(AsyncEvent event) {}

    /**
     * Notifies the provider that completion events were acknowledged. Does nothing by default. Programs may omit it: a
     * provider must not wait for it.
     *
     * @param cq queue whose events were acknowledged
     * @param count number of events, from 1
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
     * Returns the descriptor that becomes readable when the context has an asynchronous event. None by default.
     *
     * @return a file descriptor that the provider owns; -1 if there is none
     */
    default int asyncEventDescriptor() {
        return -1;
    }

    /** Closes the device: frees what {@code openDevice} allocated, and wakes threads that wait for events. */
    default void close() {}

    /**
     * Returns the descriptor that becomes readable when a channel has an event. None by default.
     *
     * @param channel the channel
     * @return a file descriptor that the provider owns; -1 if there is none
     */
    default int compChannelDescriptor(CompletionChannel channel) {
        return -1;
    }

    /**
     * Creates an address handle.
     *
     * @param pd domain it belongs to
     * @param attr the path to the destination
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
     * @param cqe minimum number of entries, from 1
     * @param userContext object to pass to the handle's constructor; may be null
     * @param channel channel that receives its events, or null
     * @param compVector completion vector
     * @return the new queue
     */
    default CompletionQueue createCq(int cqe, Object userContext, CompletionChannel channel, int compVector) {
        throw unsupported("create_cq");
    }

    /**
     * Creates a completion queue with the vendor's own attributes. By default rejects any.
     *
     * @param cqe minimum number of entries, from 1
     * @param userContext object to pass to the handle's constructor; may be null
     * @param channel channel that receives its events, or null
     * @param compVector completion vector
     * @param vendor the attributes, not null; a provider that does not know their type fails with
     *     {@link Errno#EOPNOTSUPP}
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
     * @param attr attributes of the queue pair; the provider writes the actual capacities to {@link QpInitAttr#cap()},
     *     and fails with {@link Errno#EOPNOTSUPP} if it does not know the type of {@link QpInitAttr#vendor()}
     * @return the new queue pair
     */
    default QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        throw unsupported("create_qp");
    }

    /**
     * Creates a shared receive queue.
     *
     * @param pd domain it belongs to
     * @param attr attributes of the queue; the provider writes the actual capacities to {@link SrqInitAttr#attr()}
     * @return the new queue
     */
    default SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        throw unsupported("create_srq");
    }

    /**
     * Frees a memory window, after unbinding it if it is bound.
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
     * Deregisters a memory region: once it returns, the device no longer accesses the memory.
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
     * Destroys a completion channel and wakes threads that wait on it.
     *
     * @param channel the channel
     */
    default void destroyCompChannel(CompletionChannel channel) {
        throw unsupported("destroy_comp_channel");
    }

    /**
     * Destroys a completion queue. Its events that were not fetched are discarded.
     *
     * @param cq the queue
     */
    default void destroyCq(CompletionQueue cq) {
        throw unsupported("destroy_cq");
    }

    /**
     * Destroys a queue pair. Its events that were not fetched and its completions that were not polled are discarded.
     *
     * @param qp the queue pair
     */
    default void destroyQp(QueuePair qp) {
        throw unsupported("destroy_qp");
    }

    /**
     * Destroys a shared receive queue. Its events that were not fetched are discarded.
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
     * Explains which rule of the device itself a receive work request breaks; the library has already checked the rules
     * of verbs. The default knows none.
     *
     * @param qp the queue pair, open
     * @param wr one request; the rest of its list is ignored
     * @return a sentence, or null
     */
    default String explainRecv(QueuePair qp, RecvWorkRequest wr) {
        return null;
    }

    /**
     * Explains which rule of the device itself a send work request breaks; the library has already checked the rules of
     * verbs. The default knows none.
     *
     * @param qp the queue pair, open
     * @param wr one request; the rest of its list is ignored
     * @return a sentence, or null
     */
    default String explainSend(QueuePair qp, SendWorkRequest wr) {
        return null;
    }

    /**
     * Explains which rule of the device itself a receive work request for a shared receive queue breaks; the library
     * has already checked the rules of verbs. The default knows none.
     *
     * @param srq the queue, open
     * @param wr one request; the rest of its list is ignored
     * @return a sentence, or null
     */
    default String explainSrqRecv(SharedReceiveQueue srq, RecvWorkRequest wr) {
        return null;
    }

    /**
     * Waits for the next asynchronous event.
     *
     * @param timeoutNanos maximum time to wait in nanoseconds; 0 checks without waiting, -1 waits forever
     * @return the event, or null if there was none in that time, or if the wait was woken, even one without a limit
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} if the context is closed, before or during the wait
     */
    default AsyncEvent getAsyncEvent(long timeoutNanos) {
        throw unsupported("get_async_event");
    }

    /**
     * Waits for the next completion event.
     *
     * @param channel channel to wait on
     * @param timeoutNanos maximum time to wait in nanoseconds; 0 checks without waiting, -1 waits forever
     * @return the queue that the event is about, or null if there was none in that time, or if the wait was woken, even
     *     one without a limit
     * @throws VerbsException {@link Errno#EINTR} if the thread is interrupted (it stays interrupted);
     *     {@link Errno#EBADF} if the channel is destroyed, before or during the wait
     */
    default CompletionQueue getCqEvent(CompletionChannel channel, long timeoutNanos) {
        throw unsupported("get_cq_event");
    }

    /**
     * Changes attributes of a queue pair, including its state.
     *
     * @param qp the queue pair
     * @param attr the attributes
     * @param attrMask which of them to change, {@link QpAttrMask} bits
     */
    default void modifyQp(QueuePair qp, QpAttr attr, int attrMask) {
        throw unsupported("modify_qp");
    }

    /**
     * Changes attributes of a shared receive queue.
     *
     * @param srq the queue
     * @param attr the attributes
     * @param attrMask which of them to change, {@link SrqAttrMask} bits
     */
    default void modifySrq(SharedReceiveQueue srq, SrqAttr attr, int attrMask) {
        throw unsupported("modify_srq");
    }

    /**
     * Returns the number of completion vectors; 1 by default.
     *
     * @return the number, at least 1
     */
    default int numCompVectors() {
        return 1;
    }

    /**
     * Queries the capabilities of the device.
     *
     * @param attr receives the attributes
     */
    default void queryDevice(DeviceAttr attr) {
        throw unsupported("query_device");
    }

    /**
     * Reads an entry of a port's GID table.
     *
     * @param portNum port number, from 1
     * @param index index of the entry, from 0
     * @return the GID, never null
     */
    default Gid queryGid(int portNum, int index) {
        throw unsupported("query_gid");
    }

    /**
     * Reads an entry of a port's P_Key table.
     *
     * @param portNum port number, from 1
     * @param index index of the entry, from 0
     * @return the P_Key as a number, 0 to 0xffff
     */
    default int queryPkey(int portNum, int index) {
        throw unsupported("query_pkey");
    }

    /**
     * Queries the attributes of a port.
     *
     * @param portNum port number, from 1
     * @param attr receives the attributes
     */
    default void queryPort(int portNum, PortAttr attr) {
        throw unsupported("query_port");
    }

    /**
     * Queries attributes of a queue pair.
     *
     * @param qp the queue pair
     * @param attr receives the attributes
     * @param attrMask which attributes to fill, {@link QpAttrMask} bits; a provider may fill more. This mask, not
     *     {@link QpAttr#mask()}, says what the result holds
     * @param initAttr receives the attributes that the queue pair was created with
     */
    default void queryQp(QueuePair qp, QpAttr attr, int attrMask, QpInitAttr initAttr) {
        throw unsupported("query_qp");
    }

    /**
     * Queries the attributes of a shared receive queue.
     *
     * @param srq the queue
     * @param attr receives the attributes
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
     * @param access allowed operations, {@link AccessFlags} bits
     * @return the new region
     */
    default MemoryRegion regMr(ProtectionDomain pd, long addr, long length, int access) {
        throw unsupported("reg_mr");
    }

    /**
     * Registers the memory of a direct buffer between its position and its limit. The library keeps the buffer
     * reachable until the region is deregistered.
     *
     * @param pd domain the region belongs to
     * @param buffer a direct buffer with at least one byte remaining; its position and limit are not changed
     * @param access allowed operations, {@link AccessFlags} bits
     * @return the new region
     */
    default MemoryRegion regMrBuffer(ProtectionDomain pd, ByteBuffer buffer, int access) {
        throw unsupported("reg_mr");
    }

    /**
     * Changes a memory region. On failure the region is unchanged.
     *
     * @param mr the region; the provider updates the handle through {@link MemoryRegion#update}
     * @param flags what to change, {@link ReregFlags} bits
     * @param pd the new domain, if that changes
     * @param addr first address of the new memory, if that changes
     * @param length its length in bytes
     * @param access operations allowed from now on, {@link AccessFlags} bits, if those change
     */
    default void reregMr(MemoryRegion mr, int flags, ProtectionDomain pd, long addr, long length, int access) {
        throw unsupported("rereg_mr");
    }

    /**
     * Changes the size of a completion queue; its entries stay.
     *
     * @param cq the queue; the provider updates the handle through {@link CompletionQueue#updateCqe}
     * @param cqe minimum number of entries from now on, from 1
     */
    default void resizeCq(CompletionQueue cq, int cqe) {
        throw unsupported("resize_cq");
    }

    /**
     * Returns the vendor's own verbs of the open device. The default knows no type.
     *
     * @param <T> a type that the provider exports
     * @param type that type
     * @return an object of the type, the same at every call; null if the provider does not know the type
     */
    default <T> T vendor(Class<T> type) {
        return null;
    }

    /**
     * Creates the exception that the default of a verb throws.
     *
     * @param verb name of the verb as in libibverbs, without the prefix
     * @return an exception to throw, {@link Errno#EOPNOTSUPP}
     */
    static VerbsException unsupported(String verb) {
        return new VerbsException(
                Errno.EOPNOTSUPP, verb, "the device's provider does not implement this verb; use another device");
    }
}

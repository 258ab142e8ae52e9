/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.CreateFlow;
import io.verbs4j.slot.ModifyQpRateLimit;
import io.verbs4j.slot.QpAttachCompCntr;
import io.verbs4j.slot.QueryEce;
import io.verbs4j.slot.QueryQpDataInOrder;
import io.verbs4j.slot.SetEce;
import java.util.Objects;

/**
 * A queue pair.
 *
 * <p>Providers subclass it and implement {@code postSend}, {@code postRecv} and {@code bindMw}, so these calls reach
 * the provider directly. All methods may be called from any thread. Source: {@code ibv_create_qp(3)}.
 */
// More than 30 public methods because each verb of a queue pair is one, and the API is frozen.
public abstract class QueuePair extends VerbsObject {
    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final SharedReceiveQueue srq;
    private final Object userContext;
    private final XrcDomain xrcd;
    private final RwqIndTable rwqIndTbl;
    private final int qpType;
    private volatile int qpNum;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that the queue pair belongs to
     * @param attr attributes it is created with; the handle keeps only the objects that they refer to
     * @param qpNum its number, 24 bits
     */
    protected QueuePair(ProtectionDomain pd, QpInitAttr attr, int qpNum) {
        super(Objects.requireNonNull(pd, "pd").context());
        this.pd = pd;
        this.sendCq = attr.sendCq();
        this.recvCq = attr.recvCq();
        this.srq = attr.srq();
        this.xrcd = null;
        this.rwqIndTbl = null;
        this.userContext = attr.userContext();
        this.qpType = attr.qpType();
        this.qpNum = qpNum;
    }

    /**
     * Creates the handle of a queue pair created by an extended verb; for providers of level 2.
     *
     * @param context context that the queue pair belongs to
     * @param attr attributes it is created with; the handle keeps only the objects that they refer to
     * @param qpNum its number, 24 bits
     */
    protected QueuePair(Context context, QpInitAttrEx attr, int qpNum) {
        super(Objects.requireNonNull(context, "context"));
        this.pd = attr.pd();
        this.sendCq = attr.sendCq();
        this.recvCq = attr.recvCq();
        this.srq = attr.srq();
        this.xrcd = attr.xrcd();
        this.rwqIndTbl = attr.rwqIndTbl();
        this.userContext = attr.userContext();
        this.qpType = attr.qpType();
        this.qpNum = qpNum;
    }

    /**
     * Creates another handle of an existing queue pair; for providers of level 2.
     *
     * @param context context that the handle belongs to
     * @param attr attributes it is opened with
     */
    protected QueuePair(Context context, QpOpenAttr attr) {
        super(Objects.requireNonNull(context, "context"));
        this.pd = null;
        this.sendCq = null;
        this.recvCq = null;
        this.srq = null;
        this.xrcd = attr.xrcd();
        this.rwqIndTbl = null;
        this.userContext = attr.userContext();
        this.qpType = attr.qpType();
        this.qpNum = attr.qpNum();
    }

    /**
     * Updates the number if the device reports it only after creation; for providers.
     *
     * @param newQpNum its number, 24 bits
     */
    protected final void updateQpNum(int newQpNum) {
        qpNum = newQpNum;
    }

    /** {@return the domain that the queue pair belongs to, or null for type XRC_RECV} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the completion queue of the send queue, or null for type XRC_RECV} */
    public final CompletionQueue sendCq() {
        return sendCq;
    }

    /** {@return the completion queue of the receive queue, or null for types XRC_SEND and XRC_RECV} */
    public final CompletionQueue recvCq() {
        return recvCq;
    }

    /** {@return the shared receive queue, or null} */
    public final SharedReceiveQueue srq() {
        return srq;
    }

    /** {@return the XRC domain, or null for a type other than XRC_RECV} Since level 2. */
    public final XrcDomain xrcd() {
        return xrcd;
    }

    /**
     * Steers packets to this queue pair, which must be of type RAW_PACKET or receive through an {@link RwqIndTable}.
     * Since level 4. Source: {@code ibv_create_flow(3)}.
     *
     * @param attr which packets to steer, and what to do with them
     * @return the new flow; closing it ends the steering
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device cannot steer packets, or not by these specifications; {@link Errno#EINVAL} for values out of range
     */
    public final Flow createFlow(FlowAttr attr) {
        return Extension.require(context(), ContextSlot.CREATE_FLOW, CreateFlow.class)
                .createFlow(this, attr);
    }

    /**
     * {@return the table of work queues that it receives through instead of its own receive queue, or null} Since level
     * 4.
     */
    public final RwqIndTable rwqIndTbl() {
        return rwqIndTbl;
    }

    /** {@return the application object given at creation, or null} */
    public final Object userContext() {
        return userContext;
    }

    /** {@return the transport service, a {@link QpType} value} */
    public final int qpType() {
        return qpType;
    }

    /** {@return the number, 24 bits; a device may report it only once the queue pair has reached a later state} */
    public final int qpNum() {
        return qpNum;
    }

    /**
     * Posts send work requests. Neither throws nor allocates. Source: {@code ibv_post_send(3)}.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @param badWr receives the request that failed (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} if the queue is full; {@link Errno#EINVAL} after close, for null,
     *     for a bad work request, and in a state in which nothing can be posted; otherwise {@link Errno#EOPNOTSUPP} for
     *     an operation that is unknown, or that the type of the queue pair or the device does not support
     */
    public abstract int postSend(SendWorkRequest wr, SendWorkRequest[] badWr);

    /**
     * Posts send work requests, as {@link #postSend(SendWorkRequest, SendWorkRequest[])}, without reporting which
     * failed.
     *
     * @param wr first request of a list
     * @return 0, or an errno
     */
    public final int postSend(SendWorkRequest wr) {
        return postSend(wr, null);
    }

    /**
     * Posts send work requests, as {@link #postSend(SendWorkRequest, SendWorkRequest[])}, or throws. Unlike
     * {@code postSend} it also rejects a request whose opcode was never set. On success it allocates nothing for a
     * single request, and an array of one element for a list. Since level 3.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @throws VerbsException the errno of {@code postSend}: the message names the request that failed and explains what
     *     is wrong with it, like {@link #explain(SendWorkRequest)}; {@link Errno#EINVAL} for an opcode that was never
     *     set: then no request of the list is posted
     */
    public final void postSendOrThrow(SendWorkRequest wr) {
        RefusedPost.requireOpcodes(wr);
        SendWorkRequest[] bad = wr == null || wr.next() == null ? null : new SendWorkRequest[1];
        int errno = postSend(wr, bad);
        if (errno != 0) {
            throw RefusedPost.send(this, wr, bad == null ? null : bad[0], errno);
        }
    }

    /**
     * Creates a builder, which collects send work requests without an object for each. Create one and keep it; a queue
     * pair may have several. Every queue pair has builders, whatever the level of its provider. Since level 3. Source:
     * {@code ibv_qp_to_qp_ex}, {@code ibv_wr_post(3)}.
     *
     * @return a builder of this queue pair
     */
    public final SendBuilder builder() {
        return new SendBuilder(this);
    }

    /**
     * Posts the requests that a builder has collected; for providers, which override it if they can do better than with
     * a list. {@link SendBuilder#complete()} calls it with at least one request. Since level 3.
     *
     * <p>An override must post all requests or none, validate them as {@code postSend} does, and neither throw nor
     * allocate.
     *
     * @param builder the requests to post; {@link BuiltRequests} explains how to read them
     * @return 0, or an errno, as {@code postSend}; or minus {@link Errno#EOPNOTSUPP}, as in this class: then
     *     {@code complete} copies the requests to objects, which the builder keeps, and passes them to
     *     {@link #postSend(SendWorkRequest, SendWorkRequest[])}
     */
    protected int postBuilt(SendBuilder builder) {
        return -Errno.EOPNOTSUPP;
    }

    /**
     * Posts receive work requests. Neither throws nor allocates. Source: {@code ibv_post_recv(3)}.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @param badWr receives the request that failed (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} if the queue is full, {@link Errno#EINVAL} for a bad work request,
     *     in state RESET, with a shared receive queue, and after close
     */
    public abstract int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr);

    /**
     * Posts receive work requests, as {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}, without reporting which
     * failed.
     *
     * @param wr first request of a list
     * @return 0, or an errno
     */
    public final int postRecv(RecvWorkRequest wr) {
        return postRecv(wr, null);
    }

    /**
     * Posts receive work requests, as {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}, or throws. On success it
     * allocates nothing for a single request, and an array of one element for a list. Since level 3.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @throws VerbsException the errno of {@code postRecv}: the message names the request that failed and explains what
     *     is wrong with it, like {@link #explain(RecvWorkRequest)}
     */
    public final void postRecvOrThrow(RecvWorkRequest wr) {
        RecvWorkRequest[] bad = wr == null || wr.next() == null ? null : new RecvWorkRequest[1];
        int errno = postRecv(wr, bad);
        if (errno != 0) {
            throw RefusedPost.recv("post_recv", this::explain, wr, bad == null ? null : bad[0], errno);
        }
    }

    /**
     * Posts a request to bind a memory window of type 1. Requests posted to this queue pair afterwards can use the
     * window's new key. Neither throws nor allocates. Source: {@code ibv_bind_mw(3)}.
     *
     * @param mw the window
     * @param bind what to bind it to
     * @return 0, or an errno: {@link Errno#EINVAL} after close, for null, in a state in which nothing can be posted,
     *     for a window of another type, access bits that are not remote ones, a region without
     *     {@link AccessFlags#MW_BIND}, or a range outside it; {@link Errno#EPERM} if the domains differ;
     *     {@link Errno#ENOMEM} if the queue is full; otherwise {@link Errno#EOPNOTSUPP} if the type of the queue pair
     *     or the device does not support it
     */
    public abstract int bindMw(MemoryWindow mw, MwBind bind);

    /**
     * Changes the attributes that {@code attr} has in its mask. Source: {@code ibv_modify_qp(3)}.
     *
     * @param attr the attributes
     * @throws VerbsException {@link Errno#EINVAL} for a transition that the state machine does not have, for attributes
     *     that it requires but are missing, or that it does not allow (the message names them), and for values out of
     *     range; {@link Errno#ENETUNREACH} if there is no route to the address; {@link Errno#EOPNOTSUPP} for what the
     *     device cannot change; {@link Errno#ENOMEM} if there is not enough memory
     */
    public final void modify(QpAttr attr) {
        ops().modifyQp(this, attr, attr == null ? 0 : attr.mask());
    }

    /**
     * Queries attributes. Source: {@code ibv_query_qp(3)}.
     *
     * @param attrMask which attributes to query, {@link QpAttrMask} bits
     * @return a new instance with the attributes; others than those requested may be filled too
     */
    public final QpAttr query(int attrMask) {
        QpAttr attr = new QpAttr();
        query(attr, attrMask, new QpInitAttr());
        return attr;
    }

    /**
     * Queries attributes, and the attributes that the queue pair was created with. Source: {@code ibv_query_qp(3)}.
     *
     * @param attr receives the attributes
     * @param attrMask which attributes to query, {@link QpAttrMask} bits
     * @param initAttr receives the attributes of the creation
     */
    public final void query(QpAttr attr, int attrMask, QpInitAttr initAttr) {
        ops().queryQp(this, attr, attrMask, initAttr);
    }

    /**
     * Explains which rule a send work request breaks in the present state of the queue pair: the reason for an errno of
     * {@link #postSend(SendWorkRequest, SendWorkRequest[])}. Posts nothing. Not for the hot path.
     *
     * @param wr first request of a list
     * @return the first fault in the list, with a remedy; null if neither library nor provider know of a rule that it
     *     breaks (the queue may have been full: {@link Errno#ENOMEM})
     */
    public final String explain(SendWorkRequest wr) {
        return ops().explainSend(this, wr);
    }

    /**
     * Explains which rule a receive work request breaks, as {@link #explain(SendWorkRequest)}.
     *
     * @param wr first request of a list
     * @return the first fault in the list, or null
     */
    public final String explain(RecvWorkRequest wr) {
        return ops().explainRecv(this, wr);
    }

    /**
     * Queries in which order the data of a transfer reaches memory. If library or provider do not have this verb,
     * nothing is promised: it returns 0. Since level 3. Source: {@code ibv_query_qp_data_in_order(3)}.
     *
     * @param wrOpcode the operation, a {@link WrOpcode} value
     * @param flags {@link DataInOrderFlags} bits
     * @return {@link DataInOrderCaps} bits if {@link DataInOrderFlags#RETURN_CAPS} is set; else 1 if the bytes of a
     *     message are written in order, 0 if not
     * @throws VerbsException {@link Errno#EINVAL} after close; {@link Errno#EOPNOTSUPP} for an unknown flag
     */
    public final int queryDataInOrder(int wrOpcode, int flags) {
        QueryQpDataInOrder extended =
                Extension.find(context(), ContextSlot.QUERY_QP_DATA_IN_ORDER, QueryQpDataInOrder.class);
        return extended == null ? 0 : extended.queryQpDataInOrder(this, wrOpcode, flags);
    }

    /**
     * Limits the rate at which the queue pair sends, in state RTS. Since level 3. Source:
     * {@code ibv_modify_qp_rate_limit(3)}.
     *
     * @param attr the limit
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 3; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb, or the type of the queue pair does not support limits; {@link Errno#EINVAL}
     *     for a number out of range, in a state other than RTS, and for a burst or a packet size without a rate
     */
    public final void modifyRateLimit(QpRateLimitAttr attr) {
        Extension.require(context(), ContextSlot.MODIFY_QP_RATE_LIMIT, ModifyQpRateLimit.class)
                .modifyQpRateLimit(this, attr);
    }

    /**
     * Attaches a completion counter, which counts what ends on this queue pair until the queue pair is closed. Several
     * queue pairs may share a counter, and a queue pair may have a different counter for each operation. Unsignaled
     * requests count too. Since level 4. Source: {@code ibv_qp_attach_comp_cntr(3)}.
     *
     * @param counter a counter of the same context; it cannot be closed before the queue pair
     * @param ops what to count, {@link CompCntrOps} bits
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device does not count one of these operations, or has no counters; {@link Errno#EINVAL} for no operation, and
     *     in a state other than RESET and INIT; {@link Errno#EBUSY} if the queue pair has a counter for one of these
     *     operations
     */
    public final void attachCompCntr(CompletionCounter counter, int ops) {
        Extension.require(context(), ContextSlot.QP_ATTACH_COMP_CNTR, QpAttachCompCntr.class)
                .qpAttachCompCntr(this, counter, new QpAttachCompCntrAttr().opMask(ops));
    }

    /**
     * Sets options of the connection that this queue pair will make, in state RESET or INIT. They take effect on the
     * transition to RTR. Since level 4. Source: {@code ibv_set_ece(3)}.
     *
     * @param ece the options that the other side got from {@link #queryEce()}; a device may replace them by those that
     *     it accepts
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has no such options, for vendor 0, and for an unknown bit of the mask; {@link Errno#EINVAL} in other
     *     states, and for options of another vendor
     */
    public final void setEce(Ece ece) {
        Extension.require(context(), ContextSlot.SET_ECE, SetEce.class).setEce(this, ece);
    }

    /**
     * Queries the options of the connection: before RTR those that the device offers, later those agreed on. Since
     * level 4. Source: {@code ibv_query_ece(3)}.
     *
     * @return a new instance with the options
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 4; {@link Errno#EOPNOTSUPP} if the
     *     device has no such options
     */
    public final Ece queryEce() {
        return Extension.require(context(), ContextSlot.QUERY_ECE, QueryEce.class)
                .queryEce(this);
    }

    /**
     * Attaches the queue pair to a multicast group. Source: {@code ibv_attach_mcast(3)}.
     *
     * @param gid the group's GID
     * @param lid the group's LID; 0 on RoCE
     * @throws VerbsException {@link Errno#EINVAL} if the GID is not a multicast one or the service is not UD;
     *     {@link Errno#ENOMEM} if the group or the device has no more room; {@link Errno#EADDRINUSE} if another process
     *     uses the address that the port needs for it
     */
    public final void attachMcast(Gid gid, int lid) {
        ops().attachMcast(this, gid, lid);
    }

    /**
     * Detaches the queue pair from a multicast group. Source: {@code ibv_detach_mcast(3)}.
     *
     * @param gid the group's GID
     * @param lid the group's LID; 0 on RoCE
     * @throws VerbsException {@link Errno#EINVAL} if the queue pair is not attached to it
     */
    public final void detachMcast(Gid gid, int lid) {
        ops().detachMcast(this, gid, lid);
    }

    /**
     * Destroys the queue pair. Unlike in C it does not wait for events: events already handed out stay valid and are
     * forgotten. Source: {@code ibv_destroy_qp(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it is attached to a multicast group
     */
    @Override
    public final void close() {
        ops().destroyQp(this);
    }

    @Override
    public final String toString() {
        return "queue pair " + qpNum + " (" + QpType.toString(qpType) + ") of "
                + context().device();
    }
}

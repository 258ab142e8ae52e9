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
 * <p>Providers subclass it; {@code postSend}, {@code postRecv} and {@code bindMw} are theirs, and go there without a step
 * between. All methods may be called from any thread. Source: {@code ibv_create_qp(3)}.
 */
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
     * @param attr what it is made with; nothing of it is kept but what it refers to
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
     * Creates the handle of a queue pair that an extended verb has made; for providers of level 2.
     *
     * @param context context that the queue pair belongs to
     * @param attr what it is made with; nothing of it is kept but what it refers to
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
     * Creates another handle of a queue pair that is there; for providers of level 2.
     *
     * @param context context that the handle belongs to
     * @param attr what it is opened with
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
     * Changes the number, where the device tells it later than at creation; for providers.
     *
     * @param newQpNum its number, 24 bits
     */
    protected final void updateQpNum(int newQpNum) {
        qpNum = newQpNum;
    }

    /**
     * The domain that the queue pair belongs to.
     *
     * @return the domain, or null for type XRC_RECV
     */
    public final ProtectionDomain pd() {
        return pd;
    }

    /**
     * The completion queue of the send queue.
     *
     * @return the queue, or null for type XRC_RECV
     */
    public final CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * The completion queue of the receive queue.
     *
     * @return the queue, or null for types XRC_SEND and XRC_RECV
     */
    public final CompletionQueue recvCq() {
        return recvCq;
    }

    /**
     * The shared receive queue.
     *
     * @return the queue, or null
     */
    public final SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * The XRC domain. Since level 2.
     *
     * @return the domain, or null for a type other than XRC_RECV
     */
    public final XrcDomain xrcd() {
        return xrcd;
    }

    /**
     * Steers packets to this queue pair, one of type RAW_PACKET or one that receives by an {@link RwqIndTable}. Since level 4.
     * Source: {@code ibv_create_flow(3)}.
     *
     * @param attr which packets, and what is done with them
     * @return the new flow; it ends when it is closed
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the
     *     device can't steer packets, or not by these specifications; {@link Errno#EINVAL} for what is out of range
     */
    public final Flow createFlow(FlowAttr attr) {
        return Extension.require(context(), ContextSlot.CREATE_FLOW, CreateFlow.class)
                .createFlow(this, attr);
    }

    /**
     * The work queues that it receives by, in place of a receive queue of its own. Since level 4.
     *
     * @return the table, or null
     */
    public final RwqIndTable rwqIndTbl() {
        return rwqIndTbl;
    }

    /**
     * Object of the application's.
     *
     * @return the object given at creation, or null
     */
    public final Object userContext() {
        return userContext;
    }

    /**
     * The transport service.
     *
     * @return a {@link QpType} value
     */
    public final int qpType() {
        return qpType;
    }

    /** {@return the number, 24 bits; a device may tell another one when the queue pair has reached a later state} */
    public final int qpNum() {
        return qpNum;
    }

    /**
     * Posts send work requests. Neither throws nor allocates. Source: {@code ibv_post_send(3)}.
     *
     * @param wr first of a list; those before one that fails are posted
     * @param badWr where the one that failed goes (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} where the queue is full; {@link Errno#EINVAL} after close, for null, for a
     *     bad work request, and in a state in which nothing can be posted; else {@link Errno#EOPNOTSUPP} for an operation that
     *     the type of the queue pair or the device does not have, or has never heard of
     */
    public abstract int postSend(SendWorkRequest wr, SendWorkRequest[] badWr);

    /**
     * Posts send work requests, as {@link #postSend(SendWorkRequest, SendWorkRequest[])}, without telling which failed.
     *
     * @param wr first of a list
     * @return 0, or an errno
     */
    public final int postSend(SendWorkRequest wr) {
        return postSend(wr, null);
    }

    /**
     * Posts send work requests, as {@link #postSend(SendWorkRequest, SendWorkRequest[])}, or throws. Unlike {@code postSend} it
     * also refuses a request whose opcode was never set. Allocates nothing for a single request that is posted, and an
     * array of one element for a list. Since level 3.
     *
     * @param wr first of a list; those before one that fails are posted
     * @throws VerbsException the errno of {@code postSend}: the message names the request that failed and explains
     *     what is wrong with it, as {@link #explain(SendWorkRequest)}; {@link Errno#EINVAL} for an opcode that was never set:
     *     then none of the list is posted
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
     * Makes a builder, which gathers send work requests without an object for each. Make one and keep it; a queue pair may have several. Every
     * queue pair has builders, whatever level its provider is of. Since level 3. Source: {@code ibv_qp_to_qp_ex}, ibv_wr_post(3).
     *
     * @return a builder of this queue pair
     */
    public final SendBuilder builder() {
        return new SendBuilder(this);
    }

    /**
     * Posts what a builder has gathered; for providers, which override it if they can do better than by a list. It is called by {@link
     * SendBuilder#complete()} with one request at least. Since level 3.
     *
     * <p>An override must post all requests or none, validate them as {@code postSend} does, and neither throw nor
     * allocate.
     *
     * @param builder what is to be posted: {@link BuiltRequests} tells how it is read
     * @return 0, or an errno, as {@code postSend}; or minus {@link Errno#EOPNOTSUPP}, as here: then {@code complete} makes the same requests
     *     as objects, which the builder keeps, and gives them to {@link #postSend(SendWorkRequest, SendWorkRequest[])}
     */
    protected int postBuilt(SendBuilder builder) {
        return -Errno.EOPNOTSUPP;
    }

    /**
     * Posts receive work requests. Neither throws nor allocates. Source: {@code ibv_post_recv(3)}.
     *
     * @param wr first of a list; those before one that fails are posted
     * @param badWr where the one that failed goes (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} where the queue is full, {@link Errno#EINVAL} for a bad work request,
     *     in state RESET, with a shared receive queue, and after close
     */
    public abstract int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr);

    /**
     * Posts receive work requests, as {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}, without telling which failed.
     *
     * @param wr first of a list
     * @return 0, or an errno
     */
    public final int postRecv(RecvWorkRequest wr) {
        return postRecv(wr, null);
    }

    /**
     * Posts receive work requests, as {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}, or throws. Allocates nothing for a
     * single request that is posted, and an array of one element for a list. Since level 3.
     *
     * @param wr first of a list; those before one that fails are posted
     * @throws VerbsException the errno of {@code postRecv}: the message names the request that failed and explains
     *     what is wrong with it, as {@link #explain(RecvWorkRequest)}
     */
    public final void postRecvOrThrow(RecvWorkRequest wr) {
        RecvWorkRequest[] bad = wr == null || wr.next() == null ? null : new RecvWorkRequest[1];
        int errno = postRecv(wr, bad);
        if (errno != 0) {
            throw RefusedPost.recv("post_recv", this::explain, wr, bad == null ? null : bad[0], errno);
        }
    }

    /**
     * Posts a request to bind a memory window of type 1. The window's new key can be used for requests that are posted to
     * this queue pair afterwards. Neither throws nor allocates. Source: {@code ibv_bind_mw(3)}.
     *
     * @param mw the window
     * @param bind what to bind it to
     * @return 0, or an errno: {@link Errno#EINVAL} after close, for null, in a state in which nothing can be posted, for a
     *     window of another type, access bits that are not remote ones, a region without {@link AccessFlags#MW_BIND}, or a range
     *     outside it; {@link Errno#EPERM} where domains differ; {@link Errno#ENOMEM} where the queue is full; else {@link
     *     Errno#EOPNOTSUPP} where the type of the queue pair or the device can't
     */
    public abstract int bindMw(MemoryWindow mw, MwBind bind);

    /**
     * Changes the attributes that {@code attr} has in its mask. Source: {@code ibv_modify_qp(3)}.
     *
     * @param attr the attributes
     * @throws VerbsException {@link Errno#EINVAL} for a transition that the state machine does not have, for attributes
     *     that it needs and that are missing, or does not allow and that are there (the message names them), and for what
     *     is out of range; {@link Errno#ENETUNREACH} where there is no way to the address in it; {@link
     *     Errno#EOPNOTSUPP} for what the device can't change; {@link Errno#ENOMEM} where there is no memory for it
     */
    public final void modify(QpAttr attr) {
        ops().modifyQp(this, attr, attr == null ? 0 : attr.mask());
    }

    /**
     * Asks for attributes. Source: {@code ibv_query_qp(3)}.
     *
     * @param attrMask which are wanted, {@link QpAttrMask} bits
     * @return a new instance with the answer; attributes that were not asked for may be there too
     */
    public final QpAttr query(int attrMask) {
        QpAttr attr = new QpAttr();
        query(attr, attrMask, new QpInitAttr());
        return attr;
    }

    /**
     * Asks for attributes, and for what the queue pair was made with. Source: {@code ibv_query_qp(3)}.
     *
     * @param attr to be filled
     * @param attrMask which are wanted, {@link QpAttrMask} bits
     * @param initAttr to be filled
     */
    public final void query(QpAttr attr, int attrMask, QpInitAttr initAttr) {
        ops().queryQp(this, attr, attrMask, initAttr);
    }

    /**
     * Tells in words which rule a send work request breaks, in the present state of the queue pair: what the errno of {@link
     * #postSend(SendWorkRequest, SendWorkRequest[])} was about. Posts nothing. Not for the hot path.
     *
     * @param wr first of a list
     * @return the first that is wrong in the list, with what to do; null where neither library nor provider know of a rule that
     *     it breaks (the queue may have been full: {@link Errno#ENOMEM})
     */
    public final String explain(SendWorkRequest wr) {
        return ops().explainSend(this, wr);
    }

    /**
     * Tells in words which rule a receive work request breaks, as {@link #explain(SendWorkRequest)}.
     *
     * @param wr first of a list
     * @return the first that is wrong in the list, or null
     */
    public final String explain(RecvWorkRequest wr) {
        return ops().explainRecv(this, wr);
    }

    /**
     * Asks in which order the data of a transfer reaches memory. Where library or provider do not have this verb nothing is promised: 0.
     * Since level 3. Source: {@code ibv_query_qp_data_in_order(3)}.
     *
     * @param wrOpcode the operation, a {@link WrOpcode} value
     * @param flags {@link DataInOrderFlags} bits
     * @return with {@link DataInOrderFlags#RETURN_CAPS} {@link DataInOrderCaps} bits; else 1 where the bytes of a message are written in
     *     order, 0 where not
     * @throws VerbsException {@link Errno#EINVAL} after close; {@link Errno#EOPNOTSUPP} for a flag that is not known
     */
    public final int queryDataInOrder(int wrOpcode, int flags) {
        QueryQpDataInOrder extended =
                Extension.find(context(), ContextSlot.QUERY_QP_DATA_IN_ORDER, QueryQpDataInOrder.class);
        return extended == null ? 0 : extended.queryQpDataInOrder(this, wrOpcode, flags);
    }

    /**
     * Limits the rate at which the queue pair sends, in state RTS. Since level 3. Source: {@code ibv_modify_qp_rate_limit(3)}.
     *
     * @param attr the limit
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 3; {@link Errno#EOPNOTSUPP} where the provider
     *     does not have the verb, or the type of the queue pair no limits; {@link Errno#EINVAL} for a number out of range, in a state
     *     other than RTS, and for a burst or a packet size without a rate
     */
    public final void modifyRateLimit(QpRateLimitAttr attr) {
        Extension.require(context(), ContextSlot.MODIFY_QP_RATE_LIMIT, ModifyQpRateLimit.class)
                .modifyQpRateLimit(this, attr);
    }

    /**
     * Lets a completion counter count what ends on this queue pair, until it is closed. Several queue pairs may share a counter, and
     * one may have a counter for each operation. Requests that are not signaled count, too. Since level 4. Source: {@code
     * ibv_qp_attach_comp_cntr(3)}.
     *
     * @param counter a counter of the same context, which can't be closed before this
     * @param ops what to count, {@link CompCntrOps} bits
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP} where the device does
     *     not count one of these, or has no counters; {@link Errno#EINVAL} for none, and in a state other than RESET and INIT; {@link
     *     Errno#EBUSY} where the queue pair has a counter for one of these
     */
    public final void attachCompCntr(CompletionCounter counter, int ops) {
        Extension.require(context(), ContextSlot.QP_ATTACH_COMP_CNTR, QpAttachCompCntr.class)
                .qpAttachCompCntr(this, counter, new QpAttachCompCntrAttr().opMask(ops));
    }

    /**
     * Sets options of the connection that this queue pair is to make, in state RESET or INIT. They take effect on the
     * way to RTR. Since level 4. Source: {@code ibv_set_ece(3)}.
     *
     * @param ece the options, as the other side has them from {@link #queryEce()}; a device may put those that it
     *     accepts there
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP}
     *     where the device has no such options, for vendor 0, and where the mask has a bit that nobody knows;
     *     {@link Errno#EINVAL} in other states, and for options of another vendor
     */
    public final void setEce(Ece ece) {
        Extension.require(context(), ContextSlot.SET_ECE, SetEce.class).setEce(this, ece);
    }

    /**
     * Asks for the options of the connection: before RTR those that the device offers, later those that are agreed on.
     * Since level 4. Source: {@code ibv_query_ece(3)}.
     *
     * @return a new instance with the answer
     * @throws VerbsException {@link Errno#ENOSYS} where the library is older than level 4; {@link Errno#EOPNOTSUPP}
     *     where the device has no such options
     */
    public final Ece queryEce() {
        return Extension.require(context(), ContextSlot.QUERY_ECE, QueryEce.class)
                .queryEce(this);
    }

    /**
     * Attaches to a multicast group. Source: {@code ibv_attach_mcast(3)}.
     *
     * @param gid the group's GID
     * @param lid the group's LID; 0 on RoCE
     * @throws VerbsException {@link Errno#EINVAL} where the GID is not a multicast one or the service is not UD; {@link
     *     Errno#ENOMEM} where the group or the device has no more room; {@link
     *     Errno#EADDRINUSE} where another process uses the address that the port needs for it
     */
    public final void attachMcast(Gid gid, int lid) {
        ops().attachMcast(this, gid, lid);
    }

    /**
     * Detaches from a multicast group. Source: {@code ibv_detach_mcast(3)}.
     *
     * @param gid the group's GID
     * @param lid the group's LID; 0 on RoCE
     * @throws VerbsException {@link Errno#EINVAL} where the queue pair is not attached to it
     */
    public final void detachMcast(Gid gid, int lid) {
        ops().detachMcast(this, gid, lid);
    }

    /**
     * Destroys the queue pair. Unlike in C it does not wait for events: those that were handed out stay valid and are
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.GetSrqNum;
import java.util.Objects;

/**
 * A shared receive queue.
 *
 * <p>Providers subclass it and implement {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}. All methods may be
 * called from any thread. Source: {@code ibv_create_srq(3)}.
 */
public abstract class SharedReceiveQueue extends VerbsObject {
    private final ProtectionDomain pd;
    private final XrcDomain xrcd;
    private final CompletionQueue cq;
    private final Object userContext;
    private final int srqType;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that the queue belongs to
     * @param attr attributes it is created with
     */
    protected SharedReceiveQueue(ProtectionDomain pd, SrqInitAttr attr) {
        super(Objects.requireNonNull(pd, "pd").context());
        this.pd = pd;
        this.xrcd = null;
        this.cq = null;
        this.userContext = attr.userContext();
        this.srqType = SrqType.BASIC;
    }

    /**
     * Creates the handle of a queue created by an extended verb; for providers of level 2.
     *
     * @param context context that the queue belongs to
     * @param attr attributes it is created with
     */
    protected SharedReceiveQueue(Context context, SrqInitAttrEx attr) {
        super(Objects.requireNonNull(context, "context"));
        this.pd = attr.pd();
        this.xrcd = attr.xrcd();
        this.cq = attr.cq();
        this.userContext = attr.userContext();
        this.srqType = attr.srqType();
    }

    /** {@return the domain that the queue belongs to} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the XRC domain, or null for type BASIC} Since level 2. */
    public final XrcDomain xrcd() {
        return xrcd;
    }

    /** {@return the completion queue of the receives, or null for type BASIC} Since level 2. */
    public final CompletionQueue cq() {
        return cq;
    }

    /** {@return the type, a {@link SrqType} value} Since level 2. */
    public final int srqType() {
        return srqType;
    }

    /**
     * Returns the number that senders specify with {@link SendWorkRequest#remoteSrqn(int)}. Since level 2. Source:
     * {@code ibv_get_srq_num(3)}.
     *
     * @return the number, 24 bits
     * @throws VerbsException {@link Errno#ENOSYS} if the library is older than level 2; {@link Errno#EOPNOTSUPP} if the
     *     provider does not have the verb; {@link Errno#EINVAL} for a queue of type BASIC
     */
    public final int srqNum() {
        return Extension.require(context(), ContextSlot.GET_SRQ_NUM, GetSrqNum.class)
                .getSrqNum(this);
    }

    /** {@return the application object given at creation, or null} */
    public final Object userContext() {
        return userContext;
    }

    /**
     * Posts receive work requests. Neither throws nor allocates. Source: {@code ibv_post_srq_recv(3)}.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @param badWr receives the request that failed (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} if the queue is full, {@link Errno#EINVAL} for a bad work request
     *     and after close
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
            throw RefusedPost.recv("post_srq_recv", this::explain, wr, bad == null ? null : bad[0], errno);
        }
    }

    /**
     * Posts changes to the matching list of a queue of type {@link SrqType#TM}. Neither throws nor allocates. Since
     * level 4. Source: {@code ibv_post_srq_ops(3)}.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @param badWr receives the request that failed (index 0), or null
     * @return 0, or an errno: {@link Errno#EOPNOTSUPP} if the device does not support it, and for an unknown flag;
     *     {@link Errno#EINVAL} for a queue of another type, a bad request and after close; {@link Errno#ENOMEM} if the
     *     list is full
     */
    public int postSrqOps(OpsWorkRequest wr, OpsWorkRequest[] badWr) {
        if (badWr != null && badWr.length > 0) {
            badWr[0] = wr;
        }
        return Errno.EOPNOTSUPP;
    }

    /**
     * Posts changes to the matching list, as {@link #postSrqOps(OpsWorkRequest, OpsWorkRequest[])}, without reporting
     * which failed. Since level 4.
     *
     * @param wr first request of a list
     * @return 0, or an errno
     */
    public final int postSrqOps(OpsWorkRequest wr) {
        return postSrqOps(wr, null);
    }

    /**
     * Changes the attributes that {@code attr} has in its mask. Source: {@code ibv_modify_srq(3)}.
     *
     * @param attr the attributes
     * @throws VerbsException {@link Errno#EINVAL} for values out of range, a limit above the size, or an empty mask;
     *     {@link Errno#EOPNOTSUPP} if the device cannot resize; {@link Errno#ENOMEM} if there is not enough memory
     */
    public final void modify(SrqAttr attr) {
        ops().modifySrq(this, attr, attr == null ? 0 : attr.mask());
    }

    /**
     * Queries the attributes. Source: {@code ibv_query_srq(3)}.
     *
     * @return a new instance with the attributes
     */
    public final SrqAttr query() {
        SrqAttr attr = new SrqAttr();
        ops().querySrq(this, attr);
        return attr;
    }

    /**
     * Explains which rule a receive work request breaks: the reason for an errno of
     * {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}. Posts nothing. Not for the hot path.
     *
     * @param wr first request of a list
     * @return the first fault in the list, with a remedy; null if neither library nor provider know of a rule that it
     *     breaks (the queue may have been full: {@link Errno#ENOMEM})
     */
    public final String explain(RecvWorkRequest wr) {
        return ops().explainSrqRecv(this, wr);
    }

    /**
     * Destroys the queue. Unlike in C it does not wait for events: events already handed out stay valid and are
     * forgotten. Source: {@code ibv_destroy_srq(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs refer to it
     */
    @Override
    public final void close() {
        ops().destroySrq(this);
    }

    @Override
    public final String toString() {
        return "shared receive queue (" + SrqType.toString(srqType) + ") of "
                + context().device();
    }
}

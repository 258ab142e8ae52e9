/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * A shared receive queue.
 *
 * <p>Providers subclass it; {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])} is theirs. All methods may be called
 * from any thread. Source: {@code ibv_create_srq(3)}.
 */
public abstract class SharedReceiveQueue extends VerbsObject {
    private final ProtectionDomain pd;
    private final Object userContext;

    /**
     * Creates the handle; for providers.
     *
     * @param pd domain that the queue belongs to
     * @param attr what it is made with
     */
    protected SharedReceiveQueue(ProtectionDomain pd, SrqInitAttr attr) {
        super(Objects.requireNonNull(pd, "pd").context());
        this.pd = pd;
        this.userContext = attr.userContext();
    }

    /**
     * The domain that the queue belongs to.
     *
     * @return the domain
     */
    public final ProtectionDomain pd() {
        return pd;
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
     * Posts receive work requests. Neither throws nor allocates. Source: {@code ibv_post_srq_recv(3)}.
     *
     * @param wr first of a list; those before one that fails are posted
     * @param badWr where the one that failed goes (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} where the queue is full, {@link Errno#EINVAL} for a bad work request
     *     and after close
     */
    public abstract int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr);

    /**
     * Posts receive work requests, as {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}, without telling which
     * failed.
     *
     * @param wr first of a list
     * @return 0, or an errno
     */
    public final int postRecv(RecvWorkRequest wr) {
        return postRecv(wr, null);
    }

    /**
     * Changes the attributes that {@code attr} has in its mask. Source: {@code ibv_modify_srq(3)}.
     *
     * @param attr the attributes
     * @throws VerbsException {@link Errno#EINVAL} for what is out of range, a limit above the size, or an empty mask;
     *     {@link Errno#EOPNOTSUPP} where the device can't resize; {@link Errno#ENOMEM} where there is no memory for it
     */
    public final void modify(SrqAttr attr) {
        ops().modifySrq(this, attr, attr == null ? 0 : attr.mask());
    }

    /**
     * Asks for the attributes. Source: {@code ibv_query_srq(3)}.
     *
     * @return a new instance with the answer
     */
    public final SrqAttr query() {
        SrqAttr attr = new SrqAttr();
        ops().querySrq(this, attr);
        return attr;
    }

    /**
     * Tells in words which rule a receive work request breaks: what the errno of {@link #postRecv(RecvWorkRequest,
     * RecvWorkRequest[])} was about. Posts nothing. Not for the hot path.
     *
     * @param wr first of a list
     * @return the first that is wrong in the list, with what to do; null where neither library nor provider know of a rule that
     *     it breaks (the queue may have been full: {@link Errno#ENOMEM})
     */
    public final String explain(RecvWorkRequest wr) {
        return ops().explainSrqRecv(this, wr);
    }

    /**
     * Destroys the queue. Unlike in C it does not wait for events: those that were handed out stay valid and are forgotten.
     * Source: {@code ibv_destroy_srq(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while queue pairs refer to it
     */
    @Override
    public final void close() {
        ops().destroySrq(this);
    }

    @Override
    public final String toString() {
        return "shared receive queue of " + context().device();
    }
}

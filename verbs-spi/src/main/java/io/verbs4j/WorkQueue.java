/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DestroyWq;
import io.verbs4j.slot.ModifyWq;
import java.util.Objects;

/**
 * A work queue: one of the receive queues over which a queue pair spreads its packets, by an {@link RwqIndTable}.
 *
 * <p>Providers subclass it and implement {@link #postRecv(RecvWorkRequest, RecvWorkRequest[])}. All methods may be
 * called from any thread. Since level 4. Source: {@code ibv_create_wq(3)}.
 */
public abstract class WorkQueue extends VerbsObject {
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final Object userContext;
    private final int wqType;
    private final int wqNum;
    private volatile int wqState = WqState.RESET;

    /**
     * Creates the handle, in state RESET; for providers.
     *
     * @param context context that the queue belongs to
     * @param attr attributes it is created with
     * @param wqNum its number
     */
    protected WorkQueue(Context context, WqInitAttr attr, int wqNum) {
        super(Objects.requireNonNull(context, "context"));
        this.pd = attr.pd();
        this.cq = attr.cq();
        this.userContext = attr.userContext();
        this.wqType = attr.wqType();
        this.wqNum = wqNum;
    }

    /**
     * Updates the state that the queue reports; for providers, which call it whenever the device has changed it.
     *
     * @param newState a {@link WqState} value
     */
    protected final void updateWqState(int newState) {
        wqState = newState;
    }

    /** {@return the domain that the queue belongs to} */
    public final ProtectionDomain pd() {
        return pd;
    }

    /** {@return the completion queue of its receives} */
    public final CompletionQueue cq() {
        return cq;
    }

    /** {@return the application object given at creation, or null} */
    public final Object userContext() {
        return userContext;
    }

    /** {@return the type, a {@link WqType} value} */
    public final int wqType() {
        return wqType;
    }

    /** {@return the number of the queue} */
    public final int wqNum() {
        return wqNum;
    }

    /** {@return the state that the provider knows of, a {@link WqState} value} */
    public final int wqState() {
        return wqState;
    }

    /**
     * Posts receive work requests. Neither throws nor allocates. Source: {@code ibv_post_wq_recv(3)}.
     *
     * @param wr first request of a list; requests before one that fails are posted
     * @param badWr receives the request that failed (index 0), or null
     * @return 0, or an errno: {@link Errno#ENOMEM} if the queue is full, {@link Errno#EINVAL} for a bad work request,
     *     in state RESET, and after close
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
     * Changes the attributes that {@code attr} has in its mask. Source: {@code ibv_modify_wq(3)}.
     *
     * @param attr the attributes
     * @throws VerbsException {@link Errno#EINVAL} for a state transition that does not exist, flags that are not in the
     *     mask of flags, or an empty mask; {@link Errno#EOPNOTSUPP} for flags that the device cannot change
     */
    public final void modify(WqAttr attr) {
        Extension.require(context(), ContextSlot.MODIFY_WQ, ModifyWq.class).modifyWq(this, attr);
    }

    /**
     * Destroys the queue. Unlike in C it does not wait for events: events already handed out stay valid and are
     * forgotten. Source: {@code ibv_destroy_wq(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while it is in a table
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DESTROY_WQ, DestroyWq.class).destroyWq(this);
    }

    @Override
    public final String toString() {
        return "work queue " + wqNum + " (" + WqType.toString(wqType) + ") of "
                + context().device();
    }
}

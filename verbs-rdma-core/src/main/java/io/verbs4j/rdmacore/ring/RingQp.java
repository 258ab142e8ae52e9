/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.Errno;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.object.IbvQp;

/** A queue pair that Java posts to; a post holds the lock of its queue. */
public abstract class RingQp extends IbvQp {
    private final RingLock sendLock;
    private final RingLock receiveLock;
    private volatile boolean released; // by device code

    /**
     * Creates the object for a {@code struct ibv_qp}.
     *
     * @param attr holds the granted capacities
     * @param operations the operations that can be posted, {@link io.verbs4j.QpCreateSendOps} bits
     */
    protected RingQp(
            NativeContext base, QpInitAttrEx attr, long operations, long qp, RingLock sendLock, RingLock receiveLock) {
        super(attr, operations, qp, base.functions(), base.quirks(), base.regions(), base.windows());
        this.sendLock = sendLock;
        this.receiveLock = receiveLock;
    }

    /** {@return the lock of the send queue} */
    protected final RingLock sendLock() {
        return sendLock;
    }

    /** {@return the lock of the receive queue} */
    protected final RingLock receiveLock() {
        return receiveLock;
    }

    @Override
    protected final void whileNobodyPosts(Runnable body) {
        sendLock.locked(() -> receiveLock.locked(body));
    }

    /** Notes that the queue pair is destroyed: nothing can be posted from now on. Called while no thread posts. */
    protected abstract void ended();

    /**
     * Destroys the queue pair while no thread posts. Its memory is freed, so threads that read it must be kept out as
     * well. The default is {@link #ending}.
     *
     * @param body throws if the queue pair stays as it was
     */
    protected void destroying(Runnable body) {
        ending(body);
    }

    /** {@return whether device code has, or had, the send queue} */
    protected boolean isHandedOver() {
        return false;
    }

    /** Notes that device code no longer uses the send queue, so that the queue pair can be destroyed. */
    public final void leftByDeviceCode() {
        released = true;
    }

    /**
     * Checks that the queue pair can go to RESET.
     *
     * @throws VerbsException {@link Errno#EBUSY} if its send queue was handed over to device code
     */
    public final void requireResettable() {
        if (isHandedOver()) {
            throw new VerbsException(
                    Errno.EBUSY, "modify_qp", "device code has its send queue, which cannot go to RESET; destroy it");
        }
    }

    @Override
    public void destroy() {
        if (!released && isHandedOver()) {
            throw new VerbsException(
                    Errno.EBUSY, "destroy_qp", "device code has its send queue; close its DeviceRing first");
        }
        whileNobodyPosts(() -> {
            destroying(super::destroy);
            ended();
        });
    }
}

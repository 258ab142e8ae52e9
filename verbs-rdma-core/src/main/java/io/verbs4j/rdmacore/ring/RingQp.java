/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.ring;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.object.IbvQp;

/** Behind a queue pair that Java posts to: who posts has the lock of that queue. */
public abstract class RingQp extends IbvQp {
    private final RingLock sendLock;
    private final RingLock receiveLock;

    /**
     * Of a {@code struct ibv_qp}.
     *
     * @param attr holds the capacities that were given
     * @param operations what can be posted to it, {@link io.verbs4j.QpCreateSendOps} bits
     */
    protected RingQp(
            NativeContext base, QpInitAttrEx attr, long operations, long qp, RingLock sendLock, RingLock receiveLock) {
        super(attr, operations, qp, base.functions(), base.regions(), base.windows());
        this.sendLock = sendLock;
        this.receiveLock = receiveLock;
    }

    /** Guards what is sent. */
    protected final RingLock sendLock() {
        return sendLock;
    }

    /** Guards what is received. */
    protected final RingLock receiveLock() {
        return receiveLock;
    }

    @Override
    protected final void whileNobodyPosts(Runnable body) {
        sendLock.locked(() -> receiveLock.locked(body));
    }

    /** The queue pair is destroyed: nothing can be posted from now on. Nobody posts meanwhile. */
    protected abstract void ended();

    /**
     * Has the device destroy it, while nobody posts. Its memory is gone then: whoever reads it must be kept out, too.
     * The default is
     * {@link #ending}.
     *
     * @param body throws where it stays as it was
     */
    protected void destroying(Runnable body) {
        ending(body);
    }

    @Override
    public void destroy() {
        whileNobodyPosts(() -> {
            destroying(super::destroy);
            ended();
        });
    }
}

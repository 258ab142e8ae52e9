/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.OwnRequests;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The native side of a queue pair that libmlx5 posts to and that was created for mlx5-specific requests.
 *
 * @param <R> the request type: a class of mlx5dv, on which this package does not depend
 */
public final class DvQp<R> extends IbvQp {
    private final long sendOps;
    private final ReentrantLock making = new ReentrantLock();
    private volatile OwnRequests<R> own;

    /**
     * Creates the native side of a {@code struct ibv_qp}.
     *
     * @param sendOps the operations that it was created for, {@link io.verbs4j.mlx5dv.Mlx5SendOps} bits
     */
    public DvQp(NativeContext base, QpInitAttrEx attr, long operations, long qp, long sendOps) {
        super(attr, operations, qp, base.functions(), base.quirks(), base.regions(), base.windows());
        this.sendOps = sendOps;
    }

    /** Returns the operations that it was created for, {@link io.verbs4j.mlx5dv.Mlx5SendOps} bits. */
    public long sendOps() {
        return sendOps;
    }

    /**
     * Posts a request; returns 0 or an errno.
     *
     * @param maker creates the builder of requests, once
     */
    public int post(R request, Function<DvQp<R>, OwnRequests<R>> maker) {
        OwnRequests<R> by = own;
        return postOwn(by == null ? make(maker) : by, request);
    }

    private OwnRequests<R> make(Function<DvQp<R>, OwnRequests<R>> maker) {
        making.lock();
        try {
            if (own == null) {
                own = maker.apply(this);
            }
            return own;
        } finally {
            making.unlock();
        }
    }

    @Override
    public void destroy() {
        super.destroy();
        making.lock();
        try {
            if (own != null) {
                own.free();
            }
        } finally {
            making.unlock();
        }
    }
}

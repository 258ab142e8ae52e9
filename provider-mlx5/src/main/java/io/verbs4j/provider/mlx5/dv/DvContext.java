/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import java.util.function.LongUnaryOperator;

/** An open ConnectX, as mlx5dv sees it. */
public abstract class DvContext extends VendorContext {
    /**
     * Opens a device through a function.
     *
     * @param open takes the {@code struct ibv_device}, and returns the {@code struct ibv_context} or 0
     */
    protected DvContext(NativeDevice device, Context context, LongUnaryOperator open) {
        super(device, context, open);
    }

    /** Returns the memory source of the context's rings. */
    public abstract RingMemory ringMemory();

    /** Returns whether Java writes and reads the queues. */
    public abstract boolean isJavaPath();

    /** Returns whether a queue pair has no rings of its own. */
    public abstract boolean isWithoutRings(QueuePair qp);

    /** Returns the send queue of a queue pair that Java posts to; null for any other. */
    public abstract SendQueue sendsOf(NativeQueuePair qp);

    /**
     * Returns the mlx5-specific operations that such a queue pair was created for,
     * {@link io.verbs4j.mlx5dv.Mlx5SendOps} bits.
     */
    public abstract long sendOpsOf(NativeQueuePair qp);
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import java.util.function.LongUnaryOperator;

/** An open ConnectX, as far as mlx5dv needs to know it. */
public abstract class DvContext extends VendorContext {
    /**
     * Opens a device by a function.
     *
     * @param open gets the {@code struct ibv_device}, and returns the {@code struct ibv_context} or 0
     */
    protected DvContext(NativeDevice device, Context context, LongUnaryOperator open) {
        super(device, context, open);
    }

    /** Where the memory of rings comes from. */
    public abstract RingMemory ringMemory();

    /** Whether Java writes and reads the queues. */
    public abstract boolean isJavaPath();

    /** Whether a queue pair has no rings of its own. */
    public abstract boolean isWithoutRings(QueuePair qp);

    /** The send queue of a queue pair that Java posts to; null of another. */
    public abstract SendQueue sendsOf(NativeQueuePair qp);

    /** The requests of mlx5's own that such a queue pair was made for, {@link io.verbs4j.mlx5dv.Mlx5SendOps} bits. */
    public abstract long sendOpsOf(NativeQueuePair qp);
}

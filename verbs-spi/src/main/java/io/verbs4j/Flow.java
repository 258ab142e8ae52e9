/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.DestroyFlow;
import java.util.Objects;

/**
 * A rule that steers packets to a queue pair: {@link QueuePair#createFlow(FlowAttr)}.
 *
 * <p>Providers subclass it. Since level 4. Source: {@code ibv_create_flow(3)}.
 */
public abstract class Flow extends VerbsObject {
    private final QueuePair qp;

    /**
     * Creates the handle; for providers.
     *
     * @param qp the queue pair that packets are steered to
     */
    protected Flow(QueuePair qp) {
        super(Objects.requireNonNull(qp, "qp").context());
        this.qp = qp;
    }

    /** {@return the queue pair that packets are steered to} */
    public final QueuePair qp() {
        return qp;
    }

    /** Removes the rule. Source: {@code ibv_destroy_flow(3)}. */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DESTROY_FLOW, DestroyFlow.class)
                .destroyFlow(this);
    }

    @Override
    public final String toString() {
        return "flow to " + qp;
    }
}

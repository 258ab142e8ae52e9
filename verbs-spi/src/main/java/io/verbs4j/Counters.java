/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.ReadCounters;
import java.util.Objects;

/**
 * Counters of what flows steer: {@link FlowSpecActionCount}. First each counter that is wanted is attached, then
 * flows are made
 * that count by them.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 4. Source: {@code
 * ibv_create_counters(3)}.
 */
public abstract class Counters extends VerbsObject {
    /**
     * Creates the handle; for providers.
     *
     * @param context context that the counters belong to
     */
    protected Counters(Context context) {
        super(Objects.requireNonNull(context, "context"));
    }

    /**
     * Says what a counter counts, before flows are made by it. Source: {@code ibv_attach_counters_point_flow(3)}.
     *
     * @param attr what is counted, and where it is read
     * @throws VerbsException {@link Errno#EBUSY} where flows count by these already, on devices that can't change it
     *     then; {@link
     *     Errno#EOPNOTSUPP} for what the device does not count
     */
    public final void attach(CounterAttachAttr attr) {
        attach(attr, null);
    }

    /**
     * As {@link #attach(CounterAttachAttr)}, for a flow that is there.
     *
     * @param attr what is counted, and where it is read
     * @param flow the flow; null for those that will be made
     * @throws VerbsException as that; {@link Errno#EOPNOTSUPP} where the device counts for flows from their beginning
     *     alone, as
     *     ConnectX does
     */
    public final void attach(CounterAttachAttr attr, Flow flow) {
        Extension.require(context(), ContextSlot.ATTACH_COUNTERS_POINT_FLOW, AttachCountersPointFlow.class)
                .attachCountersPointFlow(this, attr, flow);
    }

    /**
     * Reads the counters. Source: {@code ibv_read_counters(3)}.
     *
     * @param values where the counters go, by the index that they were attached with; not longer than the highest of
     *     these and 1
     * @param flags {@link ReadCountersFlags} bits
     * @throws VerbsException {@link Errno#EINVAL} for an array that is empty, or longer than there are counters
     */
    public final void read(long[] values, int flags) {
        Extension.require(context(), ContextSlot.READ_COUNTERS, ReadCounters.class)
                .readCounters(this, values, flags);
    }

    /**
     * Destroys the counters. Source: {@code ibv_destroy_counters(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while flows count by them
     */
    @Override
    public final void close() {
        Extension.require(context(), ContextSlot.DESTROY_COUNTERS, DestroyCounters.class)
                .destroyCounters(this);
    }

    @Override
    public final String toString() {
        return "counters of " + context().device();
    }
}

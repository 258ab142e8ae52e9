/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import io.verbs4j.slot.AttachCountersPointFlow;
import io.verbs4j.slot.DestroyCounters;
import io.verbs4j.slot.ReadCounters;
import java.util.Objects;

/**
 * Counters of packets or bytes that flows steer, see {@link FlowSpecActionCount}. First attach each counter, then
 * create the flows that use them.
 *
 * <p>Providers subclass it. All methods may be called from any thread. Since level 4. Source:
 * {@code ibv_create_counters(3)}.
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
     * Defines what a counter counts, before flows use it. Source: {@code ibv_attach_counters_point_flow(3)}.
     *
     * @param attr what to count, and at which index to read it
     * @throws VerbsException {@link Errno#EBUSY} if flows use these counters already and the device cannot change them
     *     then; {@link Errno#EOPNOTSUPP} for what the device does not count
     */
    public final void attach(CounterAttachAttr attr) {
        attach(attr, null);
    }

    /**
     * Defines what a counter counts, optionally for an existing flow; otherwise as {@link #attach(CounterAttachAttr)}.
     *
     * @param attr what to count, and at which index to read it
     * @param flow the flow; null for flows created later
     * @throws VerbsException as {@link #attach(CounterAttachAttr)}; {@link Errno#EOPNOTSUPP} if the device counts only
     *     flows that were created with the counters, as ConnectX does
     */
    public final void attach(CounterAttachAttr attr, Flow flow) {
        Extension.require(context(), ContextSlot.ATTACH_COUNTERS_POINT_FLOW, AttachCountersPointFlow.class)
                .attachCountersPointFlow(this, attr, flow);
    }

    /**
     * Reads the counters. Source: {@code ibv_read_counters(3)}.
     *
     * @param values receives the counters, by the index they were attached with; its length is at most the highest of
     *     these indexes plus 1
     * @param flags {@link ReadCountersFlags} bits
     * @throws VerbsException {@link Errno#EINVAL} for an array that is empty, or longer than that
     */
    public final void read(long[] values, int flags) {
        Extension.require(context(), ContextSlot.READ_COUNTERS, ReadCounters.class)
                .readCounters(this, values, flags);
    }

    /**
     * Destroys the counters. Source: {@code ibv_destroy_counters(3)}.
     *
     * @throws VerbsException {@link Errno#EBUSY} while flows use them
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

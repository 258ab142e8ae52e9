/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An action of a {@link Flow} that counts packets. The counters cannot be closed while the flow exists.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec_counter_action}, {@code ibv_create_flow(3)}.
 */
public final class FlowSpecActionCount extends FlowSpec {
    private final Counters counters;

    /**
     * Creates the action.
     *
     * @param counters counters of the packets; several flows may share them
     */
    public FlowSpecActionCount(Counters counters) {
        super(FlowSpecType.ACTION_COUNT);
        this.counters = Objects.requireNonNull(counters, "counters");
    }

    /** {@return the counters of the packets} */
    public Counters counters() {
        return counters;
    }

    @Override
    public String toString() {
        return "ACTION_COUNT";
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A specification of a {@link Flow}: a filter, or an action on packets that match all filters.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec}, {@code ibv_create_flow(3)}. Not thread-safe.
 */
public abstract class FlowSpec {
    private final int type;

    /** Creates a specification; for those of the header. */
    FlowSpec(int type) {
        this.type = type;
    }

    /** {@return the type, a {@link FlowSpecType} value} */
    public int type() {
        return type;
    }
}

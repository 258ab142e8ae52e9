/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * A specification of a {@link Flow}: a filter, or what is done with a packet that all filters match.
 *
 * <p>Since level 4. Source: {@code struct ibv_flow_spec}, ibv_create_flow(3). Not thread-safe.
 */
public abstract class FlowSpec {
    private final int type;

    /** For the specifications of the header. */
    FlowSpec(int type) {
        this.type = type;
    }

    /** {@return what it is, a {@link FlowSpecType} value} */
    public int type() {
        return type;
    }
}

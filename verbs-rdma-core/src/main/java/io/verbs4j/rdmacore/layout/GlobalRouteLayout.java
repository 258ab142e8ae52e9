/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_global_route}: the global part of a path.
 *
 * <pre>
 * 0 dgid(16)  16 flow_label(4)  20 sgid_index(1)  21 hop_limit(1)  22 traffic_class(1)    24 in all
 * </pre>
 */
@CStruct("struct ibv_global_route")
public final class GlobalRouteLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "dgid", size = 16)
    public static final int DGID = 0;

    @CField(value = "flow_label", size = 4)
    public static final int FLOW_LABEL = 16;

    @CField(value = "sgid_index", size = 1)
    public static final int SGID_INDEX = 20;

    @CField(value = "hop_limit", size = 1)
    public static final int HOP_LIMIT = 21;

    @CField(value = "traffic_class", size = 1)
    public static final int TRAFFIC_CLASS = 22;

    private GlobalRouteLayout() {}
}

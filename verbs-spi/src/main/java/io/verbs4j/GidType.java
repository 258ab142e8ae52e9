/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * What a GID is used with. Since level 3. Source: {@code ibv_query_gid_ex(3)}, {@code ibv_gid_type}.
 */
public final class GidType {
    /** InfiniBand. Source: {@code IBV_GID_TYPE_IB}, ibv_query_gid_ex(3). */
    public static final int IB = 0;

    /** RoCE version 1: Ethernet frames of their own type. Source: {@code IBV_GID_TYPE_ROCE_V1}, ibv_query_gid_ex(3). */
    public static final int ROCE_V1 = 1;

    /** RoCE version 2: UDP. Source: {@code IBV_GID_TYPE_ROCE_V2}, ibv_query_gid_ex(3). */
    public static final int ROCE_V2 = 2;

    private GidType() {}

    /**
     * Name of a value.
     *
     * @param type a value of this class
     * @return for instance {@code "ROCE_V2"}; {@code "unknown (7)"} where it has no name
     */
    public static String toString(int type) {
        switch (type) {
            case IB:
                return "IB";
            case ROCE_V1:
                return "ROCE_V1";
            case ROCE_V2:
                return "ROCE_V2";
            default:
                return "unknown (" + type + ")";
        }
    }
}

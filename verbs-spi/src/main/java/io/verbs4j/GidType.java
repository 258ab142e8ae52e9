/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Types of GIDs: the protocol that a GID is used with. Since level 3. Source: {@code ibv_query_gid_ex(3)},
 * {@code ibv_gid_type}.
 */
public final class GidType {
    /** InfiniBand. Source: {@code IBV_GID_TYPE_IB}, {@code ibv_query_gid_ex(3)}. */
    public static final int IB = 0;

    /**
     * RoCE version 1: Ethernet frames with their own Ethertype. Source: {@code IBV_GID_TYPE_ROCE_V1},
     * {@code ibv_query_gid_ex(3)}.
     */
    public static final int ROCE_V1 = 1;

    /** RoCE version 2: UDP packets. Source: {@code IBV_GID_TYPE_ROCE_V2}, {@code ibv_query_gid_ex(3)}. */
    public static final int ROCE_V2 = 2;

    private GidType() {}

    /**
     * Returns the name of a value.
     *
     * @param type a value of this class
     * @return for instance {@code "ROCE_V2"}; {@code "unknown (7)"} if it has no name
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

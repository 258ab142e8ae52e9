/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Fields of MPLS, and registers that earlier rules set. Source: {@code struct mlx5_ifc_dr_match_set_misc2_bits},
 * rdma-core providers/mlx5/mlx5_ifc.h.
 */
public final class Misc2Fields {
    /** First MPLS entry of the outer headers: the label. */
    public static final MatchField OUTER_FIRST_MPLS_LABEL = new MatchField("misc2.OUTER_FIRST_MPLS_LABEL", 0x600, 20);

    /** First MPLS entry of the outer headers: the traffic class. */
    public static final MatchField OUTER_FIRST_MPLS_EXP = new MatchField("misc2.OUTER_FIRST_MPLS_EXP", 0x614, 3);

    /** First MPLS entry of the outer headers: whether it is the last of its stack. */
    public static final MatchField OUTER_FIRST_MPLS_S_BOS = new MatchField("misc2.OUTER_FIRST_MPLS_S_BOS", 0x617, 1);

    /** First MPLS entry of the outer headers: the time to live. */
    public static final MatchField OUTER_FIRST_MPLS_TTL = new MatchField("misc2.OUTER_FIRST_MPLS_TTL", 0x618, 8);

    /** First MPLS entry of the inner headers: the label. */
    public static final MatchField INNER_FIRST_MPLS_LABEL = new MatchField("misc2.INNER_FIRST_MPLS_LABEL", 0x620, 20);

    /** First MPLS entry of the inner headers: the traffic class. */
    public static final MatchField INNER_FIRST_MPLS_EXP = new MatchField("misc2.INNER_FIRST_MPLS_EXP", 0x634, 3);

    /** First MPLS entry of the inner headers: whether it is the last of its stack. */
    public static final MatchField INNER_FIRST_MPLS_S_BOS = new MatchField("misc2.INNER_FIRST_MPLS_S_BOS", 0x637, 1);

    /** First MPLS entry of the inner headers: the time to live. */
    public static final MatchField INNER_FIRST_MPLS_TTL = new MatchField("misc2.INNER_FIRST_MPLS_TTL", 0x638, 8);

    /** First MPLS entry over GRE: the label. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_GRE_LABEL =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_GRE_LABEL", 0x640, 20);

    /** First MPLS entry over GRE: the traffic class. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_GRE_EXP =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_GRE_EXP", 0x654, 3);

    /** First MPLS entry over GRE: whether it is the last of its stack. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_GRE_S_BOS =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_GRE_S_BOS", 0x657, 1);

    /** First MPLS entry over GRE: the time to live. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_GRE_TTL =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_GRE_TTL", 0x658, 8);

    /** First MPLS entry over UDP: the label. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_UDP_LABEL =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_UDP_LABEL", 0x660, 20);

    /** First MPLS entry over UDP: the traffic class. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_UDP_EXP =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_UDP_EXP", 0x674, 3);

    /** First MPLS entry over UDP: whether it is the last of its stack. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_UDP_S_BOS =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_UDP_S_BOS", 0x677, 1);

    /** First MPLS entry over UDP: the time to live. */
    public static final MatchField OUTER_FIRST_MPLS_OVER_UDP_TTL =
            new MatchField("misc2.OUTER_FIRST_MPLS_OVER_UDP_TTL", 0x678, 8);

    /** Register C7, set by earlier rules. */
    public static final MatchField METADATA_REG_C_7 = new MatchField("misc2.METADATA_REG_C_7", 0x680, 32);

    /** Register C6, set by earlier rules. */
    public static final MatchField METADATA_REG_C_6 = new MatchField("misc2.METADATA_REG_C_6", 0x6a0, 32);

    /** Register C5, set by earlier rules. */
    public static final MatchField METADATA_REG_C_5 = new MatchField("misc2.METADATA_REG_C_5", 0x6c0, 32);

    /** Register C4, set by earlier rules. */
    public static final MatchField METADATA_REG_C_4 = new MatchField("misc2.METADATA_REG_C_4", 0x6e0, 32);

    /** Register C3, set by earlier rules. */
    public static final MatchField METADATA_REG_C_3 = new MatchField("misc2.METADATA_REG_C_3", 0x700, 32);

    /** Register C2, set by earlier rules. */
    public static final MatchField METADATA_REG_C_2 = new MatchField("misc2.METADATA_REG_C_2", 0x720, 32);

    /** Register C1, set by earlier rules. */
    public static final MatchField METADATA_REG_C_1 = new MatchField("misc2.METADATA_REG_C_1", 0x740, 32);

    /** Register C0, set by earlier rules. */
    public static final MatchField METADATA_REG_C_0 = new MatchField("misc2.METADATA_REG_C_0", 0x760, 32);

    /** Register A, set by the sender. */
    public static final MatchField METADATA_REG_A = new MatchField("misc2.METADATA_REG_A", 0x780, 32);

    private Misc2Fields() {}
}

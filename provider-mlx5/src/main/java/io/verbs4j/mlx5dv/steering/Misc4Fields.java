/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Fields that the programmable parser extracts. Source: {@code struct mlx5_ifc_dr_match_set_misc4_bits}, rdma-core
 * providers/mlx5/mlx5_ifc.h.
 */
public final class Misc4Fields {
    /** Value of sample 0 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_0 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_0", 0xa00, 32);

    /** Number of sample 0 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_0 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_0", 0xa20, 32);

    /** Value of sample 1 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_1 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_1", 0xa40, 32);

    /** Number of sample 1 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_1 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_1", 0xa60, 32);

    /** Value of sample 2 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_2 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_2", 0xa80, 32);

    /** Number of sample 2 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_2 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_2", 0xaa0, 32);

    /** Value of sample 3 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_3 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_3", 0xac0, 32);

    /** Number of sample 3 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_3 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_3", 0xae0, 32);

    /** Value of sample 4 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_4 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_4", 0xb00, 32);

    /** Number of sample 4 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_4 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_4", 0xb20, 32);

    /** Value of sample 5 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_5 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_5", 0xb40, 32);

    /** Number of sample 5 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_5 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_5", 0xb60, 32);

    /** Value of sample 6 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_6 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_6", 0xb80, 32);

    /** Number of sample 6 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_6 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_6", 0xba0, 32);

    /** Value of sample 7 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_VALUE_7 =
            new MatchField("misc4.PROG_SAMPLE_FIELD_VALUE_7", 0xbc0, 32);

    /** Number of sample 7 of the programmable parser. */
    public static final MatchField PROG_SAMPLE_FIELD_ID_7 = new MatchField("misc4.PROG_SAMPLE_FIELD_ID_7", 0xbe0, 32);

    private Misc4Fields() {}
}

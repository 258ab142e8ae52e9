/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * Words of MACsec tags and tunnel headers. Source: {@code struct mlx5_ifc_dr_match_set_misc5_bits}, rdma-core
 * providers/mlx5/mlx5_ifc.h.
 */
public final class Misc5Fields {
    /** Word 0 of the MACsec tag. */
    public static final MatchField MACSEC_TAG_0 = new MatchField("misc5.MACSEC_TAG_0", 0xc00, 32);

    /** Word 1 of the MACsec tag. */
    public static final MatchField MACSEC_TAG_1 = new MatchField("misc5.MACSEC_TAG_1", 0xc20, 32);

    /** Word 2 of the MACsec tag. */
    public static final MatchField MACSEC_TAG_2 = new MatchField("misc5.MACSEC_TAG_2", 0xc40, 32);

    /** Word 3 of the MACsec tag. */
    public static final MatchField MACSEC_TAG_3 = new MatchField("misc5.MACSEC_TAG_3", 0xc60, 32);

    /** Word 0 of the tunnel header. */
    public static final MatchField TUNNEL_HEADER_0 = new MatchField("misc5.TUNNEL_HEADER_0", 0xc80, 32);

    /** Word 1 of the tunnel header. */
    public static final MatchField TUNNEL_HEADER_1 = new MatchField("misc5.TUNNEL_HEADER_1", 0xca0, 32);

    /** Word 2 of the tunnel header. */
    public static final MatchField TUNNEL_HEADER_2 = new MatchField("misc5.TUNNEL_HEADER_2", 0xcc0, 32);

    /** Word 3 of the tunnel header. */
    public static final MatchField TUNNEL_HEADER_3 = new MatchField("misc5.TUNNEL_HEADER_3", 0xce0, 32);

    private Misc5Fields() {}
}

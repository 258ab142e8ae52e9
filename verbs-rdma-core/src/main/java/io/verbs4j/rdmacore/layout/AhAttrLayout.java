/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_ah_attr}: a path; its {@code grh} is a {@link GlobalRouteLayout}.
 *
 * <pre>
 * 0 grh(24)  24 dlid(2)  26 sl(1)  27 src_path_bits(1)  28 static_rate(1)  29 is_global(1)  30 port_num(1)    32 in all
 * </pre>
 */
@CStruct("struct ibv_ah_attr")
public final class AhAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "grh", size = 24)
    public static final int GRH = 0;

    @CField(value = "dlid", size = 2)
    public static final int DLID = 24;

    @CField(value = "sl", size = 1)
    public static final int SL = 26;

    @CField(value = "src_path_bits", size = 1)
    public static final int SRC_PATH_BITS = 27;

    @CField(value = "static_rate", size = 1)
    public static final int STATIC_RATE = 28;

    @CField(value = "is_global", size = 1)
    public static final int IS_GLOBAL = 29;

    @CField(value = "port_num", size = 1)
    public static final int PORT_NUM = 30;

    private AhAttrLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_flow_spec_gre}: a filter of a GRE tunnel.
 *
 * <pre>
 * 0 type(4)  4 size(2)  8 val(8)  8 val.c_ks_res0_ver(2)  10 val.protocol(2)  12 val.key(4)  16 mask(8)
 * 20 mask.key(4)    24 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_spec_gre", since = 19)
public final class FlowSpecGreLayout {
    @CSize(since = 19, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "type", size = 4, since = 19)
    public static final int TYPE = 0;

    @CField(value = "size", size = 2, since = 19)
    public static final int SIZE = 4;

    @CField(value = "val", size = 8, since = 19)
    public static final int VAL = 8;

    @CField(value = "val.c_ks_res0_ver", size = 2, since = 19)
    public static final int VAL_C_KS_RES0_VER = 8;

    @CField(value = "val.protocol", size = 2, since = 19)
    public static final int VAL_PROTOCOL = 10;

    @CField(value = "val.key", size = 4, since = 19)
    public static final int VAL_KEY = 12;

    @CField(value = "mask", size = 8, since = 19)
    public static final int MASK = 16;

    @CField(value = "mask.key", size = 4, since = 19)
    public static final int MASK_KEY = 20;

    private FlowSpecGreLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct ibv_flow_action_esp}: the numbers of an IPsec security association.
 *
 * <pre>
 * 0 spi(4)  4 seq(4)  8 tfc_pad(4)  12 flags(4)  16 hard_limit_pkts(8)    24 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_action_esp", header = "infiniband/verbs.h")
public final class FlowActionEspLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "spi", size = 4)
    public static final int SPI = 0;

    @CField(value = "seq", size = 4)
    public static final int SEQ = 4;

    @CField(value = "tfc_pad", size = 4)
    public static final int TFC_PAD = 8;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 12;

    @CField(value = "hard_limit_pkts", size = 8)
    public static final int HARD_LIMIT_PKTS = 16;

    private FlowActionEspLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct ibv_flow_action_esp_attr}: an IPsec security association.
 *
 * <pre>
 * 0 esp_attr(8)  8 keymat_proto(4)  12 keymat_len(2)  16 keymat_ptr(8)  24 replay_proto(4)  28 replay_len(2)  32
 * replay_ptr(8)  40 esp_encap(8)  48 comp_mask(4)  52 esn(4)    56 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_action_esp_attr", header = "infiniband/verbs.h")
public final class FlowActionEspAttrLayout {
    @CSize(size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "esp_attr", size = 8)
    public static final int ESP_ATTR = 0;

    @CField(value = "keymat_proto", size = 4)
    public static final int KEYMAT_PROTO = 8;

    @CField(value = "keymat_len", size = 2)
    public static final int KEYMAT_LEN = 12;

    @CField(value = "keymat_ptr", size = 8)
    public static final int KEYMAT_PTR = 16;

    @CField(value = "replay_proto", size = 4)
    public static final int REPLAY_PROTO = 24;

    @CField(value = "replay_len", size = 2)
    public static final int REPLAY_LEN = 28;

    @CField(value = "replay_ptr", size = 8)
    public static final int REPLAY_PTR = 32;

    @CField(value = "esp_encap", size = 8)
    public static final int ESP_ENCAP = 40;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 48;

    @CField(value = "esn", size = 4)
    public static final int ESN = 52;

    private FlowActionEspAttrLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

/**
 * What a {@link FlowEspAttr} is for. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_*}, mlx5dv_flow_action_esp(3).
 */
public final class EspFlags {
    /** The device adds and removes the ESP header; without it only the encryption is its part. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_FULL_OFFLOAD}. */
    public static final int FULL_OFFLOAD = 1 << 0;

    /** Transport mode; without it tunnel mode. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_TRANSPORT}. */
    public static final int TRANSPORT = 1 << 1;

    /** It encrypts; without it, it decrypts. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_ENCRYPT}. */
    public static final int ENCRYPT = 1 << 2;

    /** The extended sequence number is of a new window. Source: {@code IB_UVERBS_FLOW_ACTION_ESP_FLAGS_ESN_NEW_WINDOW}. */
    public static final int ESN_NEW_WINDOW = 1 << 3;

    private EspFlags() {}
}

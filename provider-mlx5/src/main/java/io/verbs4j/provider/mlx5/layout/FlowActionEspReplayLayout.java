/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct ibv_flow_action_esp_replay_bmp}: how many packets a receiver of IPsec remembers.
 *
 * <pre>
 * 0 size(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_action_esp_replay_bmp", header = "infiniband/verbs.h")
public final class FlowActionEspReplayLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "size", size = 4)
    public static final int SIZE = 0;

    private FlowActionEspReplayLayout() {}
}

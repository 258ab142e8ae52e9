/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct ibv_flow_action_esp_keymat_aes_gcm}: the key of an IPsec security association.
 *
 * <pre>
 * 0 iv(8)  8 iv_algo(4)  12 salt(4)  16 icv_len(4)  20 key_len(4)  24 aes_key(32)    56 in all
 * </pre>
 */
@CStruct(value = "struct ibv_flow_action_esp_keymat_aes_gcm", header = "infiniband/verbs.h")
public final class FlowActionEspAesGcmLayout {
    @CSize(size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "iv", size = 8)
    public static final int IV = 0;

    @CField(value = "iv_algo", size = 4)
    public static final int IV_ALGO = 8;

    @CField(value = "salt", size = 4)
    public static final int SALT = 12;

    @CField(value = "icv_len", size = 4)
    public static final int ICV_LEN = 16;

    @CField(value = "key_len", size = 4)
    public static final int KEY_LEN = 20;

    @CField(value = "aes_key", size = 32)
    public static final int AES_KEY = 24;

    private FlowActionEspAesGcmLayout() {}
}

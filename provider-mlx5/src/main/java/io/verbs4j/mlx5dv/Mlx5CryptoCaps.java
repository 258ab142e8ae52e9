/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Bits of {@link Mlx5DeviceAttr.Crypto}. Source: mlx5dv_query_device(3), {@code MLX5DV_CRYPTO_*}.
 */
public final class Mlx5CryptoCaps {
    /** AES-XTS, as reported by older releases. Source: {@code MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS}; rdma-core 37. */
    public static final int ENGINE_AES_XTS = 1 << 0;

    /** AES-XTS, block by block. Source: {@code MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_SINGLE_BLOCK}; rdma-core 42. */
    public static final int ENGINE_AES_XTS_SINGLE_BLOCK = 1 << 1;

    /** AES-XTS over several blocks. Source: {@code MLX5DV_CRYPTO_ENGINES_CAP_AES_XTS_MULTI_BLOCK}; rdma-core 44. */
    public static final int ENGINE_AES_XTS_MULTI_BLOCK = 1 << 2;

    /**
     * AES-XTS keys can be imported wrapped. Source: {@code MLX5DV_CRYPTO_WRAPPED_IMPORT_METHOD_CAP_AES_XTS};
     * rdma-core 37.
     */
    public static final int IMPORT_AES_XTS = 1 << 0;

    /** The device supports encryption. Source: {@code MLX5DV_CRYPTO_CAPS_CRYPTO}; rdma-core 37. */
    public static final int CRYPTO = 1 << 0;

    /** Wrapped keys can be used. Source: {@code MLX5DV_CRYPTO_CAPS_WRAPPED_CRYPTO_OPERATIONAL}; rdma-core 37. */
    public static final int WRAPPED_CRYPTO_OPERATIONAL = 1 << 1;

    /**
     * Wrapped keys will be commissioned at the next start. Source: {@code
     * MLX5DV_CRYPTO_CAPS_WRAPPED_CRYPTO_GOING_TO_COMMISSIONING}; rdma-core 37.
     */
    public static final int WRAPPED_CRYPTO_GOING_TO_COMMISSIONING = 1 << 2;

    private Mlx5CryptoCaps() {}
}

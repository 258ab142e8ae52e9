/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_sig_crc}: a signature of blocks by a checksum.
 *
 * <pre>
 * 0 type(4)  8 seed(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_sig_crc", header = "infiniband/mlx5dv.h", since = 36)
public final class DvSigCrcLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "type", size = 4)
    public static final int TYPE = 0;

    @CField(value = "seed", size = 8)
    public static final int SEED = 8;

    private DvSigCrcLayout() {}
}

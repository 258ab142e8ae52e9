/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_mr_interleaved}: a piece of each round of a memory key.
 *
 * <pre>
 * 0 addr(8)  8 bytes_count(4)  12 bytes_skip(4)  16 lkey(4)    24 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_mr_interleaved", header = "infiniband/mlx5dv.h", since = 24)
public final class DvMrInterleavedLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "addr", size = 8)
    public static final int ADDR = 0;

    @CField(value = "bytes_count", size = 4)
    public static final int BYTES_COUNT = 8;

    @CField(value = "bytes_skip", size = 4)
    public static final int BYTES_SKIP = 12;

    @CField(value = "lkey", size = 4)
    public static final int LKEY = 16;

    private DvMrInterleavedLayout() {}
}

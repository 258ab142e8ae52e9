/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_sig_block_attr}: the signatures of a memory key.
 *
 * <pre>
 * 0 mem(8)  8 wire(8)  16 flags(4)  20 check_mask(1)  21 copy_mask(1)    32 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_sig_block_attr", header = "infiniband/mlx5dv.h", since = 36)
public final class DvSigBlockAttrLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "mem", size = 8)
    public static final int MEM = 0;

    @CField(value = "wire", size = 8)
    public static final int WIRE = 8;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 16;

    @CField(value = "check_mask", size = 1)
    public static final int CHECK_MASK = 20;

    @CField(value = "copy_mask", size = 1)
    public static final int COPY_MASK = 21;

    private DvSigBlockAttrLayout() {}
}

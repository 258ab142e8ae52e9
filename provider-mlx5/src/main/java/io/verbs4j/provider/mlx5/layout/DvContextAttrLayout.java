/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_context_attr}: how a device is opened.
 *
 * <pre>
 * 0 flags(4)  8 comp_mask(8)  16 fds(8)    24 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_context_attr", header = "infiniband/mlx5dv.h", since = 21)
public final class DvContextAttrLayout {
    @CSize(size = 16)
    @CSize(since = 65, size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 0;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 8;

    /** Descriptors of a device that another process opened; not used. */
    @CField(value = "fds", size = 8, since = 65)
    public static final int FDS = 16;

    private DvContextAttrLayout() {}
}

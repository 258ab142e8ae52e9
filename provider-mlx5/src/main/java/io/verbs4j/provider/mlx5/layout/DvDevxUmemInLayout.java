/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_devx_umem_in}: what memory to register, and how.
 *
 * <pre>
 * 0 addr(8)  8 size(8)  16 access(4)  24 pgsz_bitmap(8)  32 comp_mask(8)  40 dmabuf_fd(4)    48 in all
 * in all, by release: 40 from 35, 48 from 43
 * </pre>
 */
@CStruct(value = "struct mlx5dv_devx_umem_in", header = "infiniband/mlx5dv.h", since = 35)
public final class DvDevxUmemInLayout {
    @CSize(size = 40)
    @CSize(since = 43, size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "addr", size = 8)
    public static final int ADDR = 0;

    @CField(value = "size", size = 8)
    public static final int SIZE = 8;

    @CField(value = "access", size = 4)
    public static final int ACCESS = 16;

    @CField(value = "pgsz_bitmap", size = 8)
    public static final int PGSZ_BITMAP = 24;

    @CField(value = "comp_mask", size = 8)
    public static final int COMP_MASK = 32;

    @CField(value = "dmabuf_fd", size = 4, since = 43)
    public static final int DMABUF_FD = 40;

    private DvDevxUmemInLayout() {}
}

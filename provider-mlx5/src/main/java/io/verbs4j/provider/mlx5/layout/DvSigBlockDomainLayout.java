/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct mlx5dv_sig_block_domain}: the signatures in memory, or on the wire.
 *
 * <pre>
 * 0 sig_type(4)  8 sig(8)  16 block_size(4)    32 in all
 * </pre>
 */
@CStruct(value = "struct mlx5dv_sig_block_domain", header = "infiniband/mlx5dv.h", since = 36)
public final class DvSigBlockDomainLayout {
    @CSize(size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "sig_type", size = 4)
    public static final int SIG_TYPE = 0;

    @CField(value = "sig", size = 8)
    public static final int SIG = 8;

    @CField(value = "block_size", size = 4)
    public static final int BLOCK_SIZE = 16;

    private DvSigBlockDomainLayout() {}
}

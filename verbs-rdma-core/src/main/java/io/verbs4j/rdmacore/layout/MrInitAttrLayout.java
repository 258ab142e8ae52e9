/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_mr_init_attr}: how memory is registered.
 *
 * <pre>
 * 0 length(8)  8 access(4)  16 comp_mask(8)  24 iova(8)  32 addr(8)  40 fd(4)  48 fd_offset(8)  56 dmah(8)  64
 * buf(8)@64    72 in all
 * </pre>
 */
@CStruct(value = "struct ibv_mr_init_attr", since = 59)
public final class MrInitAttrLayout {
    @CSize(since = 59, size = 64)
    @CSize(since = 64, size = 72)
    public static final int SIZEOF = 72;

    @CField(value = "length", size = 8, since = 59)
    public static final int LENGTH = 0;

    @CField(value = "access", size = 4, since = 59)
    public static final int ACCESS = 8;

    @CField(value = "comp_mask", size = 8, since = 59)
    public static final int COMP_MASK = 16;

    @CField(value = "iova", size = 8, since = 59)
    public static final int IOVA = 24;

    @CField(value = "addr", size = 8, since = 59)
    public static final int ADDR = 32;

    @CField(value = "fd", size = 4, since = 59)
    public static final int FD = 40;

    @CField(value = "fd_offset", size = 8, since = 59)
    public static final int FD_OFFSET = 48;

    @CField(value = "dmah", size = 8, since = 59)
    public static final int DMAH = 56;

    @CField(value = "buf", size = 8, since = 64)
    public static final int BUF = 64;

    private MrInitAttrLayout() {}
}

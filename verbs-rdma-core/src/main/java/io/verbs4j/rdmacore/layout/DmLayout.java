/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_dm}: memory on the device.
 *
 * <pre>
 * 0 context(8)  8 memcpy_to_dm(8)  16 memcpy_from_dm(8)  24 comp_mask(4)  28 handle(4)@35    32 in all
 * </pre>
 */
@CStruct(value = "struct ibv_dm", since = 18)
public final class DmLayout {
    @CSize(since = 18, size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "context", size = 8, since = 18)
    public static final int CONTEXT = 0;

    @CField(value = "memcpy_to_dm", size = 8, since = 18)
    public static final int MEMCPY_TO_DM = 8;

    @CField(value = "memcpy_from_dm", size = 8, since = 18)
    public static final int MEMCPY_FROM_DM = 16;

    @CField(value = "comp_mask", size = 4, since = 18)
    public static final int COMP_MASK = 24;

    @CField(value = "handle", size = 4, since = 35)
    public static final int HANDLE = 28;

    private DmLayout() {}
}

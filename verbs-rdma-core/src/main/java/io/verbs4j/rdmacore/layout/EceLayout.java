/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_ece}: options of an enhanced connection establishment.
 *
 * <pre>
 * 0 vendor_id(4)  4 options(4)  8 comp_mask(4)    12 in all
 * </pre>
 */
@CStruct(value = "struct ibv_ece", since = 31)
public final class EceLayout {
    @CSize(since = 31, size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "vendor_id", size = 4, since = 31)
    public static final int VENDOR_ID = 0;

    @CField(value = "options", size = 4, since = 31)
    public static final int OPTIONS = 4;

    @CField(value = "comp_mask", size = 4, since = 31)
    public static final int COMP_MASK = 8;

    private EceLayout() {}
}

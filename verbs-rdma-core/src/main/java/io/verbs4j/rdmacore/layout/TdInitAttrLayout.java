/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_td_init_attr}: how a thread domain is made.
 *
 * <pre>
 * 0 comp_mask(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct ibv_td_init_attr", since = 17)
public final class TdInitAttrLayout {
    @CSize(since = 17, size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "comp_mask", size = 4, since = 17)
    public static final int COMP_MASK = 0;

    private TdInitAttrLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_counters_init_attr}: what counters are made of.
 *
 * <pre>
 * 0 comp_mask(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct ibv_counters_init_attr", since = 19)
public final class CountersInitAttrLayout {
    @CSize(since = 19, size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "comp_mask", size = 4, since = 19)
    public static final int COMP_MASK = 0;

    private CountersInitAttrLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_counter_attach_attr}: what a counter counts.
 *
 * <pre>
 * 0 counter_desc(4)  4 index(4)  8 comp_mask(4)    12 in all
 * </pre>
 */
@CStruct(value = "struct ibv_counter_attach_attr", since = 19)
public final class CounterAttachAttrLayout {
    @CSize(since = 19, size = 12)
    public static final int SIZEOF = 12;

    @CField(value = "counter_desc", size = 4, since = 19)
    public static final int COUNTER_DESC = 0;

    @CField(value = "index", size = 4, since = 19)
    public static final int INDEX = 4;

    @CField(value = "comp_mask", size = 4, since = 19)
    public static final int COMP_MASK = 8;

    private CounterAttachAttrLayout() {}
}

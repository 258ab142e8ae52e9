/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_cq_init_attr_ex}: what a completion queue is made of.
 *
 * <pre>
 * 0 cqe(4)  8 cq_context(8)  16 channel(8)  24 comp_vector(4)  32 wc_flags(8)  40 comp_mask(4)  44 flags(4)
 * 48 parent_domain(8)    56 in all
 * in all, by release: 48 from 13, 56 from 29
 * </pre>
 */
@CStruct("struct ibv_cq_init_attr_ex")
public final class CqInitAttrExLayout {
    @CSize(size = 48)
    @CSize(since = 29, size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "cqe", size = 4)
    public static final int CQE = 0;

    @CField(value = "cq_context", size = 8)
    public static final int CQ_CONTEXT = 8;

    @CField(value = "channel", size = 8)
    public static final int CHANNEL = 16;

    @CField(value = "comp_vector", size = 4)
    public static final int COMP_VECTOR = 24;

    @CField(value = "wc_flags", size = 8)
    public static final int WC_FLAGS = 32;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 40;

    @CField(value = "flags", size = 4)
    public static final int FLAGS = 44;

    @CField(value = "parent_domain", size = 8, since = 29)
    public static final int PARENT_DOMAIN = 48;

    private CqInitAttrExLayout() {}
}

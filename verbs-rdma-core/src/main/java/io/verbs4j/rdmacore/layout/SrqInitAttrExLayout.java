/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_srq_init_attr_ex}: what a shared receive queue is made of, extended; its {@code attr} is a {@link
 * SrqAttrLayout}.
 *
 * <pre>
 * 0 srq_context(8)  8 attr(12)  20 comp_mask(4)  24 srq_type(4)  32 pd(8)  40 xrcd(8)  48 cq(8)  56 tm_cap(8)
 * 56 tm_cap.max_num_tags(4)  60 tm_cap.max_ops(4)    64 in all
 * in all, by release: 56 from 12, 64 from 16
 * </pre>
 */
@CStruct("struct ibv_srq_init_attr_ex")
public final class SrqInitAttrExLayout {
    @CSize(size = 56)
    @CSize(since = 16, size = 64)
    public static final int SIZEOF = 64;

    @CField(value = "srq_context", size = 8)
    public static final int SRQ_CONTEXT = 0;

    @CField(value = "attr", size = 12)
    public static final int ATTR = 8;

    @CField(value = "comp_mask", size = 4)
    public static final int COMP_MASK = 20;

    @CField(value = "srq_type", size = 4)
    public static final int SRQ_TYPE = 24;

    @CField(value = "pd", size = 8)
    public static final int PD = 32;

    @CField(value = "xrcd", size = 8)
    public static final int XRCD = 40;

    @CField(value = "cq", size = 8)
    public static final int CQ = 48;

    @CField(value = "tm_cap", size = 8, since = 16)
    public static final int TM_CAP = 56;

    @CField(value = "tm_cap.max_num_tags", size = 4, since = 16)
    public static final int TM_CAP_MAX_NUM_TAGS = 56;

    @CField(value = "tm_cap.max_ops", size = 4, since = 16)
    public static final int TM_CAP_MAX_OPS = 60;

    private SrqInitAttrExLayout() {}
}

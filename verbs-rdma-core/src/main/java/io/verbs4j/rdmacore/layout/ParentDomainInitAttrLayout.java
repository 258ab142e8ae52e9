/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_parent_domain_init_attr}: how a parent domain is made.
 *
 * <pre>
 * 0 pd(8)  8 td(8)  16 comp_mask(4)  24 alloc(8)@27  32 free(8)@27  40 pd_context(8)@27    48 in all
 * </pre>
 */
@CStruct(value = "struct ibv_parent_domain_init_attr", since = 17)
public final class ParentDomainInitAttrLayout {
    @CSize(since = 17, size = 24)
    @CSize(since = 27, size = 48)
    public static final int SIZEOF = 48;

    @CField(value = "pd", size = 8, since = 17)
    public static final int PD = 0;

    @CField(value = "td", size = 8, since = 17)
    public static final int TD = 8;

    @CField(value = "comp_mask", size = 4, since = 17)
    public static final int COMP_MASK = 16;

    @CField(value = "alloc", size = 8, since = 27)
    public static final int ALLOC = 24;

    @CField(value = "free", size = 8, since = 27)
    public static final int FREE = 32;

    @CField(value = "pd_context", size = 8, since = 27)
    public static final int PD_CONTEXT = 40;

    private ParentDomainInitAttrLayout() {}
}

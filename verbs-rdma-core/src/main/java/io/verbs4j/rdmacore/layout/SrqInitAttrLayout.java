/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_srq_init_attr}: what a shared receive queue is made of; its {@code attr} is a {@link
 * SrqAttrLayout}.
 *
 * <pre>
 * 0 srq_context(8)  8 attr(12)    24 in all
 * </pre>
 */
@CStruct("struct ibv_srq_init_attr")
public final class SrqInitAttrLayout {
    @CSize(size = 24)
    public static final int SIZEOF = 24;

    @CField(value = "srq_context", size = 8)
    public static final int SRQ_CONTEXT = 0;

    @CField(value = "attr", size = 12)
    public static final int ATTR = 8;

    private SrqInitAttrLayout() {}
}

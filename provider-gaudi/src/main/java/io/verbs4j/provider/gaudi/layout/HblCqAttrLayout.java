/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_cq_attr}: what a completion queue is made of beyond the verbs.
 *
 * <pre>
 * 0 port_num(1)  4 cq_type(4)    8 in all
 * </pre>
 */
public final class HblCqAttrLayout {
    public static final int SIZEOF = 8;
    public static final int PORT_NUM = 0;
    public static final int CQ_TYPE = 4;

    private HblCqAttrLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_coll_qp}: a number that is reserved.
 *
 * <pre>
 * 0 qp_num(4)    4 in all
 * </pre>
 */
public final class CollQpLayout {
    public static final int SIZEOF = 4;
    public static final int QP_NUM = 0;

    private CollQpLayout() {}
}

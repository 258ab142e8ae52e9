/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_coll_qp_attr}: which numbers are reserved.
 *
 * <pre>
 * 0 is_scale_out(1)  8 ports_mask(8)    16 in all
 * 1 before 1.21, which do not read ports_mask
 * </pre>
 */
public final class CollQpAttrLayout {
    public static final int SIZEOF = 16;
    public static final int IS_SCALE_OUT = 0;
    public static final int PORTS_MASK = 8;

    private CollQpAttrLayout() {}
}

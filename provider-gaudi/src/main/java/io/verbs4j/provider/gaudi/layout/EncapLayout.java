/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.layout;

/**
 * {@code struct hbldv_encap}: an encapsulation.
 *
 * <pre>
 * 0 encap_num(4)    4 in all
 * </pre>
 */
public final class EncapLayout {
    public static final int SIZEOF = 4;
    public static final int ENCAP_NUM = 0;

    private EncapLayout() {}
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Types of encapsulation, for {@link HblEncapAttr#type(int)}. Source: {@code HBLDV_ENCAP_TYPE_*}. */
public final class HblEncapTypes {
    /** No encapsulation. */
    public static final int NONE = 0;

    /** Over IPv4. */
    public static final int OVER_IPV4 = 1;

    /** Over UDP. */
    public static final int OVER_UDP = 2;

    private HblEncapTypes() {}
}

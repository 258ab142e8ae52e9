/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Purposes of completion queues, for {@link HblCqInitAttr#cqType(int)}. Source: {@code HBLDV_CQ_TYPE_*}. */
public final class HblCqTypes {
    /** Completions of queue pairs. */
    public static final int QP = 0;

    /** Congestion control; requires a port set up with {@link HblPortCaps#ADVANCED}. */
    public static final int CC = 1;

    private HblCqTypes() {}
}

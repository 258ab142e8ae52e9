/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Purposes of FIFOs, for {@link HblUsrFifoAttr#type(int)}. Source: {@code HBLDV_USR_FIFO_TYPE_*}. */
public final class HblUsrFifoTypes {
    /** Doorbells. */
    public static final int DB = 0;

    /** Congestion control. */
    public static final int CC = 1;

    /** Short collective operations; this one and all that follow require release 1.16. */
    public static final int COLL_OPS_SHORT = 2;

    /** Long collective operations. */
    public static final int COLL_OPS_LONG = 3;

    /** Direct work queues, linear. */
    public static final int DWQ_LIN = 4;

    /** Direct work queues, multi-stride. */
    public static final int DWQ_MS = 5;

    /** Short collective operations, direct. */
    public static final int COLL_DIR_OPS_SHORT = 6;

    /** Long collective operations, direct. */
    public static final int COLL_DIR_OPS_LONG = 7;

    /** Bonded ports. */
    public static final int COLL_LAG = 8;

    /** Completions of bonded ports; requires release 1.18. */
    public static final int LAG_COMPLETION = 9;

    private HblUsrFifoTypes() {}
}

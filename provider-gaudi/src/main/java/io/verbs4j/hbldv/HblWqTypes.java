/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Purposes of work queues, bits of {@link HblQpAttr#wqType(int)}. Source: {@code HBLDV_WQ_*}. */
public final class HblWqTypes {
    /** RDMA writes, the default. */
    public static final int WRITE = 1 << 0;

    /** The receiving side of a rendezvous. */
    public static final int RECV_RDV = 1 << 1;

    /** The reading side of a rendezvous. */
    public static final int READ_RDV = 1 << 2;

    /** The sending side of a rendezvous. */
    public static final int SEND_RDV = 1 << 3;

    /** The side of a rendezvous that is read from. */
    public static final int READ_RDV_ENDP = 1 << 4;

    private HblWqTypes() {}
}

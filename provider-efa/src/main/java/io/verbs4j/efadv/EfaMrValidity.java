/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/** Which numbers of interconnects there are, {@link EfaMrAttr#validity()}. Source: efadv(7), {@code EFADV_MR_ATTR_VALIDITY_*}. */
public final class EfaMrValidity {
    /** That of receiving. */
    public static final int RECV_IC_ID = 1 << 0;

    /** That of RDMA reads. */
    public static final int RDMA_READ_IC_ID = 1 << 1;

    /** That of being written to. */
    public static final int RDMA_RECV_IC_ID = 1 << 2;

    private EfaMrValidity() {}
}

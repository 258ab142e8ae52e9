/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * Interconnect ids that a device reported, bits of {@link EfaMrAttr#validity()}. Source: {@code efadv(7)},
 * {@code EFADV_MR_ATTR_VALIDITY_*}.
 */
public final class EfaMrValidity {
    /** The id for receives. */
    public static final int RECV_IC_ID = 1 << 0;

    /** The id for RDMA reads. */
    public static final int RDMA_READ_IC_ID = 1 << 1;

    /** The id for incoming RDMA writes. */
    public static final int RDMA_RECV_IC_ID = 1 << 2;

    private EfaMrValidity() {}
}

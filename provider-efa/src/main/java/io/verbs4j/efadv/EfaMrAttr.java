/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.provider.efa.layout.EfaMrAttrLayout;
import io.verbs4j.rdmacore.memory.NativeMemory;

/**
 * Which interconnects a memory region is behind: the answer of {@link EfaDv#queryMr}. {@link #validity()} says which of the
 * numbers were answered. Source: efadv_query_mr(3), {@code struct efadv_mr_attr}.
 */
public final class EfaMrAttr extends Answer {
    private record Values(int validity, int recvIcId, int rdmaReadIcId, int rdmaRecvIcId) {}

    private final Values values;

    EfaMrAttr(long at) {
        this(new Values(
                NativeMemory.getShort(at + EfaMrAttrLayout.IC_ID_VALIDITY),
                NativeMemory.getShort(at + EfaMrAttrLayout.RECV_IC_ID),
                NativeMemory.getShort(at + EfaMrAttrLayout.RDMA_READ_IC_ID),
                NativeMemory.getShort(at + EfaMrAttrLayout.RDMA_RECV_IC_ID)));
    }

    private EfaMrAttr(Values values) {
        super(values);
        this.values = values;
    }

    /** {@return {@link EfaMrValidity} bits} */
    public int validity() {
        return values.validity();
    }

    /** {@return the interconnect of receives; 0 where it was not answered} */
    public int recvIcId() {
        return values.recvIcId();
    }

    /** {@return the interconnect of RDMA reads; 0 where it was not answered} */
    public int rdmaReadIcId() {
        return values.rdmaReadIcId();
    }

    /** {@return the interconnect of RDMA writes that arrive; 0 where it was not answered} */
    public int rdmaRecvIcId() {
        return values.rdmaRecvIcId();
    }
}

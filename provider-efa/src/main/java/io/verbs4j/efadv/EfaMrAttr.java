/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.efa.layout.EfaMrAttrLayout;

/**
 * The interconnects that a memory region is reached through, returned by {@link EfaDv#queryMr}. An id that the device
 * did not report is 0; {@link #has(int)} distinguishes this from the id 0. Source: {@code efadv_query_mr(3)},
 * {@code struct efadv_mr_attr}.
 */
public final class EfaMrAttr extends Answer {
    private record Values(int validity, int recvIcId, int rdmaReadIcId, int rdmaRecvIcId) {}

    private final Values values;

    EfaMrAttr(long at) {
        this(NativeMemory.getShort(at + EfaMrAttrLayout.IC_ID_VALIDITY), at);
    }

    private EfaMrAttr(int validity, long at) {
        this(new Values(
                validity,
                (validity & EfaMrValidity.RECV_IC_ID) == 0 ? 0 : NativeMemory.getShort(at + EfaMrAttrLayout.RECV_IC_ID),
                (validity & EfaMrValidity.RDMA_READ_IC_ID) == 0
                        ? 0
                        : NativeMemory.getShort(at + EfaMrAttrLayout.RDMA_READ_IC_ID),
                (validity & EfaMrValidity.RDMA_RECV_IC_ID) == 0
                        ? 0
                        : NativeMemory.getShort(at + EfaMrAttrLayout.RDMA_RECV_IC_ID)));
    }

    private EfaMrAttr(Values values) {
        super(values);
        this.values = values;
    }

    /** {@return the ids that the device reported, {@link EfaMrValidity} bits} */
    public int validity() {
        return values.validity();
    }

    /**
     * Returns whether the device reported certain ids.
     *
     * @param bits {@link EfaMrValidity} bits
     * @return true if the device reported all of them
     */
    public boolean has(int bits) {
        return (values.validity() & bits) == bits;
    }

    /** {@return the interconnect of receives; 0 if not reported} */
    public int recvIcId() {
        return values.recvIcId();
    }

    /** {@return the interconnect of RDMA reads; 0 if not reported} */
    public int rdmaReadIcId() {
        return values.rdmaReadIcId();
    }

    /** {@return the interconnect of incoming RDMA writes; 0 if not reported} */
    public int rdmaRecvIcId() {
        return values.rdmaRecvIcId();
    }
}

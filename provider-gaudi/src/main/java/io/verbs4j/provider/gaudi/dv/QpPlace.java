/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.QueryQpAttrLayout;
import io.verbs4j.rdmacore.call.Answers;

/**
 * The number and the rings of a queue pair, as libhbl reports them.
 *
 * @param qpNum number on the wire, from INIT on; 0 before
 * @param swqCpuAddr address of the send ring, from RTS on; 0 if it lies in device memory
 * @param rwqCpuAddr address of the receive ring, from RTS on; 0 if it lies in device memory
 */
public record QpPlace(int qpNum, long swqCpuAddr, long rwqCpuAddr) {
    private static final String QUERY = "hbldv_query_qp";

    /** Queries a {@code struct ibv_qp}. */
    public static QpPlace of(long qp) {
        try (Scratch c = new Scratch(QueryQpAttrLayout.SIZEOF)) {
            Answers.check(QUERY, Libhbl.function(QUERY).call(qp, c.address()));
            return new QpPlace(
                    NativeMemory.getInt(c.address() + QueryQpAttrLayout.QP_NUM),
                    NativeMemory.getLong(c.address() + QueryQpAttrLayout.SWQ_CPU_ADDR),
                    NativeMemory.getLong(c.address() + QueryQpAttrLayout.RWQ_CPU_ADDR));
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.QueryQpAttrLayout;
import io.verbs4j.rdmacore.call.Answers;

/**
 * What a queue pair is to the device, as libhbl answers it.
 *
 * @param qpNum its number on the wire, from INIT on; 0 before
 * @param swqCpuAddr address of its send ring, from RTS on; 0 where that is in the device's memory
 * @param rwqCpuAddr address of its receive ring, likewise
 */
public record QpPlace(int qpNum, long swqCpuAddr, long rwqCpuAddr) {
    private static final String QUERY = "hbldv_query_qp";

    /** How libhbl knows a {@code struct ibv_qp}. */
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.dv;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.provider.gaudi.layout.QueryCqAttrLayout;
import io.verbs4j.rdmacore.call.Answers;

/**
 * The memory layout of a completion queue, as libhbl reports it.
 *
 * @param memCpuAddr address of the ring, with 16 bytes for each entry
 * @param piCpuAddr address of the producer index
 * @param regsCpuAddr address of the page of registers; 0 if there is none
 * @param regsOffset offset of the registers in that page, in bytes
 * @param cqSize mapped size of the ring in bytes, whole pages
 * @param cqNum number at the port
 * @param cqType an {@link io.verbs4j.hbldv.HblCqTypes} value
 */
public record CqPlace(
        long memCpuAddr, long piCpuAddr, long regsCpuAddr, int regsOffset, int cqSize, int cqNum, int cqType) {
    private static final String QUERY = "hbldv_query_cq";

    /** Queries the layout of a {@code struct ibv_cq}. */
    public static CqPlace of(long cq) {
        try (Scratch c = new Scratch(QueryCqAttrLayout.SIZEOF)) {
            long at = c.address();
            Answers.check(QUERY, Libhbl.function(QUERY).call(cq, at));
            return new CqPlace(
                    NativeMemory.getLong(at + QueryCqAttrLayout.MEM_CPU_ADDR),
                    NativeMemory.getLong(at + QueryCqAttrLayout.PI_CPU_ADDR),
                    NativeMemory.getLong(at + QueryCqAttrLayout.REGS_CPU_ADDR),
                    NativeMemory.getInt(at + QueryCqAttrLayout.REGS_OFFSET),
                    NativeMemory.getInt(at + QueryCqAttrLayout.CQ_SIZE),
                    NativeMemory.getInt(at + QueryCqAttrLayout.CQ_NUM),
                    NativeMemory.getInt(at + QueryCqAttrLayout.CQ_TYPE));
        }
    }
}

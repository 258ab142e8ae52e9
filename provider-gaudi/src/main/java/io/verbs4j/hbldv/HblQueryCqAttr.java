/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.CqPlace;

/** The memory layout of a completion queue, returned by {@link HblDv#queryCq}. Source: {@code hbldv_query_cq}. */
public final class HblQueryCqAttr extends Answer {
    private final CqPlace values;

    HblQueryCqAttr(CqPlace values) {
        super(values);
        this.values = values;
    }

    /** {@return the address of the ring, with 16 bytes for each entry} */
    public long memCpuAddr() {
        return values.memCpuAddr();
    }

    /** {@return the address of the producer index} */
    public long piCpuAddr() {
        return values.piCpuAddr();
    }

    /** {@return the address of the page of registers; 0 if there is none} */
    public long regsCpuAddr() {
        return values.regsCpuAddr();
    }

    /** {@return the offset of the registers in that page, in bytes} */
    public int regsOffset() {
        return values.regsOffset();
    }

    /**
     * {@return the mapped size of the ring in bytes, whole pages} For the number of entries see
     * {@link io.verbs4j.CompletionQueue#cqe()}.
     */
    public int cqSize() {
        return values.cqSize();
    }

    /** {@return the number at the port} */
    public int cqNum() {
        return values.cqNum();
    }

    /** {@return the purpose, an {@link HblCqTypes} value} */
    public int cqType() {
        return values.cqType();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.CqPlace;

/**
 * Where a completion queue is: the answer of {@link HblDv#queryCq}. Source: {@code hbldv_query_cq}.
 */
public final class HblQueryCqAttr extends Answer {
    private final CqPlace values;

    HblQueryCqAttr(CqPlace values) {
        super(values);
        this.values = values;
    }

    /** {@return the address of the ring, of 16 bytes an entry} */
    public long memCpuAddr() {
        return values.memCpuAddr();
    }

    /** {@return the address of the producer's index} */
    public long piCpuAddr() {
        return values.piCpuAddr();
    }

    /** {@return the address of the page of registers; 0 where it has none} */
    public long regsCpuAddr() {
        return values.regsCpuAddr();
    }

    /** {@return the offset of the registers in that page, in bytes} */
    public int regsOffset() {
        return values.regsOffset();
    }

    /**
     * {@return bytes that the ring is mapped in: whole pages} For the number of entries see {@link io.verbs4j.CompletionQueue#cqe()}.
     */
    public int cqSize() {
        return values.cqSize();
    }

    /** {@return its number at the port} */
    public int cqNum() {
        return values.cqNum();
    }

    /** {@return an {@link HblCqTypes} value} */
    public int cqType() {
        return values.cqType();
    }
}

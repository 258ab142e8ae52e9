/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.QpPlace;

/** The number and the rings of a queue pair, returned by {@link HblDv#queryQp}. Source: {@code hbldv_query_qp}. */
public final class HblQueryQpAttr extends Answer {
    private final QpPlace values;

    HblQueryQpAttr(QpPlace values) {
        super(values);
        this.values = values;
    }

    /** {@return the number on the wire, from INIT on; 0 before} */
    public int qpNum() {
        return values.qpNum();
    }

    /** {@return the address of the send ring, from RTS on; 0 if it lies in device memory} */
    public long swqCpuAddr() {
        return values.swqCpuAddr();
    }

    /** {@return the address of the receive ring, from RTS on; 0 if it lies in device memory} */
    public long rwqCpuAddr() {
        return values.rwqCpuAddr();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.QpPlace;

/**
 * What a queue pair is to the device: the answer of {@link HblDv#queryQp}. Source: {@code hbldv_query_qp}.
 */
public final class HblQueryQpAttr extends Answer {
    private final QpPlace values;

    HblQueryQpAttr(QpPlace values) {
        super(values);
        this.values = values;
    }

    /** {@return its number on the wire, from INIT on; 0 before} */
    public int qpNum() {
        return values.qpNum();
    }

    /** {@return the address of its send ring, from RTS on; 0 where that is in the device's memory} */
    public long swqCpuAddr() {
        return values.swqCpuAddr();
    }

    /** {@return the address of its receive ring, from RTS on; 0 where that is in the device's memory} */
    public long rwqCpuAddr() {
        return values.rwqCpuAddr();
    }
}

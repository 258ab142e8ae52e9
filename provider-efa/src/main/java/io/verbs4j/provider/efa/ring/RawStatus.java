/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.ring;

import io.verbs4j.WcStatus;

/** The device's status codes of completions. Source: rdma-core, {@code efa_io_defs.h}. */
public final class RawStatus {
    private static final int[] STATUS = {
        WcStatus.SUCCESS,
        WcStatus.WR_FLUSH_ERR,
        WcStatus.LOC_QP_OP_ERR,
        WcStatus.LOC_QP_OP_ERR,
        WcStatus.LOC_QP_OP_ERR,
        WcStatus.LOC_PROT_ERR,
        WcStatus.LOC_LEN_ERR,
        WcStatus.REM_ACCESS_ERR,
        WcStatus.REM_ABORT_ERR,
        WcStatus.REM_INV_RD_REQ_ERR,
        WcStatus.RNR_RETRY_EXC_ERR,
        WcStatus.REM_INV_REQ_ERR,
        WcStatus.BAD_RESP_ERR,
        WcStatus.RESP_TIMEOUT_ERR,
        WcStatus.REM_OP_ERR,
        WcStatus.RESP_TIMEOUT_ERR,
        WcStatus.GENERAL_ERR,
        WcStatus.GENERAL_ERR,
        WcStatus.REM_INV_REQ_ERR,
    };

    private RawStatus() {}

    /** Returns the {@link WcStatus} of a device status, which completions report as {@code vendorErr}. */
    public static int toStatus(int raw) {
        return raw >= 0 && raw < STATUS.length ? STATUS[raw] : WcStatus.GENERAL_ERR;
    }
}

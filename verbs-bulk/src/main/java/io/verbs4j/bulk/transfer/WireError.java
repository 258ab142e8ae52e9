/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.ring.EntryCode;

/** Maps statuses of completions to errnos of transfers. */
final class WireError {
    private WireError() {}

    /** Returns the errno of the request itself. */
    static int errno(int status) {
        return switch (status) {
            case WcStatus.SUCCESS -> 0;
            case WcStatus.WR_FLUSH_ERR, WcStatus.RETRY_EXC_ERR, WcStatus.RNR_RETRY_EXC_ERR -> Errno.ECONNRESET;
            case WcStatus.REM_INV_REQ_ERR,
                    WcStatus.REM_ACCESS_ERR,
                    WcStatus.REM_OP_ERR,
                    WcStatus.REM_ABORT_ERR,
                    WcStatus.BAD_RESP_ERR -> EntryCode.EREMOTEIO;
            default -> Errno.EIO;
        };
    }

    /** Whether the queue pair has failed through no fault of a request, which another queue pair may repeat. */
    static boolean isLoss(int status) {
        return status == WcStatus.WR_FLUSH_ERR
                || status == WcStatus.RETRY_EXC_ERR
                || status == WcStatus.RNR_RETRY_EXC_ERR;
    }

    /** Returns the errno for all other work of its connection. */
    static int errnoOfLink(int status) {
        return status == WcStatus.SUCCESS ? 0 : Errno.ECONNRESET;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Status codes of a work completion; see the InfiniBand Architecture Specification, volume 1, 11.6.2.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_poll_cq(3)}.
 */
public final class WcStatus {
    /**
     * The work request succeeded; only then are all other fields of the completion valid. Source:
     * {@code IBV_WC_SUCCESS}, {@code ibv_poll_cq(3)}.
     */
    public static final int SUCCESS = 0;

    /**
     * A message was longer than the local buffers, the port's limit or, on UD, the MTU. Source:
     * {@code IBV_WC_LOC_LEN_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int LOC_LEN_ERR = 1;

    /**
     * The queue pair found an inconsistency within the work request. Source: {@code IBV_WC_LOC_QP_OP_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int LOC_QP_OP_ERR = 2;

    /**
     * The end-to-end context found an inconsistency; reliable datagram only, so never reported. Source:
     * {@code IBV_WC_LOC_EEC_OP_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int LOC_EEC_OP_ERR = 3;

    /**
     * A local buffer is outside its memory region, or the region does not permit the access. Source:
     * {@code IBV_WC_LOC_PROT_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int LOC_PROT_ERR = 4;

    /**
     * The queue pair was in the error state before the work request completed; whether it took effect is unknown.
     * Source: {@code IBV_WC_WR_FLUSH_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int WR_FLUSH_ERR = 5;

    /**
     * A memory window could not be bound, because of missing access rights or a region that does not match. Source:
     * {@code IBV_WC_MW_BIND_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int MW_BIND_ERR = 6;

    /**
     * The peer answered with a packet that does not match the request. Source: {@code IBV_WC_BAD_RESP_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int BAD_RESP_ERR = 7;

    /**
     * An RDMA write with immediate data by the peer violated local memory protection. Source:
     * {@code IBV_WC_LOC_ACCESS_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int LOC_ACCESS_ERR = 8;

    /**
     * The peer refused the message as invalid: too long, or an operation it does not allow. Source:
     * {@code IBV_WC_REM_INV_REQ_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int REM_INV_REQ_ERR = 9;

    /**
     * The peer refused the access to its memory: wrong key, range or rights. Source: {@code IBV_WC_REM_ACCESS_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int REM_ACCESS_ERR = 10;

    /**
     * The peer could not carry out the operation for a reason of its own. Source: {@code IBV_WC_REM_OP_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int REM_OP_ERR = 11;

    /**
     * The peer did not acknowledge within the timeout, even after as many retries as the retry count permits. If the
     * connection worked before, the peer is probably gone. Source: {@code IBV_WC_RETRY_EXC_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int RETRY_EXC_ERR = 12;

    /**
     * The peer had no receive request, even after as many retries as the RNR retry count permits. Source:
     * {@code IBV_WC_RNR_RETRY_EXC_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int RNR_RETRY_EXC_ERR = 13;

    /**
     * The reliable datagram domains do not agree; reliable datagram only, so never reported. Source:
     * {@code IBV_WC_LOC_RDD_VIOL_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int LOC_RDD_VIOL_ERR = 14;

    /**
     * The peer refused a reliable datagram message; reliable datagram only, so never reported. Source:
     * {@code IBV_WC_REM_INV_RD_REQ_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int REM_INV_RD_REQ_ERR = 15;

    /** The peer aborted the operation. Source: {@code IBV_WC_REM_ABORT_ERR}, {@code ibv_poll_cq(3)}. */
    public static final int REM_ABORT_ERR = 16;

    /**
     * No such end-to-end context; reliable datagram only, so never reported. Source: {@code IBV_WC_INV_EECN_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int INV_EECN_ERR = 17;

    /**
     * The end-to-end context is in the wrong state; reliable datagram only, so never reported. Source:
     * {@code IBV_WC_INV_EEC_STATE_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int INV_EEC_STATE_ERR = 18;

    /** The device or the channel to it failed permanently. Source: {@code IBV_WC_FATAL_ERR}, {@code ibv_poll_cq(3)}. */
    public static final int FATAL_ERR = 19;

    /** No response arrived in time. Source: {@code IBV_WC_RESP_TIMEOUT_ERR}, {@code ibv_poll_cq(3)}. */
    public static final int RESP_TIMEOUT_ERR = 20;

    /**
     * Any other error; the vendor's error code may say more. Source: {@code IBV_WC_GENERAL_ERR},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int GENERAL_ERR = 21;

    /**
     * An operation on a matching list failed: the buffer to remove was no longer in the list. Since level 4. Source:
     * {@code IBV_WC_TM_ERR}, {@code ibv_poll_cq(3)}.
     */
    public static final int TM_ERR = 22;

    /**
     * A rendezvous request was matched, but the device does not read the data. The headers are in the tagged buffer;
     * the program has to read the data. Since level 4. Source: {@code IBV_WC_TM_RNDV_INCOMPLETE},
     * {@code ibv_poll_cq(3)}.
     */
    public static final int TM_RNDV_INCOMPLETE = 23;

    private WcStatus() {}

    /**
     * Returns the text of a status, worded as by {@code ibv_wc_status_str}; tools print it.
     *
     * @param status one of the constants of this class
     * @return the text, or {@code "unknown"} if the value has none
     */
    public static String toString(int status) {
        switch (status) {
            case SUCCESS:
                return "success";
            case LOC_LEN_ERR:
                return "local length error";
            case LOC_QP_OP_ERR:
                return "local QP operation error";
            case LOC_EEC_OP_ERR:
                return "local EE context operation error";
            case LOC_PROT_ERR:
                return "local protection error";
            case WR_FLUSH_ERR:
                return "Work Request Flushed Error";
            case MW_BIND_ERR:
                return "memory management operation error";
            case BAD_RESP_ERR:
                return "bad response error";
            case LOC_ACCESS_ERR:
                return "local access error";
            case REM_INV_REQ_ERR:
                return "remote invalid request error";
            case REM_ACCESS_ERR:
                return "remote access error";
            case REM_OP_ERR:
                return "remote operation error";
            case RETRY_EXC_ERR:
                return "transport retry counter exceeded";
            case RNR_RETRY_EXC_ERR:
                return "RNR retry counter exceeded";
            case LOC_RDD_VIOL_ERR:
                return "local RDD violation error";
            case REM_INV_RD_REQ_ERR:
                return "remote invalid RD request";
            case REM_ABORT_ERR:
                return "aborted error";
            case INV_EECN_ERR:
                return "invalid EE context number";
            case INV_EEC_STATE_ERR:
                return "invalid EE context state";
            case FATAL_ERR:
                return "fatal error";
            case RESP_TIMEOUT_ERR:
                return "response timeout error";
            case GENERAL_ERR:
                return "general error";
            case TM_ERR:
                return "TM error";
            case TM_RNDV_INCOMPLETE:
                return "TM software rendezvous";
            default:
                return "unknown";
        }
    }
}

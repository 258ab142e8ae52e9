/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * States of a queue pair; see the InfiniBand Architecture Specification, volume 1, 10.3.1. {@link QpStateTable} has the
 * transitions between them.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_modify_qp(3)}.
 */
public final class QpState {
    /**
     * As created: no request can be posted, every packet is dropped. Source: {@code IBV_QPS_RESET},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int RESET = 0;

    /** Receives can be posted; nothing is sent or received. Source: {@code IBV_QPS_INIT}, {@code ibv_modify_qp(3)}. */
    public static final int INIT = 1;

    /**
     * Ready to receive: messages are received; nothing is sent. Source: {@code IBV_QPS_RTR}, {@code ibv_modify_qp(3)}.
     */
    public static final int RTR = 2;

    /** Ready to send: messages are sent and received. Source: {@code IBV_QPS_RTS}, {@code ibv_modify_qp(3)}. */
    public static final int RTS = 3;

    /**
     * Send queue drained: receives continue; posted sends are kept until the queue pair is back in {@link #RTS}.
     * Source: {@code IBV_QPS_SQD}, {@code ibv_modify_qp(3)}.
     */
    public static final int SQD = 4;

    /**
     * Send queue error: a send of a UC or UD queue pair failed; later sends are flushed, receives continue. Source:
     * {@code IBV_QPS_SQE}, {@code ibv_modify_qp(3)}.
     */
    public static final int SQE = 5;

    /**
     * Error: nothing is sent or received; all requests complete as flushed. Source: {@code IBV_QPS_ERR},
     * {@code ibv_modify_qp(3)}.
     */
    public static final int ERR = 6;

    private QpState() {}

    /**
     * Returns the name of a value.
     *
     * @param state one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int state) {
        switch (state) {
            case RESET:
                return "RESET";
            case INIT:
                return "INIT";
            case RTR:
                return "RTR";
            case RTS:
                return "RTS";
            case SQD:
                return "SQD";
            case SQE:
                return "SQE";
            case ERR:
                return "ERR";
            default:
                return "unknown (" + state + ")";
        }
    }
}

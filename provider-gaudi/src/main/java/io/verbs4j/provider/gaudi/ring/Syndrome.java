/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.WcStatus;

/**
 * Reasons why a queue pair failed, which {@code ibv_query_qp} reports instead of access flags. Known are the groups,
 * and the single values that the public driver names. Everything else is {@link WcStatus#GENERAL_ERR}; the completion
 * always carries the syndrome.
 */
public final class Syndrome {
    /** The peer did not answer. */
    private static final int RETRIES_EXCEEDED = 0x40;

    private static final int FIRST_OF_REQUESTER = RETRIES_EXCEEDED;
    private static final int FIRST_OF_TRANSMIT = 0x80;
    private static final int LAST_OF_TRANSMIT = 0x95;

    private Syndrome() {}

    /** Returns whether one of its own requests broke the queue pair, not an incoming one. */
    public static boolean isRequesters(int syndrome) {
        return syndrome >= FIRST_OF_REQUESTER;
    }

    /** Returns the {@link WcStatus} of the request that broke the queue pair. */
    public static int status(int syndrome) {
        if (syndrome == RETRIES_EXCEEDED) {
            return WcStatus.RETRY_EXC_ERR;
        }
        return syndrome >= FIRST_OF_TRANSMIT && syndrome <= LAST_OF_TRANSMIT
                ? WcStatus.LOC_QP_OP_ERR
                : WcStatus.GENERAL_ERR;
    }
}

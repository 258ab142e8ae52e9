/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.WcStatus;

/**
 * Why a queue pair broke, as {@code ibv_query_qp} tells it in place of access flags. Known are the groups, and of single ones those that the
 * public driver names; all that is not known is {@link WcStatus#GENERAL_ERR}, and the syndrome is in the completion.
 */
public final class Syndrome {
    /** No answer of the peer's. */
    private static final int RETRIES_EXCEEDED = 0x40;

    private static final int FIRST_OF_REQUESTER = RETRIES_EXCEEDED;
    private static final int FIRST_OF_TRANSMIT = 0x80;
    private static final int LAST_OF_TRANSMIT = 0x95;

    private Syndrome() {}

    /** Whether a request of its own broke the queue pair, and not one that came. */
    public static boolean isRequesters(int syndrome) {
        return syndrome >= FIRST_OF_REQUESTER;
    }

    /** The {@link WcStatus} that the request has which broke the queue pair. */
    public static int status(int syndrome) {
        if (syndrome == RETRIES_EXCEEDED) {
            return WcStatus.RETRY_EXC_ERR;
        }
        return syndrome >= FIRST_OF_TRANSMIT && syndrome <= LAST_OF_TRANSMIT
                ? WcStatus.LOC_QP_OP_ERR
                : WcStatus.GENERAL_ERR;
    }
}

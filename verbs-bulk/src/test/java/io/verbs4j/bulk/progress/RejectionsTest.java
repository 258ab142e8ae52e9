/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.bulk.connect.ConnectionRejections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which reasons of a peer end a connection that is being recovered. */
class RejectionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "there is no such connection of epoch 3",
                "the endpoint is closed",
                "this is a bulk endpoint: its device lacks RDMA_WRITE"
            })
    void permanentRejectionIsFinal(String reason) {
        assertThat(Rejections.areFinal(ConnectionRejections.byPeer(reason))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not yet",
                "",
                "it was not accepted",
                "it sent no request",
                "bulk_connect: ENETUNREACH: rxe_emb0 has no active port; check its cable or interface",
                "create_qp: ENOMEM: no memory"
            })
    void temporaryRejectionIsRetried(String reason) {
        assertThat(Rejections.areFinal(ConnectionRejections.byPeer(reason))).isFalse();
    }
}

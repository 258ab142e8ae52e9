/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A path that holds packets back is not kept for the next poll once its queue pair has ended. */
class HeldPathsTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endedPathIsForgotten(boolean reset) {
        try (ScriptedPeer peer = new ScriptedPeer();
                Subject subject = new Subject(QpType.RC, null, 4096)) {
            peer.connect(subject.gid(), subject.qp.qpNum());
            subject.connect(peer.gid(), ScriptedPeer.QPN, 100, 200);
            RcPath path = (RcPath) ((RxeQueuePair) subject.qp).qp.path();
            subject.post(WrOpcode.SEND, 1, 0, 10);
            subject.post(WrOpcode.SEND, 2, 0, 10); // unacknowledged so far: this one is held
            assertThat(path.held.size()).isEqualTo(1);
            if (reset) {
                subject.qp.modify(new QpAttr().qpState(QpState.RESET));
            } else {
                subject.qp.close();
            }
            assertThat(path.held.size()).isZero();
            assertThat(path.isHeld).isFalse();
            assertThat(subject.context.port().openLinks().get(0).batches().lent())
                    .as("batches not given back")
                    .isZero();
        }
    }
}

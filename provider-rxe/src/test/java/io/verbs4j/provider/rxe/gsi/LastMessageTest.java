/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.CmConnection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages that another process posted before closing arrive, here as packets. */
class LastMessageTest {
    boolean oneCopy() {
        return false;
    }

    @Test
    void closingLosesNoMessage() throws Exception {
        try (EndingProcess peer = new EndingProcess(oneCopy())) {
            for (int size : new int[] {100, 100_000, 1 << 20, (16 << 20) - 1}) {
                try (Message message = new Message(peer.client.pd, size);
                        CmConnection connection =
                                peer.connect(message::receive, EndingPeerProgram.SEND, size >> 16, size >> 8, size)) {
                    peer.client.completed(Message.RECEIVED);
                    assertThat(message.isFilled(size)).as("%d bytes", size).isTrue();
                    assertThat(connection.awaitDisconnected(EndingProcess.PATIENCE, TimeUnit.SECONDS))
                            .isTrue();
                }
            }
        }
    }
}

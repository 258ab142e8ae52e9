/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.ring.EntryCode;
import io.verbs4j.bulk.strategy.Protocol;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions about the memory of transfers, and answers that arrive after a transfer has ended. */
class AddressesTest {
    private LinkHarness harness;
    private Link link;
    private long sequence;

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, false, true, true));
        link = harness.link;
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void receive(int kind, long id, long a, int rights) {
        ByteBuffer slots = link.slots.bytes();
        ControlLayout.body(slots, 0, kind, id, a, 0x1234, 7, rights);
        ControlLayout.header(slots, 0, 1, LinkHarness.SLOTS, 0, sequence++);
        link.received(0, 0, false, 0, ControlLayout.SIZE);
        harness.turn();
    }

    private List<Integer> kinds() {
        return harness.posts.messages.stream()
                .map(message -> (int) message.get(ControlLayout.KIND))
                .toList();
    }

    /** Creates a receive of an announced message, whose peer has moved to another device since. */
    private Transfer locating() {
        link.addresses.peerMoved();
        Transfer transfer = harness.transfers.pool.take();
        transfer.opcode = EntryCode.RECV;
        transfer.length = 8;
        assertThat(link.addresses.isKnown(transfer)).isFalse();
        assertThat(link.addresses.isKnown(transfer)).isFalse();
        harness.turn();
        assertThat(kinds()).as("one request").containsExactly(ControlKind.LOCATE);
        return transfer;
    }

    @Test
    void answerIsUsed() {
        Transfer transfer = locating();
        receive(ControlKind.LOCATED, transfer.id(), 5, 0);
        assertThat(link.addresses.isKnown(transfer)).isTrue();
        assertThat(transfer.remoteAddress).isEqualTo(0x1234);
        assertThat(transfer.remoteKey).isEqualTo(7);
        assertThat(link.addresses.waits()).isFalse();
    }

    @Test
    void answerForEndedTransferIsDropped() {
        Transfer transfer = locating();
        long id = transfer.id();
        harness.transfers.pool.give(transfer);
        receive(ControlKind.LOCATED, id, 5, 0);
        assertThat(link.state().isUp()).isTrue();
        assertThat(link.addresses.waits()).isFalse();
    }

    @Test
    void unrequestedAnswerEndsConnection() {
        receive(ControlKind.LOCATED, 5, 5, 0);
        assertThat(link.reason()).isEqualTo(Errno.EPROTO);
    }

    @Test
    void forgottenTransferStillInUseEndsConnection() {
        Transfer transfer = locating();
        receive(ControlKind.LOCATED, transfer.id(), 5, 1);
        assertThat(link.reason()).isEqualTo(Errno.EPROTO);
    }

    @Test
    void lateQuestionGetsNegativeAnswer() {
        receive(ControlKind.LOCATE, 77, 99, 0);
        assertThat(link.state().isUp()).isTrue();
        ByteBuffer answer = harness.posts.messages.get(0);
        assertThat(kinds()).containsExactly(ControlKind.LOCATED);
        assertThat(answer.getLong(ControlLayout.ID)).isEqualTo(99);
        assertThat(answer.getInt(ControlLayout.RIGHTS)).isEqualTo(1);
        assertThat(answer.getInt(ControlLayout.KEY)).isZero();
    }
}

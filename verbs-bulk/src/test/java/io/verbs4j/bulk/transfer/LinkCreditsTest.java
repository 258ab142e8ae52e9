/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.SendCredits;
import io.verbs4j.bulk.strategy.Protocol;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a connection sends messages that only grant credits. */
class LinkCreditsTest {
    private LinkHarness harness;
    private Link link;
    private RecordingPosts posts;

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, false, true, true));
        link = harness.link;
        posts = harness.posts;
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** Receives the peer's next message, which grants no credits beyond the initial ones. */
    private void receive(int number) {
        int slot = number % LinkHarness.SLOTS;
        int at = link.slots.slot(slot);
        ByteBuffer bytes = link.slots.received();
        ControlLayout.body(bytes, at, ControlKind.CREDIT, 0, 0, 0, 0, 0);
        ControlLayout.header(bytes, at, link.recovery().epoch(), LinkHarness.SLOTS, 0, number);
        link.receiver.received(slot, 0, false, 0, ControlLayout.SIZE);
    }

    private ByteBuffer last() {
        return posts.messages.get(posts.messages.size() - 1);
    }

    /** Both sides would wait forever if messages that wait for credits held back the credits to grant. */
    @Test
    void waitingMessagesDoNotDelayCredits() {
        int most = LinkHarness.SLOTS - SendCredits.RESERVED;
        for (int i = 0; i < most + 3; i++) {
            link.message(ControlKind.REVOKED, i, 0);
        }
        harness.turn();
        assertThat(posts.messages).hasSize(most);
        int owed = LinkHarness.SLOTS / 4;
        for (int number = 0; number < owed; number++) {
            assertThat(posts.messages).as("%d slots are owed", number).hasSize(most);
            receive(number);
            harness.turn();
        }
        assertThat(posts.messages).hasSize(most + 1);
        assertThat(last().get(ControlLayout.KIND)).isEqualTo((byte) ControlKind.CREDIT);
        assertThat(last().getInt(ControlLayout.CREDITS)).isEqualTo(LinkHarness.SLOTS + owed);
        harness.turn();
        assertThat(posts.messages).as("it is sent once").hasSize(most + 1);
    }
}

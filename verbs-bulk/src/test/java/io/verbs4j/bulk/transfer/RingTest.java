/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.strategy.Protocol;
import io.verbs4j.bulk.transfer.RecordingPosts.Request;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages written into rings, by this side and by a peer that may violate the protocol. */
class RingTest {
    private static final int SLOTS = LinkHarness.SLOTS;
    private static final int SLOT_BYTES = LinkHarness.SLOT_BYTES;

    private LinkHarness harness;
    private Link link;
    private ByteBuffer ring;

    @BeforeEach
    void open() {
        harness = new LinkHarness(new Protocol(false, true, true, false, false));
        link = harness.link;
        ring = link.slots.bytes();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** Writes a message like a peer, but without the word that completes it. */
    private int header(long sequence, int kind, long a) {
        int at = (int) (sequence % SLOTS) * SLOT_BYTES;
        ControlLayout.body(ring, at, kind, 11, a, 0, 0, 0);
        ControlLayout.header(ring, at, 1, SLOTS + (int) sequence, 0, sequence);
        return at;
    }

    private void message(long sequence, int kind, long a) {
        ring.putLong(header(sequence, kind, a) + ControlLayout.SEQUENCE, RingWriter.word(sequence));
    }

    private boolean poll() {
        return harness.transfers.poll();
    }

    /** Each answer would wait in memory for a credit that the peer may never grant. */
    @Test
    void messageBeyondCreditsEndsConnection() {
        for (int n = 0; n < SLOTS; n++) {
            message(n, ControlKind.LOOKUP, 0);
            assertThat(poll()).isTrue();
        }
        assertThat(harness.posts.failed).isFalse();
        message(SLOTS, ControlKind.LOOKUP, 0);
        assertThat(poll()).isTrue();
        assertThat(harness.posts.failed).isTrue();
    }

    @Test
    void messageIsTakenAfterItsWordArrives() {
        assertThat(harness.transfers.isPolled()).isTrue();
        assertThat(poll()).isFalse();
        header(0, ControlKind.CREDIT, 0);
        assertThat(poll()).as("without its word").isFalse();
        message(1, ControlKind.CREDIT, 0);
        assertThat(poll()).as("the one behind it").isFalse();
        message(0, ControlKind.CREDIT, 0);
        assertThat(poll()).isTrue();
        assertThat(poll()).as("both were taken").isFalse();
        assertThat(harness.posts.failed).isFalse();
    }

    /** The remains of earlier messages are not taken for new ones, in any round. */
    @Test
    void remainsOfEarlierRoundsAreNotTaken() {
        for (long sequence = 0; sequence < 5 * SLOTS; sequence++) {
            header(sequence, ControlKind.CREDIT, 0);
            assertThat(poll()).as("message %d", sequence).isFalse();
            message(sequence, ControlKind.CREDIT, 0);
            assertThat(poll()).isTrue();
            harness.turn(); // grants credits
        }
        assertThat(harness.posts.failed).isFalse();
    }

    @Test
    void invalidLengthEndsConnection() {
        for (long length : new long[] {SLOT_BYTES - ControlLayout.SIZE + 1, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            message(0, ControlKind.EAGER, length);
            assertThat(poll()).isTrue();
            assertThat(harness.posts.failed).as("length %d", length).isTrue();
            assertThat(link.state().errno()).isEqualTo(Errno.EPROTO);
            close();
            open();
        }
        message(0, ControlKind.EAGER, SLOT_BYTES - ControlLayout.SIZE);
        assertThat(poll()).isTrue();
        assertThat(harness.posts.failed).as("the longest").isFalse();
    }

    @Test
    void eagerMessagesWithoutCreditEndConnection() {
        for (long sequence = 0; sequence < SLOTS; sequence++) {
            message(sequence, ControlKind.EAGER, 8);
        }
        assertThat(poll()).isTrue();
        assertThat(harness.posts.failed).isTrue();
        assertThat(link.state().errno()).isEqualTo(Errno.EPROTO);
    }

    /** A message does not change after it was examined, whatever the peer writes. */
    @Test
    void messageIsCopiedBeforeItIsExamined() {
        int at = header(0, ControlKind.EAGER, 8);
        ring.putLong(at + ControlLayout.SIZE, 42);
        message(0, ControlKind.EAGER, 8);
        assertThat(poll()).isTrue();
        ring.put(at, new byte[SLOT_BYTES]);
        ByteBuffer places = link.slots.received();
        int place = SLOTS - 1; // the first free one
        assertThat(places.getLong(link.slots.slot(place) + ControlLayout.A)).isEqualTo(8);
        assertThat(places.getLong(link.slots.slot(place) + ControlLayout.SIZE)).isEqualTo(42);
    }

    /** Messages that the peer wrote before its connection ended are taken before this side's ends. */
    @Test
    void lastMessageIsTakenAfterFailure() {
        link.fail(Errno.ECONNRESET);
        message(0, ControlKind.BYE, 0);
        assertThat(link.isOver(System.nanoTime())).isTrue();
        assertThat(link.reason()).as("the peer announced that it closes").isZero();
    }

    /** The bytes, the header, then the word; places are used in turn. */
    @Test
    void messageIsWrittenBeforeItsWord() {
        int stride = SLOT_BYTES;
        for (long n = 0; n < 2 * SLOTS; n++) {
            harness.posts.requests.clear();
            long header = link.slots.address(link.slots.header((int) n));
            assertThat(link.posts().send(n, 0, 1, header, ControlLayout.SIZE, 2, 4096, 100))
                    .isZero();
            long place = LinkHarness.RING + n % SLOTS * stride;
            long word = link.slots.address(link.slots.word((int) n));
            assertThat(harness.posts.requests)
                    .containsExactly(
                            new Request("write", 4096, 100, 5, place + ControlLayout.SIZE),
                            new Request("write", header, ControlLayout.SIZE, 5, place),
                            new Request("write", word, Long.BYTES, 5, place + ControlLayout.SEQUENCE));
            assertThat(ring.getLong(link.slots.word((int) n))).isEqualTo(RingWriter.word(n));
        }
        assertThat(harness.posts.messages).as("sent").isEmpty();
    }
}

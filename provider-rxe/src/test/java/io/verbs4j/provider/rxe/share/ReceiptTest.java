/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Receipts in a ring, which its receiver writes for packets that it has taken. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class ReceiptTest {
    private static final int LENGTH = Bth.LENGTH + 4;

    private TwoAddresses two;
    private RingWriter ring;

    /** Whether each packet that comes could have a receipt. */
    private final List<Boolean> possible = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        two = new TwoAddresses();
        ring = two.connect().ring();
        two.connectBack();
    }

    @AfterEach
    void close() {
        two.close();
    }

    private void send(int psn, Receipt receipt) {
        int at = ring.beginPacket(LENGTH);
        assertThat(at).isPositive();
        Bth.write(ring.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, true, psn);
        assertThat(ring.endPacket(LENGTH, receipt, false)).isFalse();
    }

    private void take(boolean gives) {
        int before = possible.size();
        assertThat(two.receiver.poll(packet -> note(packet, gives), 10, () -> {}))
                .isPositive();
        assertThat(possible).hasSizeGreaterThan(before);
    }

    private void note(Packet packet, boolean gives) {
        possible.add(gives && packet.giveReceipt());
    }

    @Test
    void receiptSaysWhichPacketWasTaken() {
        Receipt receipt = ring.receipt();
        assertThat(receipt.isOf(ring)).isTrue();
        assertThat(receipt.isNew()).isFalse();
        assertThat(receipt.psn()).isEqualTo(Receipt.NONE);
        send(0xfffffe, receipt);
        assertThat(receipt.isNew()).as("before it is taken").isFalse();
        take(true);
        assertThat(receipt.isNew()).isTrue();
        assertThat(receipt.psn()).isEqualTo(0xfffffe);
        assertThat(receipt.isNew()).as("until it is settled").isTrue();
        receipt.settle();
        assertThat(receipt.isNew()).isFalse();
        send(0, receipt);
        take(true);
        assertThat(receipt.isNew()).isTrue();
        assertThat(receipt.psn()).isZero();
        assertThat(possible).containsExactly(true, true);
    }

    @Test
    void packetThatIsNotTakenHasNone() {
        Receipt receipt = ring.receipt();
        send(7, receipt);
        take(false);
        assertThat(receipt.isNew()).isFalse();
        assertThat(receipt.psn()).isEqualTo(Receipt.NONE);
    }

    @Test
    void packetThatAsksForNoneHasNone() {
        Receipt receipt = ring.receipt();
        send(7, null);
        take(true);
        assertThat(possible).containsExactly(false);
        assertThat(receipt.isNew()).isFalse();
    }

    @Test
    void eachQueuePairHasItsOwn() {
        Receipt one = ring.receipt();
        Receipt other = ring.receipt();
        send(7, one);
        send(9, other);
        take(true);
        assertThat(one.psn()).isEqualTo(7);
        assertThat(other.psn()).isEqualTo(9);
    }

    /** A packet of a queue pair that has ended may still be in the ring. */
    @Test
    void receiptForEarlierUserOfPlaceIsNotTaken() {
        Receipt old = ring.receipt();
        send(7, old);
        old.close();
        Receipt now = ring.receipt();
        assertThat(now.place()).isEqualTo(old.place());
        take(true);
        assertThat(now.isNew()).isTrue();
        assertThat(now.psn()).isEqualTo(Receipt.NONE);
        now.settle();
        send(8, now);
        take(true);
        assertThat(now.psn()).isEqualTo(8);
        now.close();
        Receipt next = ring.receipt();
        assertThat(next.isNew()).as("what an earlier user left behind").isFalse();
        assertThat(next.psn()).isEqualTo(Receipt.NONE);
    }

    @Test
    void thereAreAsManyAsPlacesAndTheyLieApart() {
        List<Receipt> all = new ArrayList<>();
        for (Receipt r = ring.receipt(); r != null; r = ring.receipt()) {
            all.add(r);
        }
        assertThat(all).hasSize(RingLayout.RECEIPT_PLACES);
        assertThat(all.stream().map(r -> RingLayout.receiptOffset(r.reference())))
                .doesNotHaveDuplicates()
                .allMatch(at -> at >= RingLayout.COPYING + 8 && at % 64 == 0 && at <= RingLayout.DATA - 64);
        all.get(33).close();
        assertThat(ring.receipt().place()).isEqualTo(33);
        assertThat(ring.receipt()).isNull();
    }

    @Test
    void receiverOfRelease12WritesNone() {
        NativeMemory.putLong(ring.address() + RingLayout.ABILITIES, RingLayout.COPIES_ANSWERS);
        assertThat(ring.receipt()).isNull();
    }

    /** Otherwise a sender that sleeps would not see it. */
    @Test
    void receiverThatCannotWakeSenderWritesNone() throws IOException {
        try (TwoAddresses oneWay = new TwoAddresses()) {
            ring = oneWay.connect().ring();
            Receipt receipt = ring.receipt();
            send(7, receipt);
            assertThat(oneWay.receiver.poll(packet -> note(packet, true), 10, () -> {}))
                    .isOne();
            assertThat(possible).containsExactly(false);
            assertThat(receipt.isNew()).isFalse();
        }
    }

    @Test
    void senderThatSleepsIsWoken() {
        Receipt receipt = ring.receipt();
        send(1, receipt);
        take(true);
        assertThat(two.wakes()).isZero();
        two.sender.sleeps();
        send(2, null);
        take(true);
        assertThat(two.wakes()).as("for a packet without a receipt").isZero();
        send(3, receipt);
        take(false);
        assertThat(two.wakes()).as("for a receipt that was not written").isZero();
        send(4, receipt);
        take(true);
        assertThat(two.wakes()).isOne();
        send(5, receipt);
        take(true);
        assertThat(two.wakes()).as("once until it sleeps again").isOne();
    }

    @Test
    void recordWithImpossibleReceiptEndsRing() {
        for (int receipt : new int[] {1 << 6, RingLayout.RECEIPT_PLACES + 1, 63, 1 << 22 | 1}) {
            assertThat(RingLayout.isReceipt(receipt)).as("%x", receipt).isFalse();
        }
        send(1, null);
        long record = ring.address() + RingLayout.DATA;
        NativeMemory.putLong(
                record,
                RingLayout.header(
                        LENGTH, RingLayout.PACKET | (RingLayout.RECEIPT_PLACES + 1) << RingLayout.RECEIPT_SHIFT));
        assertThat(two.poll(10)).isZero();
        assertThat(two.count(Surroundings.Count.BAD)).isOne();
        assertThat(ring.beginPacket(LENGTH)).as("room in a ring that ended").isEqualTo(-1);
    }

    @Test
    void spanWithReceiptEndsRing() {
        TwoAddresses.span(ring, ring.address(), 8);
        long record = ring.address() + RingLayout.DATA;
        long header = NativeMemory.getLong(record);
        NativeMemory.putLong(
                record,
                RingLayout.header(RingLayout.length(header), RingLayout.flags(header) | 1 << RingLayout.RECEIPT_SHIFT));
        assertThat(two.poll(10)).isZero();
        assertThat(two.count(Surroundings.Count.BAD)).isOne();
    }

    /** Packets that are ended but not shown come with the next ones, in their order. */
    @Test
    void packetsThatFollowAtOnceAreShownTogether() {
        for (int psn = 1; psn <= 3; psn++) {
            int at = ring.beginPacket(LENGTH);
            Bth.write(ring.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, true, psn);
            assertThat(ring.endPacket(LENGTH, null, true)).isTrue();
        }
        assertThat(two.poll(10)).isZero();
        assertThat(two.count(Surroundings.Count.SENT)).isZero();
        ring.show();
        List<Integer> psns = new ArrayList<>();
        assertThat(two.receiver.poll(packet -> psns.add(packet.psn()), 10, () -> {}))
                .isEqualTo(3);
        assertThat(psns).containsExactly(1, 2, 3);
        assertThat(two.count(Surroundings.Count.SENT)).isEqualTo(3);
        assertThat(two.count(Surroundings.Count.SENT_BYTES)).isEqualTo(3 * LENGTH);
        ring.show();
        assertThat(two.count(Surroundings.Count.SENT))
                .as("after showing nothing")
                .isEqualTo(3);
    }

    @Test
    void manyBytesAreShownWithoutBeingAsked() {
        int length = 4096 + 32;
        int shown = 0;
        for (int i = 0; i < 8; i++) {
            int at = ring.beginPacket(length);
            Bth.write(ring.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, true, i);
            shown += ring.endPacket(length, null, true) ? 0 : 1;
        }
        assertThat(shown).isEqualTo(2);
        assertThat(two.poll(10)).isEqualTo(8);
    }

    /** A packet that another thread writes shows those before it; what is abandoned is never seen. */
    @Test
    void abandonedPacketLeavesNothing() {
        int at = ring.beginPacket(LENGTH);
        Bth.write(ring.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, true, 1);
        ring.abandon();
        ring.show();
        assertThat(two.poll(10)).isZero();
        send(2, null);
        take(true);
        assertThat(possible).hasSize(1);
    }
}

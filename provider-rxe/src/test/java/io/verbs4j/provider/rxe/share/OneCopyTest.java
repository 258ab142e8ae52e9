/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings between two addresses: packets come out as put in, and lent memory can be read as long as it is lent. */
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
@ParameterizedClass(name = "older sender {0}")
@ValueSource(booleans = {false, true})
class OneCopyTest {
    private static final int HEADERS = Bth.LENGTH + 4;

    @Parameter
    boolean older;

    private TwoAddresses two;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 17);

    @BeforeEach
    void open() throws IOException {
        two = new TwoAddresses();
        two.older = older;
    }

    @AfterEach
    void close() {
        two.close();
    }

    private void put(RingWriter ring, byte[] payload) {
        int length = TwoAddresses.packet(memory, 0, payload);
        ring.put(NativeMemory.address(memory), length, length);
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void ringExistsOnceReceiverAccepts() {
        Channel channel = two.sender.reach(two.to);
        two.sender.maintain();
        assertThat(channel.ring()).isNull();
        assertThat(two.receiver.isReceiving()).isFalse();
        two.connect();
        assertThat(channel.ring()).isNotNull();
        assertThat(two.receiver.isReceiving()).isTrue();
    }

    /** The sender notices the acceptance exactly when the maintenance thread would retry. */
    @Test
    void acceptedRingIsNotOfferedAgain() throws IOException, InterruptedException {
        for (int i = 0; i < 300; i++) {
            Channel channel = two.sender.reach(two.to);
            two.sender.maintain();
            long offered = two.offer();
            CountDownLatch ready = new CountDownLatch(1);
            Thread looksAfter = new Thread(() -> {
                ready.countDown();
                for (int turn = 0; channel.ring() == null; turn++) {
                    two.sender.reach(two.to);
                    two.sender.maintain();
                    Patience.pause(turn); // so that the other thread gets the processor
                }
            });
            looksAfter.start();
            ready.await();
            two.receiver.offered(two.from.subnetPrefix(), two.from.interfaceId(), offered);
            for (int turn = 0; channel.ring() == null; turn++) {
                Patience.pause(turn);
            }
            looksAfter.join();
            assertThat(channel.isOffering()).isFalse();
            close();
            open();
        }
    }

    @Test
    void packetsArriveUnchangedAcrossWrap() {
        RingWriter ring = two.connect().ring();
        Random random = new Random(1);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            byte[] payload = bytes(random.nextInt(4097), i);
            sent.add(payload);
            put(ring, payload);
            if (i % 50 == 49) {
                assertThat(two.poll(1000)).isEqualTo(50);
            }
        }
        assertThat(two.payloads)
                .usingElementComparator(java.util.Arrays::compare)
                .isEqualTo(sent);
        assertThat(two.poll(1)).isZero();
        assertThat(two.receiver.isEmpty()).isTrue();
    }

    @Test
    void batchIsAddedAtOnce() {
        RingWriter ring = two.connect().ring();
        int size = 0;
        int at = 0;
        for (int i = 0; i < 20; i++) {
            size = TwoAddresses.packet(memory, at, bytes(1024, i));
            at += size;
        }
        at += TwoAddresses.packet(memory, at, bytes(100, 20));
        ring.put(NativeMemory.address(memory), at, size);
        assertThat(two.poll(1000)).isEqualTo(21);
        assertThat(two.payloads.get(19)).isEqualTo(bytes(1024, 19));
        assertThat(two.payloads.get(20)).isEqualTo(bytes(100, 20));
    }

    @Test
    void packetsWithoutRoomAreDroppedAndCounted() {
        RingWriter ring = two.connect().ring();
        assertThat(ring.hasRoom()).isTrue();
        int sent = 0;
        while (two.count(Surroundings.Count.FULL) < 3) {
            put(ring, bytes(4096, sent++));
        }
        assertThat(ring.hasRoom()).isFalse();
        while (two.count(Surroundings.Count.FULL) < 4) {
            put(ring, bytes(100, sent++));
        }
        assertThat(ring.beginSpan()).isEqualTo(-1);
        int came = 0;
        for (int n = two.poll(64); n > 0; n = two.poll(64)) {
            came += n;
        }
        assertThat(came).isEqualTo(sent - 4);
        assertThat(ring.hasRoom()).isTrue();
        put(ring, bytes(10, 1));
        assertThat(two.poll(64)).isEqualTo(1);
    }

    @Test
    void spanIsCopiedPieceByPiece() {
        RingWriter ring = two.connect().ring();
        memory.put(0, bytes(memory.capacity(), 3));
        long address = NativeMemory.address(memory);
        TwoAddresses.span(ring, address + 5, 10_000, address + 50_000, 1, address, 777);
        assertThat(two.poll(1)).isEqualTo(1);
        byte[] all = bytes(memory.capacity(), 3);
        ByteBuffer expected = ByteBuffer.allocate(10_778);
        expected.put(all, 5, 10_000).put(all, 50_000, 1).put(all, 0, 777);
        assertThat(two.payloads.get(0)).isEqualTo(expected.array());
        assertThat(two.count(Surroundings.Count.SENT_BYTES)).isEqualTo(10_778);
    }

    /**
     * Otherwise everything in flight would be acknowledged at once, and nothing be copied until the sender has added
     * more to the ring.
     */
    @Test
    void pollReturnsAfterMuchData() {
        RingWriter ring = two.connect().ring();
        long address = NativeMemory.address(memory);
        for (int i = 0; i < 3; i++) {
            TwoAddresses.span(ring, address, 1 << 17, address, 1 << 17);
        }
        put(ring, bytes(16, 1));
        put(ring, bytes(16, 2));
        assertThat(two.poll(64)).isEqualTo(1);
        assertThat(two.poll(64)).isEqualTo(1);
        assertThat(two.poll(64)).isEqualTo(1);
        assertThat(two.poll(64)).isEqualTo(2);
    }

    @Test
    void recalledSpanIsNotReceived() {
        RingWriter ring = two.connect().ring();
        long address = NativeMemory.address(memory);
        TwoAddresses.span(ring, address, 10_000);
        long end = ring.spanEnd();
        ring.recall(end);
        TwoAddresses.span(ring, address, 20_000);
        assertThat(two.poll(10)).isEqualTo(2);
        assertThat(two.payloads.get(0)).isNull();
        assertThat(two.payloads.get(1)).hasSize(20_000);
        TwoAddresses.span(ring, address, 30_000);
        assertThat(two.poll(10)).isEqualTo(1);
        ring.recall(0); // removed long ago
        TwoAddresses.span(ring, address, 40_000);
        ring.recall(0);
        assertThat(two.poll(10)).isEqualTo(1);
        assertThat(two.payloads.get(3)).hasSize(40_000);
    }

    @Test
    void unfinishedRecordOfDeadSenderIsIgnored() {
        RingWriter ring = two.connect().ring();
        put(ring, bytes(100, 1));
        int at = ring.beginSpan();
        Bth.write(ring.buffer(), at, Opcode.RC_SEND_ONLY, false, false, 0, Bth.DEFAULT_PKEY, 17, true, 5);
        NativeMemory.putLong(ring.pieces(HEADERS), NativeMemory.address(memory));
        if (older) {
            ring.buffer()
                    .putInt(at - RingLayout.HEADER, 0x1234_5678); // its tail is written last, later ones' this word
        }
        assertThat(two.poll(10)).isEqualTo(1);
        assertThat(two.receiver.isEmpty()).isTrue();
        assertThat(two.count(Surroundings.Count.BAD)).isZero();
        ring.abandon();
    }

    @Test
    void firstWordShowsRecordUnlessSenderIsOlder() {
        RingWriter ring = two.connect().ring();
        long base = NativeMemory.address(ring.buffer());
        int length = TwoAddresses.packet(ring.buffer(), RingLayout.DATA + RingLayout.HEADER, bytes(100, 1));
        NativeMemory.putLong(base + RingLayout.DATA, RingLayout.header(length, RingLayout.PACKET));
        assertThat(two.receiver.isEmpty()).isEqualTo(older);
        assertThat(two.poll(10)).isEqualTo(older ? 0 : 1);
        NativeMemory.putLong(base + RingLayout.TAIL, RingLayout.HEADER + RingLayout.round(length));
        assertThat(two.receiver.isEmpty()).isEqualTo(!older);
        assertThat(two.poll(10)).isEqualTo(older ? 1 : 0);
        assertThat(two.receiver.isEmpty()).isTrue();
        assertThat(two.payloads.get(0)).isEqualTo(bytes(100, 1));
    }

    /** The records would fill the ring exactly, without a place for the word behind the last one. */
    @Test
    void fullRingLosesNothing() {
        RingWriter ring = two.connect().ring();
        int records = RingLayout.BYTES / 128;
        byte[] payload = bytes(128 - RingLayout.HEADER - HEADERS, 1);
        for (int i = 0; i < records; i++) {
            put(ring, payload);
        }
        assertThat(two.count(Surroundings.Count.FULL)).isEqualTo(1);
        for (int got = 0; got < records - 1; ) {
            int n = two.poll(1000);
            assertThat(n).isPositive();
            got += n;
        }
        assertThat(two.receiver.isEmpty()).isTrue();
        put(ring, payload);
        assertThat(two.poll(10)).isEqualTo(1);
        assertThat(two.payloads).hasSize(records).containsOnly(payload);
    }

    /** Such a record leads to itself. */
    @Test
    @Timeout(value = Patience.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void unusedRestAtBeginningEndsRing() {
        RingWriter ring = two.connect().ring();
        long base = NativeMemory.address(ring.buffer());
        NativeMemory.putLong(base + RingLayout.DATA, RingLayout.header(0, RingLayout.WRAP));
        NativeMemory.putLong(base + RingLayout.TAIL, RingLayout.BYTES);
        assertThat(two.poll(10)).isZero();
        assertThat(two.count(Surroundings.Count.BAD)).isEqualTo(1);
        assertThat(two.receiver.isEmpty()).isTrue();
    }

    @Test
    void missingMemoryFailsOneSpanOnly() {
        RingWriter ring = two.connect().ring();
        TwoAddresses.span(ring, 8, 10_000);
        TwoAddresses.span(ring, NativeMemory.address(memory), 10_000, 0xffff_ffff_ffff_0000L, 100);
        TwoAddresses.span(ring, NativeMemory.address(memory), 10_000);
        assertThat(two.poll(10)).isEqualTo(3);
        assertThat(two.payloads.get(0)).isNull();
        assertThat(two.payloads.get(1)).isNull();
        assertThat(two.payloads.get(2)).hasSize(10_000);
    }

    @Test
    void deadSenderIsNotRead() {
        RingWriter ring = two.connect().ring();
        TwoAddresses.span(ring, NativeMemory.address(memory), 10_000);
        two.sender.close(); // the nonce is gone, as if another process had the number
        assertThat(two.poll(10)).isEqualTo(1);
        assertThat(two.payloads.get(0)).isNull();
    }

    @Test
    void endOfReceiverClosesRing() {
        Channel channel = two.connect();
        RingWriter ring = channel.ring();
        put(ring, bytes(10, 1));
        two.receiver.close();
        put(ring, bytes(10, 2));
        assertThat(channel.ring()).isNull();
        assertThat(ring.isClosed()).isTrue();
        assertThat(channel.problem()).contains("gone");
    }

    @Test
    void restartedReceiverGetsNewRing() throws IOException {
        Channel channel = two.connect();
        put(channel.ring(), bytes(10, 1));
        two.receiver.close();
        two.receiver = two.open(two.to);
        two.connect(); // notices that the previous one is gone
        two.connect();
        assertThat(channel.ring()).isNotNull();
        put(channel.ring(), bytes(10, 2));
        assertThat(two.poll(10)).isEqualTo(1);
        assertThat(two.payloads.get(0)).isEqualTo(bytes(10, 2));
    }

    @Test
    void sleeperIsWokenOnce() {
        RingWriter ring = two.connect().ring();
        put(ring, bytes(10, 1));
        assertThat(two.count(Surroundings.Count.WAKEUPS)).isZero();
        two.receiver.sleeps();
        assertThat(two.receiver.isEmpty()).isFalse();
        put(ring, bytes(10, 2));
        put(ring, bytes(10, 3));
        assertThat(two.count(Surroundings.Count.WAKEUPS)).isEqualTo(1001);
        two.receiver.sleeps();
        two.receiver.wakes();
        put(ring, bytes(10, 3));
        assertThat(two.count(Surroundings.Count.WAKEUPS)).isEqualTo(1001);
    }

    @Test
    void socketPacketsAreReceivedFirst() {
        Channel channel = two.connect();
        RingWriter ring = channel.ring();
        int[] drained = {0};
        put(ring, bytes(10, 1));
        put(ring, bytes(10, 2));
        channel.sendsPackets();
        put(ring, bytes(10, 3));
        List<Integer> before = new ArrayList<>();
        two.receiver.poll(p -> before.add(drained[0]), 10, () -> drained[0]++);
        assertThat(before).containsExactly(1, 1, 2); // some may have been sent before there was a ring
    }

    @Test
    void offerFromWrongAddressIsIgnored() {
        two.sender.reach(two.to);
        two.sender.maintain();
        two.receiver.offered(two.to.subnetPrefix(), two.to.interfaceId(), two.offer() + 8);
        two.receiver.offered(two.from.subnetPrefix(), two.from.interfaceId(), two.offer() + 8);
        two.receiver.offered(two.from.subnetPrefix(), two.from.interfaceId(), 4096);
        two.receiver.offered(0, 0xffff_0102_0304L, two.offer());
        assertThat(two.receiver.isReceiving()).isFalse();
        assertThat(two.connect().ring()).isNotNull();
    }

    @Test
    void offersAreLimited() {
        for (int i = 0; i < 64; i++) {
            two.receiver.offered(0, 0xffff_0102_0304L, i);
        }
        assertThat(two.connect().ring()).isNull();
        two.receiver.maintain();
        assertThat(two.connect().ring()).isNotNull();
    }
}

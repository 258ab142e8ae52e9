/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.datagram;

import static io.verbs4j.bulk.datagram.ModelPair.PAYLOAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.testsupport.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests over a model network that drops, repeats, delays and corrupts datagrams. */
class DatagramPostsTest {
    private static final int KEY = 77;
    private static final int DEAD_SECONDS = (int) TimeUnit.NANOSECONDS.toSeconds(Liveness.DEAD);
    private static final int SEEDS = Extent.isFull() ? 40 : 8;
    private static final int[] SIZES = {
        0, 1, 63, 64, 65, PAYLOAD - 65, PAYLOAD - 64, PAYLOAD - 63, PAYLOAD - 1, PAYLOAD, PAYLOAD + 1, 3 * PAYLOAD, 7000
    };

    static List<Faults> faults() {
        return List.of(Faults.NONE, Faults.LOSS, Faults.REPEATS, Faults.DISORDER, Faults.ALL);
    }

    static IntStream sizes() {
        return Arrays.stream(SIZES);
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Posts a last request with its own completion. */
    private static void finish(ModelPair pair, ModelEnd end) {
        while (end.requests() % 3 == 0) {
            pair.until(() -> end.write(KEY, 0));
            pair.turn();
        }
        pair.until(() -> end.write(KEY, 0));
        end.posts.flush();
        pair.until(() -> pair.isDone(end));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void requestsArriveOnceAndInOrder(Faults faults) {
        for (int seed = 0; seed < SEEDS; seed++) {
            everythingArrives(new ModelPair(seed, faults), seed % 2 == 1);
        }
    }

    @Test
    void losslessDeviceMayReorder() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ModelPair pair = new ModelPair(seed, Faults.DISORDER, true);
            everythingArrives(pair, seed % 2 == 1);
            assertThat(pair.a.wire.repeated + pair.b.wire.repeated).isZero();
        }
    }

    private static void everythingArrives(ModelPair pair, boolean slow) {
        pair.a.wire.slow = slow;
        pair.b.wire.slow = slow;
        List<List<ModelEnd.Arrival>> expected = List.of(new ArrayList<>(), new ArrayList<>());
        List<byte[]> memories = List.of(new byte[8192], new byte[8192]);
        pair.a.targets.put(KEY, new byte[8192]);
        pair.b.targets.put(KEY, new byte[8192]);
        Random random = pair.network.random;
        for (int n = 0; n < 300; n++) {
            boolean first = random.nextBoolean();
            ModelEnd from = first ? pair.a : pair.b;
            int size = SIZES[random.nextInt(SIZES.length)];
            byte[] bytes = bytes(random, size);
            int at = random.nextInt(8192 - size + 1);
            List<ModelEnd.Arrival> arrivals = expected.get(first ? 1 : 0);
            switch (random.nextInt(3)) {
                case 0 -> pair.until(() -> from.write(KEY, at, bytes) || turned(pair));
                case 1 -> {
                    int value = random.nextInt();
                    pair.until(() -> from.tell(KEY, at, value, bytes) || turned(pair));
                    arrivals.add(new ModelEnd.Arrival(null, value));
                }
                default -> {
                    byte[] message = bytes(random, ControlLayout.SIZE + size);
                    pair.until(() -> from.send(message) || turned(pair));
                    arrivals.add(new ModelEnd.Arrival(ByteBuffer.wrap(message), 0));
                    continue;
                }
            }
            System.arraycopy(bytes, 0, memories.get(first ? 1 : 0), at, size);
        }
        finish(pair, pair.a);
        finish(pair, pair.b);
        assertThat(pair.a.targets.get(KEY)).isEqualTo(memories.get(0));
        assertThat(pair.b.targets.get(KEY)).isEqualTo(memories.get(1));
        for (ModelEnd end : List.of(pair.a, pair.b)) {
            assertThat(end.arrivals).isEqualTo(expected.get(end == pair.a ? 0 : 1));
            assertThat(end.failures).isEmpty();
            assertThat(end.sents)
                    .isEqualTo(IntStream.range(0, end.requests())
                            .filter(i -> i % 3 != 0)
                            .mapToObj(i -> new ModelEnd.Sent(i, WcStatus.SUCCESS))
                            .toList());
            assertThat(end.wire.posted()).as("receives").isEqualTo(end.wire.receives());
        }
        if (pair.network.faults.equals(Faults.NONE)) {
            assertThat(pair.a.wire.notReady + pair.b.wire.notReady).isZero();
            assertThat(pair.a.posts.dropped() + pair.b.posts.dropped()).isZero();
            if (!slow) { // a slow send queue also changes the order
                assertThat(pair.a.wire.repeated + pair.b.wire.repeated).isZero();
            }
        }
    }

    private static boolean turned(ModelPair pair) {
        pair.turn();
        return false;
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void requestOfAnySizeArrives(int size) {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        byte[] target = new byte[size + 2];
        pair.b.targets.put(KEY, target);
        byte[] bytes = bytes(pair.network.random, size);
        assertThat(pair.a.tell(KEY, 1, 5, bytes)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        finish(pair, pair.a);
        assertThat(Arrays.copyOfRange(target, 1, size + 1)).isEqualTo(bytes);
        assertThat(target[0] | target[size + 1]).isZero();
        assertThat(pair.b.arrivals).containsExactly(new ModelEnd.Arrival(null, 5));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void requestOfManyMegabytesArrives(Faults faults) {
        int size = (SEEDS << 18) + 5;
        ModelPair pair = new ModelPair(3, faults);
        pair.b.targets.put(KEY, new byte[size]);
        byte[] bytes = bytes(pair.network.random, size);
        assertThat(pair.a.write(KEY, 0, bytes)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        finish(pair, pair.a);
        assertThat(pair.b.targets.get(KEY)).isEqualTo(bytes);
    }

    @Test
    void queueAndWindowAreBounded() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        pair.b.targets.put(KEY, new byte[1]);
        for (int i = 0; i < ModelEnd.DEPTH; i++) {
            assertThat(pair.a.write(KEY, 0, (byte) i)).isTrue();
        }
        assertThat(pair.a.write(KEY, 0)).isFalse();
        assertThat(pair.a.posts.flush()).isZero();
        assertThat(pair.a.wire.sent)
                .as("a new connection starts with few packets")
                .isEqualTo(16);
        pair.until(() -> pair.a.write(KEY, 0, (byte) 99));
        finish(pair, pair.a);
        assertThat(pair.b.targets.get(KEY)).containsExactly(99);
    }

    @Test
    void windowGrowsToLimit() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        byte[] bytes = new byte[500 * PAYLOAD];
        pair.b.targets.put(KEY, new byte[bytes.length]);
        for (int i = 0; i < 6; i++) {
            assertThat(pair.a.write(KEY, 0, bytes)).isTrue();
            finish(pair, pair.a);
        }
        assertThat(pair.a.write(KEY, 0, bytes)).isTrue();
        int before = pair.a.wire.sent;
        assertThat(pair.a.posts.flush()).isZero();
        assertThat(pair.a.wire.sent - before).isEqualTo(ModelEnd.WINDOW);
    }

    @Test
    void requestCompletesWhenSendQueueIsDone() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        List<ModelWire.Completion> held = List.copyOf(pair.a.wire.completions);
        assertThat(held).hasSize(2);
        pair.a.wire.completions.clear();
        pair.pass(1_000_000);
        assertThat(pair.a.sents).as("acknowledged, but still in the send queue").isEmpty();
        pair.a.wire.completions.addAll(held);
        pair.turn();
        assertThat(pair.a.sents).containsExactly(new ModelEnd.Sent(1, WcStatus.SUCCESS));
    }

    /** Later arrivals reveal the loss: nothing waits, and nothing else is sent again. */
    @Test
    void onlyLostPacketIsRetransmitted() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        pair.b.targets.put(KEY, new byte[12 * PAYLOAD]);
        pair.network.loses = 5;
        long start = pair.network.now;
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.write(KEY, 0, new byte[12 * PAYLOAD])).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.until(() -> pair.isDone(pair.a));
        assertThat(pair.a.wire.sent).isEqualTo(1 + 12 + 1);
        assertThat(pair.network.now - start).isLessThan(1_000_000);
    }

    @Test
    void lossHalvesWindow() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        pair.b.targets.put(KEY, new byte[100 * PAYLOAD]);
        pair.network.loses = 3;
        pair.network.lossRun = 2; // counts once
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.write(KEY, 0, new byte[14 * PAYLOAD])).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.until(() -> pair.isDone(pair.a));
        assertThat(pair.a.write(KEY, 0, new byte[100 * PAYLOAD])).isTrue();
        int before = pair.a.wire.sent;
        assertThat(pair.a.posts.flush()).isZero();
        assertThat(pair.a.wire.sent - before)
                .as("16, and what the first acknowledgements added")
                .isBetween(8, 16);
    }

    /** A device that completes nothing may still use the memory: the queue pair fails, and nothing is reported. */
    @Test
    void stuckSendQueueFailsQueuePairAfterTimeout() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.a.wire.completions.clear();
        pair.a.posts.fail();
        pair.pass(50_000_000);
        assertThat(pair.a.wire.failed).isFalse();
        assertThat(pair.a.posts.untilNext(Long.MAX_VALUE)).isBetween(1L, 50_000_000L);
        pair.pass(60_000_000);
        assertThat(pair.a.wire.failed).isTrue();
        assertThat(pair.a.sents).isEmpty();
        assertThat(pair.a.posts.untilNext(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void packetInSendQueueIsNotRetransmitted() {
        ModelPair pair = new ModelPair(1, new Faults(100, 0, 0, 0));
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.a.wire.completions.clear();
        pair.pass(500_000_000);
        assertThat(pair.a.wire.repeated).isZero();
    }

    @Test
    void silentPeerIsGivenUp() {
        ModelPair pair = new ModelPair(1, new Faults(100, 0, 0, 0));
        assertThat(pair.a.write(KEY, 0, new byte[10 * PAYLOAD])).isTrue();
        assertThat(pair.a.send(new byte[64])).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.pass(Liveness.DEAD - 100_000_000);
        assertThat(pair.a.failures).isEmpty();
        assertThat(pair.a.wire.sent).as("packets to a silent peer").isLessThan(3 * DEAD_SECONDS);
        pair.pass(300_000_000);
        assertThat(pair.a.failures).containsExactly(Errno.ECONNRESET);
        assertThat(pair.a.wire.failed).isTrue();
        assertThat(pair.a.sents)
                .containsExactly(
                        new ModelEnd.Sent(0, WcStatus.WR_FLUSH_ERR), new ModelEnd.Sent(1, WcStatus.WR_FLUSH_ERR));
        assertThat(pair.a.flushedSlots).isEqualTo(ModelEnd.SLOTS);
    }

    /** A packet is always in flight, for longer than a peer may go without acknowledging any. */
    @Test
    void busyPeersStayConnected() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        for (int n = 0; n < 300; n++) {
            pair.b.turn(); // acknowledges the previous one
            assertThat(pair.a.write(KEY, 0)).isTrue();
            assertThat(pair.a.posts.flush()).isZero();
            assertThat(pair.network.step(1_000_000)).isTrue();
            pair.a.turn();
            pair.network.now += Liveness.DEAD / 100;
        }
        assertThat(pair.a.failures).isEmpty();
        assertThat(pair.b.failures).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void idlePeersStayConnected(boolean reliable) {
        ModelPair pair = new ModelPair(1, Faults.NONE, reliable);
        pair.pass(5 * Liveness.DEAD);
        assertThat(pair.a.failures).isEmpty();
        assertThat(pair.b.failures).isEmpty();
        assertThat(pair.a.wire.sent).as("questions and answers").isBetween(DEAD_SECONDS, 11 * DEAD_SECONDS);
    }

    @Test
    void endIsReportedToPeer() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        assertThat(pair.a.write(KEY, 0)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.turn();
        pair.b.posts.fail();
        pair.pass(5_000_000);
        assertThat(pair.a.failures).containsExactly(Errno.ECONNRESET);
        assertThat(pair.b.failures).isEmpty();
        for (ModelEnd end : List.of(pair.a, pair.b)) {
            assertThat(end.wire.failed).isTrue();
            assertThat(end.flushedSlots).isEqualTo(ModelEnd.SLOTS);
        }
        assertThat(pair.a.write(KEY, 0)).isTrue();
        pair.turn();
        assertThat(pair.a.sents)
                .last()
                .as("accepted after the end")
                .isEqualTo(new ModelEnd.Sent(1, WcStatus.WR_FLUSH_ERR));
    }

    /** A message that the peer's last packet has acknowledged is not reported as lost. */
    @Test
    void endAcknowledgesArrivedPackets() {
        ModelPair pair = new ModelPair(1, Faults.NONE);
        pair.a.write(KEY, 0);
        pair.a.send(new byte[64]);
        assertThat(pair.a.posts.flush()).isZero();
        pair.network.step(1_000_000);
        for (ModelWire.Completion completion : pair.b.wire.completions) {
            pair.b.posts.arrived(completion.place(), completion.status(), completion.length());
        }
        pair.b.wire.completions.clear();
        assertThat(pair.b.arrivals).hasSize(1);
        pair.b.posts.fail();
        pair.pass(1_000_000);
        assertThat(pair.a.sents).containsExactly(new ModelEnd.Sent(1, WcStatus.SUCCESS));
    }

    /** Data never takes the last places of the send queue. */
    @Test
    void endIsSentDespiteFullSendQueue() {
        ModelNetwork network = new ModelNetwork(1, Faults.NONE);
        ModelEnd a = new ModelEnd(network, 1, ModelPair.MTU, false);
        ModelEnd b = new ModelEnd(network, 2, ModelPair.MTU, false);
        a.wire.peer = b.wire;
        b.wire.peer = a.wire;
        a.wire.sendPlaces = 8;
        a.posts.peer(b.token, ModelPair.MTU);
        b.posts.peer(a.token, ModelPair.MTU);
        a.posts.connected();
        b.posts.connected();
        b.targets.put(KEY, new byte[20 * PAYLOAD]);
        assertThat(a.write(KEY, 0, new byte[20 * PAYLOAD])).isTrue();
        assertThat(a.posts.flush()).isZero();
        assertThat(a.wire.sent).isLessThan(8);
        a.posts.fail();
        while (network.step(1_000_000)) {
            b.turn();
        }
        assertThat(b.failures).containsExactly(Errno.ECONNRESET);
    }

    /** Devices write in any order; messages and values arrive after everything before them. */
    @Test
    void messagesArriveAfterEarlierWrites() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ModelPair pair = new ModelPair(seed, Faults.DISORDER, true, true);
            byte[] target = new byte[8192];
            pair.b.targets.put(KEY, target);
            int[] told = new int[1];
            pair.b.onArrival = () -> {
                int value = pair.b.arrivals.get(pair.b.arrivals.size() - 1).value();
                for (int i = 0; i <= value; i++) {
                    assertThat(target[i]).as("write %d, at value %d", i, value).isEqualTo((byte) (i + 1));
                }
                told[0] = value;
            };
            for (int i = 0; i < 100; i++) {
                byte[] bytes = {(byte) (i + 1)};
                int at = i;
                if (pair.network.random.nextInt(4) == 0) {
                    pair.until(() -> pair.a.tell(KEY, at, at, bytes) || turned(pair));
                } else {
                    pair.until(() -> pair.a.write(KEY, at, bytes) || turned(pair));
                }
            }
            pair.until(() -> pair.a.tell(KEY, 100, 100, (byte) 101) || turned(pair));
            finish(pair, pair.a);
            assertThat(told[0]).isEqualTo(100);
            assertThat(pair.b.wire.sent)
                    .as("datagrams from the target of the writes")
                    .isPositive();
        }
    }

    @Test
    void fencedRequestWaitsForEarlierRequests() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ModelPair pair = new ModelPair(seed, Faults.NONE, true, true);
            byte[] target = new byte[8];
            pair.b.targets.put(KEY, target);
            for (int i = 1; i <= 10; i++) {
                byte value = (byte) i;
                pair.a.fence = i % 2 == 0 ? SendFlags.FENCE : 0;
                pair.until(() -> pair.a.write(KEY, 0, value));
            }
            pair.a.fence = 0;
            finish(pair, pair.a);
            assertThat(target[0]).isEqualTo((byte) 10);
        }
    }

    @Test
    void capableDeviceReadsBytes() {
        ModelPair pair = new ModelPair(3, Faults.NONE, true, false);
        pair.b.targets.put(KEY, bytes(new Random(1), 3000));
        byte[] read = pair.a.read(KEY, 1000, 2000);
        finish(pair, pair.a);
        assertThat(read).isEqualTo(Arrays.copyOfRange(pair.b.targets.get(KEY), 1000, 3000));
    }

    /** The failed request gets the device's status; those after it are flushed, and nothing is reported twice. */
    @Test
    void refusedRequestEndsConnection() {
        for (int seed = 0; seed < SEEDS; seed++) {
            ModelPair pair = new ModelPair(seed, Faults.NONE, true, true);
            pair.b.targets.put(KEY, new byte[8]);
            assertThat(pair.a.write(KEY, 0, (byte) 1)).isTrue();
            assertThat(pair.a.write(KEY + 1, 0, (byte) 1)).isTrue();
            assertThat(pair.a.write(KEY, 1, (byte) 1)).isTrue();
            assertThat(pair.a.tell(KEY, 1, 1)).isTrue();
            assertThat(pair.a.posts.flush()).isZero();
            pair.until(() -> pair.a.flushedSlots == ModelEnd.SLOTS);
            assertThat(pair.a.statuses).containsExactly(WcStatus.REM_ACCESS_ERR);
            assertThat(pair.a.sents).contains(new ModelEnd.Sent(1, WcStatus.REM_ACCESS_ERR));
            assertThat(pair.a.sents)
                    .filteredOn(sent -> sent.number() > 1)
                    .containsExactly(
                            new ModelEnd.Sent(2, WcStatus.WR_FLUSH_ERR), new ModelEnd.Sent(3, WcStatus.WR_FLUSH_ERR));
            assertThat(pair.b.arrivals).isEmpty();
        }
    }

    /** SRD has several statuses for a peer that is gone: the connection may be recovered. */
    @ParameterizedTest
    @ValueSource(
            ints = {WcStatus.RESP_TIMEOUT_ERR, WcStatus.REM_INV_RD_REQ_ERR, WcStatus.REM_ABORT_ERR, WcStatus.REM_OP_ERR
            })
    void statusOfMissingPeerIsLoss(int status) {
        ModelPair pair = new ModelPair(2, Faults.NONE, true, true);
        pair.a.wire.refusal = status;
        assertThat(pair.a.write(KEY, 0, (byte) 1)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.until(() -> pair.a.flushedSlots == ModelEnd.SLOTS);
        assertThat(pair.a.statuses).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.sents).containsExactly(new ModelEnd.Sent(0, WcStatus.WR_FLUSH_ERR));
    }

    /** A failure after the end of the connection does not show why it has ended. */
    @Test
    void requestFailingAfterEndIsFlushed() {
        ModelPair pair = new ModelPair(2, Faults.NONE, true, true);
        assertThat(pair.a.write(KEY, 0, (byte) 1)).isTrue();
        assertThat(pair.a.posts.flush()).isZero();
        pair.a.posts.fail();
        pair.until(() -> pair.a.flushedSlots == ModelEnd.SLOTS);
        assertThat(pair.a.statuses).isEmpty();
        assertThat(pair.a.sents).containsExactly(new ModelEnd.Sent(0, WcStatus.WR_FLUSH_ERR));
    }
}

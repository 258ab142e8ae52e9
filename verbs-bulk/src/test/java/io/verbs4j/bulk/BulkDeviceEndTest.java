/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Resources;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.LossPair.Side;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.bulk.model.Removal.Manner;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices that are removed at inconvenient times, and arguments that {@link BulkEndpoint#replace} refuses. */
class BulkDeviceEndTest {
    private static final int SIZE = 1 << 20;

    private static BulkConfig settings(BulkConfig config) {
        return config.withRecovery(Patience.SECONDS, TimeUnit.SECONDS).withPieceBytes(4096);
    }

    private static BulkConfig impatient(BulkConfig config) {
        return config.withRecovery(1, TimeUnit.SECONDS).withPieceBytes(4096);
    }

    private static void assertErrno(ThrowingCallable call, int errno) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static BulkWindow window(Canaries memory) {
        return memory.buffer.window(Canaries.MARGIN, memory.length, BulkWindow.READ | BulkWindow.WRITE);
    }

    /** Submits puts and gets of many pieces, most of which are not posted yet. */
    private static void submit(LossPair pair, Canaries out, Canaries in, BulkWindow window) {
        BulkRing ring = pair.a.ring;
        ring.put(ring.next(), pair.a.peer, out.buffer, Canaries.MARGIN, window.id(), 0, SIZE, 1);
        ring.get(ring.next(), pair.a.peer, in.buffer, Canaries.MARGIN, window.id(), 0, SIZE, 2);
        ring.send(ring.next(), pair.a.peer, 0, out.buffer, Canaries.MARGIN, SIZE, 3);
        ring.receive(ring.next(), pair.a.peer, 0, in.buffer, Canaries.MARGIN, 8, 4);
        ring.submit();
    }

    /** Without a replacement, all entries end in time, and a device that continues touches no byte afterwards. */
    @ParameterizedTest
    @MethodSource("io.verbs4j.bulk.Strategy#chosen")
    @Full
    void lossOfOnlyDeviceEndsAllEntries(Strategy strategy) {
        for (Manner manner : Manner.values()) {
            try (LossPair pair = new LossPair(strategy, 1, true, BulkDeviceEndTest::impatient)) {
                Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
                Canaries in = new Canaries(pair.a.endpoint, SIZE).fill(2);
                Canaries there = new Canaries(pair.b.endpoint, SIZE).fill(3);
                submit(pair, out, in, window(there));
                for (int n = 0; n < 3; n++) {
                    pair.turn();
                }
                int early = pair.a.done.size();
                Context lost = pair.a.remove(0, manner);
                if (manner == Manner.SILENT) {
                    pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, out.buffer, 0, 8, 5);
                    pair.a.ring.submit();
                }
                int count = manner == Manner.SILENT ? 5 : 4;
                for (int n = 0; n < count; n++) {
                    Completions.Completion one = pair.next(pair.a);
                    if (n >= early) {
                        assertThat(one.result()).as("%s %s", manner, one).isEqualTo(-Errno.ENODEV);
                    }
                }
                in.fill(4);
                byte[] mine = in.part();
                byte[] theirs = there.fill(5).part();
                pair.until(() -> !pair.a.peer.isOpen() && !pair.b.peer.isOpen());
                assertThat(pair.a.told).containsExactly(lost);
                assertThat(ModelProvider.removal(lost).queuePairs()).isZero();
                for (int n = 0; n < 300; n++) {
                    pair.turn();
                }
                assertThat(in.part()).isEqualTo(mine);
                assertThat(there.part()).isEqualTo(theirs);
                assertThat(pair.a.done.isEmpty()).isTrue();
                assertErrno(
                        () -> pair.a.endpoint.connect(pair.b.endpoint.address(), 1, TimeUnit.SECONDS), Errno.ENODEV);
            }
        }
    }

    private static void send(LossPair pair, BulkBuffer out, BulkBuffer in, long userData) {
        pair.b.ring.receive(pair.b.ring.next(), pair.b.peer, 0, in, 0, 8, userData);
        pair.b.ring.submit();
        pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, out, 0, 8, userData);
        pair.a.ring.submit();
        for (Side side : List.of(pair.a, pair.b)) {
            Completions.Completion one = pair.next(side);
            assertThat(one.result()).as("%s", one).isEqualTo(8);
            assertThat(one.userData()).isEqualTo(userData);
        }
    }

    /**
     * A lost device accepts messages until its queue pair is closed and all arrivals are handled. The peer was told
     * that they have arrived and does not send them again.
     */
    @ParameterizedTest
    @EnumSource(names = {"EVERYTHING", "WITHOUT_READ", "WITHOUT_IMMEDIATE"})
    void messagesArrivingWhileLostDeviceClosesCount(Strategy strategy) {
        try (LossPair pair = new LossPair(strategy, 1, true, BulkDeviceEndTest::settings)) {
            BulkBuffer out = pair.a.endpoint.allocate(8);
            BulkBuffer in = pair.b.endpoint.allocate(8);
            send(pair, out, in, 1);
            Context lost = pair.b.contexts.get(0);
            ModelProvider.removal(lost).beforeDestroying(() -> {
                Breaker.post(pair.a.peer.link());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // until it is acknowledged
            });
            assertThat(pair.b.remove(0, Manner.EVENT)).isSameAs(lost);
            pair.until(() -> pair.b.told.contains(lost));
            pair.b.replace(lost, pair.another(pair.b, 1));
            send(pair, out, in, 2);
            pair.until(() -> pair.a.peer.reconnections() == 1 && pair.b.peer.reconnections() == 1);
        }
    }

    /** Nothing waits if the two sides did not agree to recover. */
    @Test
    void connectionWithoutRecoveryEndsAtOnce() {
        try (LossPair pair =
                new LossPair(Strategy.EVERYTHING, 2, true, config -> config.withRecovery(0, TimeUnit.SECONDS))) {
            BulkBuffer buffer = pair.a.endpoint.allocate(8);
            pair.a.ring.receive(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 1);
            pair.a.ring.submit();
            pair.turn();
            pair.a.remove(0, Manner.EVENT);
            assertThat(pair.next(pair.a).result()).isEqualTo(-Errno.ENODEV);
            BulkPeer again = pair.a.endpoint.connect(pair.b.endpoint.address(), Patience.SECONDS, TimeUnit.SECONDS);
            pair.until(() -> Breaker.isUp(again.link()));
            assertThat(pair.a.device(again)).isEqualTo(1);
        }
    }

    /** The same without recovery: the device is stopped before the entries end. */
    @Test
    @Full
    void noByteIsTouchedAfterConnectionEnds() {
        for (int round = 0; round < 5; round++) {
            try (LossPair pair =
                    new LossPair(Strategy.EVERYTHING, 1, true, config -> config.withRecovery(0, TimeUnit.SECONDS))) {
                Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
                Canaries in = new Canaries(pair.a.endpoint, SIZE);
                Canaries there = new Canaries(pair.b.endpoint, SIZE).fill(3);
                submit(pair, out, in, window(there));
                pair.turn();
                pair.a.done.take();
                Context lost = pair.a.remove(0, Manner.EVENT);
                while (pair.a.done.size() < 4) {
                    pair.a.done.take();
                    if (!pair.a.told.isEmpty() && !pair.a.done.isEmpty()) {
                        assertThat(ModelProvider.removal(lost).queuePairs()).isZero();
                    }
                }
                in.fill(4);
                byte[] mine = in.part();
                for (int n = 0; n < 50; n++) {
                    pair.turn();
                }
                assertThat(in.part()).isEqualTo(mine);
            }
        }
    }

    /** A peer of an older release would continue with the keys of the lost device. */
    @Test
    void connectionToOldPeerEndsAtOnce() {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 2, true, BulkDeviceEndTest::settings)) {
            Breaker.makeOld(pair.a.peer.link());
            BulkBuffer buffer = pair.a.endpoint.allocate(8);
            pair.a.ring.receive(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 1);
            pair.a.ring.submit();
            pair.turn();
            pair.a.remove(0, Manner.EVENT);
            assertThat(pair.next(pair.a).result()).isEqualTo(-Errno.ENODEV);
        }
    }

    /** Bytes that the peer writes to their own region, and announced messages, continue on the next device. */
    @ParameterizedTest
    @MethodSource("io.verbs4j.bulk.Strategy#chosen")
    @Full
    void longTransfersContinueOnNextDevice(Strategy strategy) {
        for (int side = 0; side < 4; side++) {
            try (LossPair pair = new LossPair(strategy, 2, true, BulkDeviceEndTest::settings)) {
                Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
                Canaries in = new Canaries(pair.a.endpoint, SIZE);
                Canaries taken = new Canaries(pair.b.endpoint, SIZE);
                Canaries there = new Canaries(pair.b.endpoint, SIZE).fill(3);
                BulkWindow window = window(there);
                BulkRing ring = pair.a.ring;
                ring.get(ring.next(), pair.a.peer, in.buffer, Canaries.MARGIN, window.id(), 0, SIZE, 1);
                ring.send(ring.next(), pair.a.peer, 0, out.buffer, Canaries.MARGIN, SIZE, 2);
                ring.submit();
                for (int n = 0; n < 6; n++) {
                    pair.turn();
                }
                Side first = side % 2 == 0 ? pair.a : pair.b;
                Side second = side < 2 ? first : first == pair.a ? pair.b : pair.a;
                first.remove(first.device(), Manner.EVENT);
                pair.until(() -> first.told.size() == 1);
                pair.b.ring.receive(pair.b.ring.next(), pair.b.peer, 0, taken.buffer, Canaries.MARGIN, SIZE, 3);
                pair.b.ring.submit();
                pair.until(() -> pair.a.peer.reconnections() > 0);
                second.remove(second.device(), Manner.EVENT);
                pair.until(() -> second.told.size() + first.told.size() == (second == first ? 4 : 2));
                if (second == first) {
                    second.replace(second.removed.get(0), pair.another(second, 0));
                }
                for (int n = 0; n < 2; n++) {
                    assertThat(pair.next(pair.a).result()).isEqualTo(SIZE);
                }
                assertThat(pair.next(pair.b).result()).isEqualTo(SIZE);
                assertThat(in.part()).isEqualTo(there.part());
                assertThat(taken.part()).isEqualTo(out.part());
                in.assertMargins();
                taken.assertMargins();
            }
        }
    }

    /** A window is used again and revoked after each side has moved to another device. */
    @ParameterizedTest
    @MethodSource("io.verbs4j.bulk.Strategy#chosen")
    @Full
    void windowsMoveToNextDevice(Strategy strategy) throws Exception {
        try (LossPair pair = new LossPair(strategy, 2, true, BulkDeviceEndTest::settings)) {
            Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
            Canaries there = new Canaries(pair.b.endpoint, SIZE);
            BulkWindow window = window(there);
            for (int n = 0; n < 4; n++) {
                out.fill(n);
                pair.a.ring.put(pair.a.ring.next(), pair.a.peer, out.buffer, Canaries.MARGIN, window.id(), 0, SIZE, n);
                pair.a.ring.submit();
                assertThat(pair.next(pair.a).result()).isEqualTo(SIZE);
                assertThat(there.part()).isEqualTo(out.part());
                Side side = n % 2 == 0 ? pair.b : pair.a;
                int recovered = pair.a.peer.reconnections();
                int told = side.told.size();
                Context lost = side.remove(side.device(), Manner.EVENT);
                pair.until(() -> side.told.size() > told);
                side.replace(lost, pair.another(side, n / 2));
                pair.until(() -> pair.a.peer.reconnections() > recovered && pair.b.peer.reconnections() > recovered);
            }
            there.assertMargins();
            var revoked = window.revoke();
            pair.until(revoked::isDone);
            assertThat(revoked.isCompletedExceptionally()).isFalse();
            pair.a.ring.put(pair.a.ring.next(), pair.a.peer, out.buffer, Canaries.MARGIN, window.id(), 0, SIZE, 9);
            pair.a.ring.submit();
            assertThat(pair.next(pair.a).result()).isEqualTo(-Errno.ESTALE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionRecoversFromLossDuringRecovery(boolean dialling) {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 2, true, BulkDeviceEndTest::settings)) {
            Side side = dialling ? pair.a : pair.b;
            BulkBuffer buffer = pair.a.endpoint.allocate(8);
            pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 1);
            pair.a.ring.submit();
            assertThat(pair.next(pair.a).result()).isEqualTo(8);
            Breaker.breakQueuePair(pair.a.peer.link());
            pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 2);
            pair.a.ring.submit();
            pair.until(() -> side.peer.isRecovering());
            side.remove(side.device(), Manner.EVENT);
            assertThat(pair.next(pair.a).result()).isEqualTo(8);
            pair.until(() -> side.device() == 1);
        }
    }

    /** A device delivers each event once, and all endpoints that use the device must receive it. */
    @Test
    void deviceLossIsReportedToAllItsEndpoints() {
        List<BulkEndpoint> told = new CopyOnWriteArrayList<>();
        List<BulkRing> rings = new ArrayList<>();
        try (Context context = ModelProvider.open(0, Model.ALL);
                Resources endpoints = new Resources()) {
            for (int n = 0; n < 3; n++) {
                BulkEndpoint[] self = new BulkEndpoint[1];
                BulkListener listener = new BulkListener() {
                    @Override
                    public void deviceLost(Context lost) {
                        assertThat(lost).isSameAs(context);
                        told.add(self[0]);
                    }
                };
                self[0] = endpoints.add(BulkEndpoint.open(BulkConfig.of(context).withListener(listener)));
                rings.add(self[0].ring(2));
            }
            ModelProvider.removal(context).remove(Manner.EVENT);
            long start = System.nanoTime();
            while (told.size() < 3) {
                assertThat(System.nanoTime() - start).isLessThan(Patience.NANOS);
                rings.forEach(BulkRing::peek); // calls no verb
            }
            assertThat(told).doesNotHaveDuplicates();
        }
    }

    /** The devices are lost one after the other until none is left; then one returns. */
    @Test
    void connectionResumesAfterLossOfAllDevices() {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 3, true, BulkDeviceEndTest::settings)) {
            BulkBuffer buffer = pair.a.endpoint.allocate(8);
            pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 0);
            pair.a.ring.submit();
            assertThat(pair.next(pair.a).result()).isEqualTo(8);
            List<Context> lost = new ArrayList<>();
            for (int n = 0; n < 3; n++) {
                lost.add(pair.a.remove(n, Manner.EVENT));
            }
            pair.until(() -> pair.a.told.size() == 3);
            pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 1);
            pair.a.ring.submit();
            BulkBuffer later = pair.a.endpoint.allocate(8);
            pair.a.ring.send(pair.a.ring.next(), pair.a.peer, 0, later, 0, 8, 2);
            pair.a.ring.submit();
            for (int n = 0; n < 100; n++) {
                pair.turn();
            }
            assertThat(pair.a.done.isEmpty()).isTrue();
            pair.a.replace(lost.get(1), pair.another(pair.a, 0));
            assertThat(pair.next(pair.a).result()).isEqualTo(8);
            assertThat(pair.next(pair.a).result()).isEqualTo(8);
            assertThat(pair.a.device()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closingAfterLossSucceeds(boolean endpoint) {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 1, true, BulkDeviceEndTest::settings)) {
            BulkBuffer buffer = pair.a.endpoint.allocate(8);
            pair.a.ring.receive(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 1);
            pair.a.ring.submit();
            pair.turn();
            pair.a.remove(0, Manner.EVENT);
            if (endpoint) {
                pair.a.endpoint.close();
                assertThat(pair.next(pair.a).result()).isIn(-(long) BulkResult.ESHUTDOWN, -(long) Errno.ENODEV);
            } else {
                pair.until(pair.a.peer::isRecovering);
                pair.a.peer.close();
                assertThat(pair.next(pair.a).result()).isEqualTo(-Errno.ECONNABORTED);
            }
        }
    }

    /** The device is lost while the peer is being told that this side leaves. */
    @Test
    void lossDuringCloseEndsPeer() {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 1, true, BulkDeviceEndTest::settings)) {
            BulkBuffer buffer = pair.a.endpoint.allocate(8);
            pair.a.ring.receive(pair.a.ring.next(), pair.a.peer, 0, buffer, 0, 8, 1);
            pair.a.ring.submit();
            pair.turn();
            pair.a.peer.close();
            pair.a.remove(0, Manner.EVENT);
            assertThat(pair.next(pair.a).result()).isEqualTo(-Errno.ECONNABORTED);
            pair.until(() -> !pair.a.peer.isOpen());
        }
    }

    /** If a device is lost while it connects, the next one connects. */
    @Test
    void connectContinuesOnNextDeviceAfterLoss() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Context one = ModelProvider.open(0, Model.ALL);
                Context other = ModelProvider.open(1, Model.ALL);
                Context third = ModelProvider.open(1, Model.ALL);
                BulkEndpoint client =
                        BulkEndpoint.open(BulkConfig.of(one, other).withConnections(BulkConnections.TCP));
                BulkEndpoint server = BulkEndpoint.open(BulkConfig.of(third)
                        .withConnections(BulkConnections.TCP)
                        .withProgress(BulkProgress.SERVICE)
                        .withAddress(any))) {
            ModelProvider.removal(one).remove(Manner.SILENT);
            BulkPeer peer = client.connect(server.address(), Patience.SECONDS, TimeUnit.SECONDS);
            assertThat(peer.isOpen()).isTrue();
            assertThat(peer.link().home().pd().context()).isSameAs(other);
        }
    }

    @Test
    void replaceRefusesUnsuitableDevices() {
        try (Resources resources = new Resources()) {
            Context one = resources.add(ModelProvider.open(0, Model.ALL));
            Context other = resources.add(ModelProvider.open(1, Model.ALL));
            Context unfit = resources.add(ModelProvider.open(1, Model.WITHOUT_WRITE));
            Context next = resources.add(ModelProvider.open(1, Model.ALL));
            BulkEndpoint endpoint =
                    resources.add(BulkEndpoint.open(BulkConfig.of(one).withProgress(BulkProgress.SERVICE)));
            assertErrno(() -> endpoint.replace(other, next), Errno.EINVAL);
            assertErrno(() -> endpoint.replace(one, next), Errno.EINVAL);
            BulkBuffer buffer = endpoint.allocate(4096);
            BulkWindow window = buffer.window(0, 4096, BulkWindow.READ);
            ModelProvider.removal(one).remove(Manner.EVENT);
            long start = System.nanoTime();
            while (true) {
                try {
                    endpoint.replace(one, unfit);
                } catch (VerbsException e) {
                    if (e.errno() == Errno.EOPNOTSUPP) {
                        break;
                    }
                    assertThat(e.errno()).isEqualTo(Errno.EINVAL);
                    assertThat(System.nanoTime() - start).isLessThan(Patience.NANOS);
                }
            }
            assertErrno(() -> endpoint.replace(one, one), Errno.EINVAL);
            endpoint.replace(one, next);
            assertErrno(() -> endpoint.replace(one, other), Errno.EINVAL);
            window.close();
            endpoint.close();
            assertErrno(() -> endpoint.replace(next, other), BulkResult.ESHUTDOWN);
        }
    }

    /** Devices that came and went leave nothing behind. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Full
    void lostDevicesLeaveNoMemoryThreadsOrDescriptors(boolean tcp) throws Exception {
        goAndCome(tcp, 2);
        Footprint before = Footprint.now();
        goAndCome(tcp, 20);
        before.assertReturns(4 << 20, 1 << 20);
    }

    private static void goAndCome(boolean tcp, int times) {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 1, tcp, BulkDeviceEndTest::settings)) {
            Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
            Canaries there = new Canaries(pair.b.endpoint, SIZE);
            BulkWindow window = window(there);
            for (int n = 0; n < times; n++) {
                Side side = n % 2 == 0 ? pair.a : pair.b;
                pair.a.ring.put(pair.a.ring.next(), pair.a.peer, out.buffer, Canaries.MARGIN, window.id(), 0, SIZE, n);
                pair.a.ring.submit();
                pair.turn();
                Context lost = side.remove(0, Manner.EVENT);
                pair.until(() -> side.told.contains(lost));
                side.replace(lost, pair.another(side, side == pair.a ? 0 : 1));
                assertThat(pair.next(pair.a).result()).isEqualTo(SIZE);
                pair.until(() -> Breaker.isUp(pair.a.peer.link()) && Breaker.isUp(pair.b.peer.link()));
                lost.close();
            }
        }
    }
}

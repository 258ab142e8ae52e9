/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.Resources;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.bulk.model.Removal.Manner;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Full;
import io.verbs4j.testsupport.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The peer's device is lost while bytes for it wait to be posted again. */
class BulkMoveTest {
    private static final int SIZE = 4096;

    private static BulkConfig settings(BulkConfig config) {
        return config.withRecovery(Patience.SECONDS, TimeUnit.SECONDS).withPieceBytes(4096);
    }

    /** Loses the peer's device while all of a PUT is posted and not acknowledged. */
    private static void putAndLose(LossPair pair, Canaries out, BulkWindow window) {
        BulkRing ring = pair.a.ring;
        ring.put(ring.next(), pair.a.peer, out.buffer, Canaries.MARGIN, window.id(), 0, SIZE, 1);
        ring.submit();
        assertThat(pair.next(pair.a).result()).isEqualTo(SIZE);
        out.fill(2);
        Breaker.breakQueuePair(pair.b.peer.link());
        ring.put(ring.next(), pair.a.peer, out.buffer, Canaries.MARGIN, window.id(), 0, SIZE, 2);
        ring.submit();
        pair.b.remove(pair.b.device(), Manner.EVENT);
        pair.until(() -> pair.a.peer.isRecovering() && pair.b.peer.isRecovering());
    }

    private static BulkWindow window(Canaries memory) {
        return memory.buffer.window(Canaries.MARGIN, memory.length, BulkWindow.WRITE);
    }

    private static void replace(LossPair pair) {
        pair.b.replace(pair.b.removed.get(0), pair.another(pair.b, 1));
    }

    /** A transfer in flight when the owner revokes the window may use it to its end. */
    @Test
    void transferFinishesThoughWindowIsRevokedDuringLoss() {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 1, true, BulkMoveTest::settings)) {
            Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
            Canaries there = new Canaries(pair.b.endpoint, SIZE);
            BulkWindow window = window(there);
            putAndLose(pair, out, window);
            CompletableFuture<Void> revoked = window.revoke();
            replace(pair);
            Completions.Completion put = pair.next(pair.a);
            assertThat(put.result()).isEqualTo(SIZE);
            assertThat(put.has(BulkResult.REPLAYED)).isTrue();
            pair.until(revoked::isDone);
            assertThat(there.part()).isEqualTo(out.part());
            there.assertMargins();
        }
    }

    /** The connection is lost again before the peer has sent the address of its memory. */
    @Test
    void transferFinishesAfterRepeatedLossBeforeAnswer() {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 1, true, BulkMoveTest::settings)) {
            Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
            Canaries there = new Canaries(pair.b.endpoint, SIZE);
            BulkWindow window = window(there);
            putAndLose(pair, out, window);
            replace(pair);
            for (int n = 0; n < 3; n++) {
                pair.until(() -> Breaker.isUp(pair.a.peer.link()));
                Breaker.breakQueuePair(pair.a.peer.link());
                pair.until(() -> pair.a.peer.isRecovering() || !pair.a.done.isEmpty());
            }
            assertThat(pair.next(pair.a).result()).isEqualTo(SIZE);
            assertThat(there.part()).isEqualTo(out.part());
            there.assertMargins();
        }
    }

    /** The window is gone when the peer returns: nothing is written to its old address. */
    @Test
    void nothingIsWrittenToForgottenWindow() {
        try (LossPair pair = new LossPair(Strategy.EVERYTHING, 1, true, BulkMoveTest::settings)) {
            Canaries out = new Canaries(pair.a.endpoint, SIZE).fill(1);
            Canaries there = new Canaries(pair.b.endpoint, SIZE);
            BulkWindow window = window(there);
            putAndLose(pair, out, window);
            byte[] before = there.part();
            Breaker.forgetWindows(pair.b.peer.link());
            CompletableFuture<Void> revoked = window.revoke();
            pair.until(revoked::isDone);
            replace(pair);
            assertThat(pair.next(pair.a).result()).isEqualTo(-Errno.ESTALE);
            assertThat(there.part()).isEqualTo(before);
        }
    }

    /** A thread that sees a completion may change the memory immediately. */
    @Test
    @Full
    void queuePairClosesBeforeEntriesEnd() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        for (int round = 0; round < 10; round++) {
            try (Context here = ModelProvider.open(0, Model.ALL);
                    Context there = ModelProvider.open(1, Model.ALL);
                    Resources endpoints = new Resources()) {
                BulkEndpoint server = endpoints.add(BulkEndpoint.open(BulkConfig.of(there)
                        .withConnections(BulkConnections.TCP)
                        .withProgress(BulkProgress.SERVICE)
                        .withAddress(any)));
                BulkEndpoint client = endpoints.add(BulkEndpoint.open(BulkConfig.of(here)
                        .withConnections(BulkConnections.TCP)
                        .withRecovery(0, TimeUnit.SECONDS)
                        .withProgress(BulkProgress.SERVICE)));
                BulkPeer peer = client.connect(server.address(), Patience.SECONDS, TimeUnit.SECONDS);
                BulkRing ring = client.ring(128);
                BulkBuffer buffer = client.allocate(64);
                for (int n = 0; n < 64; n++) {
                    ring.receive(ring.next(), peer, n, buffer, n, 1, n);
                }
                ring.nop(ring.next(), 64);
                ring.submit();
                assertThat(ring.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
                ring.advance(1); // all have started
                ModelProvider.removal(here).remove(Manner.EVENT);
                while (ring.peek() < 0) {
                    Thread.onSpinWait();
                }
                assertThat(ModelProvider.removal(here).queuePairs())
                        .as("%d", ring.result(ring.peek()))
                        .isZero();
            }
        }
    }
}

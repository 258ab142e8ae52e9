/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.provider.rxe.share.Channel;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** One thread waits for packets while another receives them, together with the datagram meant to wake the first. */
@Tag("onecopy")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class TakenWakeUpTest {
    /** Occasionally the waiting thread is faster, and nothing is taken from it. */
    private static final int ROUNDS = 200;

    private static final long FOR_EVER = TimeUnit.HOURS.toNanos(1);
    private static final int PAYLOAD = 64;

    private final Link sender = open();
    private final Link receiver = open();
    private final TxBatch batch = sender.newBatch();
    private int sent;
    private int taken;

    private static Link open() {
        return Traffic.open(LinkOptions.defaults().withKind(LinkOptions.Kind.UDP));
    }

    @Test
    void waitingThreadIsWokenByNextPacket() throws Exception {
        try (sender;
                receiver) {
            connect();
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch begins = new CountDownLatch(1);
                CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> {
                    begins.countDown();
                    receiver.await(FOR_EVER);
                });
                begins.await();
                Patience.pause(ROUNDS); // it is probably waiting by now
                send();
                take();
                send();
                waits.get(Patience.SECONDS, TimeUnit.SECONDS);
                take();
            }
            assertThat(sender.counters().snapshot().get("tx_onecopy_wakeups")).isGreaterThan(ROUNDS / 2);
        }
    }

    private void connect() throws InterruptedException {
        Channel channel = sender.reach(receiver.localGid());
        until(() -> {
            sender.maintain();
            receiver.maintain();
            receiver.poll(packet -> taken++, PAYLOAD);
            return channel.ring() != null;
        });
    }

    private void send() {
        Traffic.send(batch, receiver.localGid(), sent++, PAYLOAD);
        batch.flush();
    }

    /** Receives packets and datagrams until all packets are there, and a few times more. */
    private void take() throws InterruptedException {
        until(() -> {
            receiver.poll(packet -> taken++, PAYLOAD);
            return taken == sent;
        });
        for (int i = 0; i < 2 * PAYLOAD; i++) {
            receiver.poll(packet -> taken++, PAYLOAD);
        }
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; !condition.getAsBoolean(); turn++) {
            assertThat(System.nanoTime()).isLessThan(end);
            Patience.pause(turn);
        }
    }
}

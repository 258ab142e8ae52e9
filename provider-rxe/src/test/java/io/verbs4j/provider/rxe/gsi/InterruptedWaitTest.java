/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.CmRequest;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.testsupport.OwnThreads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An interrupt ends the waits of verbs-cm like those for completions: with EINTR, and the thread stays interrupted. */
class InterruptedWaitTest {
    private static final long PATIENCE = 60;

    private final Party party = new Party(Verbs.open(
            Verbs.devices().stream()
                    .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                    .findFirst()
                    .orElseThrow(),
            VerbsLevel.CURRENT));
    private final CmListener listener =
            CmListener.listen(party.context, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);

    @AfterEach
    void end() {
        listener.close();
        party.close();
        assertThat(DevicePorts.of(party.context.device()).queuePairCount()).isZero();
    }

    private CmConnection connect() {
        return CmConnection.connect(party.pd, listener.address(), party.attr(), PATIENCE, TimeUnit.SECONDS);
    }

    private static void interrupted(ThrowingCallable wait) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(wait)
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(Errno.name(e.errno())).as("%s", e).isEqualTo("EINTR"));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void interruptEndsRunningWait() throws Exception {
        CompletableFuture<Integer> errno = new CompletableFuture<>();
        CompletableFuture<Boolean> kept = new CompletableFuture<>();
        try (EventChannel channel = EventChannel.create()) {
            Thread waits = new Thread(() -> {
                try {
                    channel.getEvent();
                } catch (VerbsException e) {
                    errno.complete(e.errno());
                }
                kept.complete(Thread.currentThread().isInterrupted());
            });
            waits.start();
            while (waits.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
            waits.interrupt();
            assertThat(errno.get(PATIENCE, TimeUnit.SECONDS)).isEqualTo(Errno.EINTR);
            assertThat(kept.get(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void interruptedThreadDoesNotWaitForPeers() throws Exception {
        interrupted(() -> listener.take(PATIENCE, TimeUnit.SECONDS));
        interrupted(() -> listener.accept(party.pd, party.attr(), PATIENCE, TimeUnit.SECONDS));
        interrupted(this::connect);
        CompletableFuture<CmConnection> coming = OwnThreads.supply(this::connect);
        CmRequest request = listener.take(PATIENCE, TimeUnit.SECONDS);
        interrupted(() -> request.accept(party.pd, party.attr()));
        CompletableFuture<Void> closed = coming.handle((connection, failure) -> connection)
                .thenAccept(connection -> {
                    if (connection != null) { // it was established before the server gave up
                        connection.close();
                    }
                });
        closed.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    void interruptedThreadDoesNotAwaitEnd() throws Exception {
        CompletableFuture<CmConnection> coming = OwnThreads.supply(this::connect);
        try (CmConnection there = listener.accept(party.pd, party.attr(), PATIENCE, TimeUnit.SECONDS);
                CmConnection here = coming.get(PATIENCE, TimeUnit.SECONDS)) {
            interrupted(() -> here.awaitDisconnected(PATIENCE, TimeUnit.SECONDS));
            there.id().disconnect();
            assertThat(here.awaitDisconnected(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void interruptedThreadMayPoll() {
        try (EventChannel channel = EventChannel.create()) {
            Thread.currentThread().interrupt();
            assertThat(channel.getEvent(0, TimeUnit.SECONDS)).isNull();
            assertThat(listener.take(0, TimeUnit.SECONDS)).isNull();
            assertThat(listener.accept(party.pd, party.attr(), 0, TimeUnit.SECONDS))
                    .isNull();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.DeviceKind;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.CmOptions;
import io.verbs4j.cm.CmRejectedException;
import io.verbs4j.cm.CmRejection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.core.Verbs;
import java.net.InetSocketAddress;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connecting with a future, and the contents of a rejection. */
class AsyncConnectTest {
    private static final long PATIENCE = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Party party;
    private EventChannel channel;
    private CmId silent; // takes requests, which nobody answers
    private InetSocketAddress address;

    @BeforeEach
    void begin() {
        party = new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT));
        channel = EventChannel.create();
        silent = channel.createId(party.context, PortSpace.TCP);
        silent.bind(new InetSocketAddress(0));
        silent.listen(4);
        address = new InetSocketAddress(
                party.context.queryGid(1, 0).toInetAddress(),
                silent.localAddress().getPort());
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        channel.close();
        party.close(); // the completion queue has no queue pairs left
    }

    private CompletableFuture<CmConnection> connecting(
            CmOptions options, Consumer<QueuePair> prepare, Executor executor) {
        return CmConnection.connectAsync(
                party.pd,
                address,
                party.attr(),
                ConnParam.DEFAULT,
                options,
                prepare,
                PATIENCE,
                TimeUnit.SECONDS,
                executor);
    }

    private CmEvent request() {
        CmEvent event = channel.getEvent(PATIENCE, TimeUnit.SECONDS);
        assertThat(CmEventType.toString(event.type())).isEqualTo("CONNECT_REQUEST");
        return event;
    }

    @Test
    void cancellingEndsAttemptAndFreesQueuePair() throws Exception {
        CompletableFuture<CmConnection> attempt = connecting(CmOptions.DEFAULT, qp -> {}, threads);
        CmId asked = request().id();
        assertThat(attempt.cancel(true)).isTrue();
        party.cq.close(); // fails with EBUSY if anything is left of the attempt
        assertThatThrownBy(attempt::join).isInstanceOf(CancellationException.class);
        threads.shutdown();
        assertThat(threads.awaitTermination(PATIENCE / 2, TimeUnit.SECONDS))
                .as("thread ends before the attempt times out")
                .isTrue();
        asked.close();
    }

    @Test
    void cancellingDuringCreationFreesQueuePair() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<QueuePair> made = new CompletableFuture<>();
        CompletableFuture<CmConnection> attempt = connecting(
                CmOptions.DEFAULT,
                qp -> {
                    made.complete(qp);
                    try {
                        cancelled.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                threads);
        made.get(PATIENCE, TimeUnit.SECONDS);
        attempt.cancel(false);
        cancelled.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(PATIENCE / 2, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void cancellingBeforeStartLeavesNothing() {
        Runnable[] work = new Runnable[1];
        CompletableFuture<CmConnection> attempt = connecting(CmOptions.DEFAULT, qp -> {}, task -> work[0] = task);
        attempt.cancel(false);
        work[0].run();
        assertThat(attempt).isCancelled();
    }

    @Test
    void shutExecutorFailsFuture() {
        ExecutorService shut = Executors.newCachedThreadPool();
        shut.shutdown();
        assertThatThrownBy(() -> connecting(CmOptions.DEFAULT, qp -> {}, shut).get(PATIENCE, TimeUnit.SECONDS))
                .hasCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void optionsReachQueuePair() throws Exception {
        CompletableFuture<CmConnection> coming = connecting(CmOptions.DEFAULT.withAckTimeout(13), qp -> {}, threads);
        CmId there = request().id();
        there.createQp(party.pd, party.attr());
        there.accept(ConnParam.DEFAULT);
        try (CmConnection here = coming.get(PATIENCE, TimeUnit.SECONDS)) {
            assertThat(here.queuePair().query(QpAttrMask.TIMEOUT).timeout()).isEqualTo(13);
        }
    }

    @Test
    void rejectionCarriesReasonAndPrivateData() throws Exception {
        CompletableFuture<CmConnection> coming = connecting(CmOptions.DEFAULT, qp -> {}, threads);
        request().id().reject((byte) 7, (byte) 8);
        assertThatThrownBy(() -> coming.get(PATIENCE, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(CmRejectedException.class, e -> {
                    CmRejection rejection = e.rejection;
                    assertThat(rejection.reason()).isEqualTo(RejectReason.CONSUMER_DEFINED);
                    assertThat(rejection.privateData()).hasSize(148).startsWith(7, 8);
                });
        silent.close();
        assertThatThrownBy(
                        () -> connecting(CmOptions.DEFAULT, qp -> {}, threads).get(PATIENCE, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        CmRejectedException.class,
                        e -> assertThat(e.rejection.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID));
    }
}

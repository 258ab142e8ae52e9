/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.PollCqAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When a full send queue accepts requests again: once the completion of a request, or of a later one, has been polled.
 * Not when the request completes, so a program that polls too late fails here as on other devices.
 */
class SendQueuePlacesTest {
    private static final long PATIENCE = Patience.NANOS;

    /** The size that {@link ObservedEnd} requests. */
    private static final int PLACES = 64;

    private final WorkCompletion[] wc = new WorkCompletion[PLACES];

    SendQueuePlacesTest() {
        for (int i = 0; i < PLACES; i++) {
            wc[i] = new WorkCompletion();
        }
    }

    private static SendWorkRequest write(ObservedEnd a, ObservedEnd b, long wrId, boolean signaled) {
        return a.request(WrOpcode.RDMA_WRITE, wrId, 8, b).sendFlags(signaled ? SendFlags.SIGNALED : 0);
    }

    private static void connect(EveryWay way, TestContext device, ObservedEnd a, ObservedEnd b) {
        a.toRtr(b);
        b.toRtr(a);
        a.toRts();
        b.toRts();
        way.await(device);
    }

    /** Polls a number of completions, whose requests are in order. */
    private void poll(ObservedEnd a, int count, long first, long step) {
        long end = System.nanoTime() + PATIENCE;
        for (int polled = 0; polled < count; ) {
            int n = a.cq.poll(count - polled, wc);
            assertThat(n).isNotNegative();
            for (int i = 0; i < n; i++, polled++) {
                assertThat(wc[i].status()).isEqualTo(WcStatus.SUCCESS);
                assertThat(wc[i].wrId()).isEqualTo(first + polled * step);
            }
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pollingFreesPlaces(EveryWay way) {
        try (TestContext device = way.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            connect(way, device, a, b);
            for (int i = 0; i < PLACES; i++) {
                assertThat(a.qp.postSend(write(a, b, i, true))).isZero();
            }
            assertThat(a.qp.postSend(write(a, b, -1, true))).isEqualTo(Errno.ENOMEM);
            poll(a, 3, 0, 1);
            // Of a list, as many requests fit as were polled.
            SendWorkRequest fourth = write(a, b, PLACES + 3, true);
            SendWorkRequest list = write(a, b, PLACES, true)
                    .next(write(a, b, PLACES + 1, true)
                            .next(write(a, b, PLACES + 2, true).next(fourth)));
            SendWorkRequest[] bad = new SendWorkRequest[1];
            assertThat(a.qp.postSend(list, bad)).isEqualTo(Errno.ENOMEM);
            assertThat(bad[0]).isSameAs(fourth);
            poll(a, PLACES, 3, 1);
            assertThat(a.qp.postSend(write(a, b, 1000, true))).isZero();
            poll(a, 1, 1000, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pollingOnlyWhenFullOverrunsNothing(EveryWay way) {
        try (TestContext device = way.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            connect(way, device, a, b);
            int polled = 0;
            for (int i = 0; i < 1000; i++) { // more than the completion queue holds
                int errno;
                while ((errno = a.qp.postSend(write(a, b, i, true))) == Errno.ENOMEM) {
                    poll(a, 1, polled++, 1);
                }
                assertThat(errno).isZero();
            }
            poll(a, 1000 - polled, polled, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void signaledRequestFreesEarlierPlaces(EveryWay way) {
        try (TestContext device = way.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            connect(way, device, a, b);
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < PLACES; i++) {
                    assertThat(a.qp.postSend(write(a, b, i, i == PLACES / 2))).isZero();
                }
                assertThat(a.qp.postSend(write(a, b, -1, true))).isEqualTo(Errno.ENOMEM);
                poll(a, 1, PLACES / 2, 1);
                for (int i = 0; i <= PLACES / 2; i++) {
                    assertThat(a.qp.postSend(write(a, b, i, i == PLACES / 2))).isZero();
                }
                assertThat(a.qp.postSend(write(a, b, -1, true))).isEqualTo(Errno.ENOMEM);
                poll(a, 1, PLACES / 2, 1);
                assertThat(a.qp.postSend(write(a, b, 7, true))).isZero();
                poll(a, 1, 7, 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void resetFreesAllPlaces(EveryWay way) {
        try (TestContext device = way.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            for (int round = 0; round < 2; round++) {
                connect(way, device, a, b);
                for (int i = 0; i < PLACES; i++) {
                    assertThat(a.qp.postSend(write(a, b, i, i % 2 == 0))).isZero();
                }
                assertThat(a.qp.postSend(write(a, b, -1, true))).isEqualTo(Errno.ENOMEM);
                poll(a, 1, 0, 2); // once the last has completed, all have arrived
                a.modify(QpState.RESET);
                b.modify(QpState.RESET);
            }
        }
    }

    /** Completions of receives in the same completion queue, and of other queue pairs, free nothing. */
    @Test
    void completionsOfOthersFreeNothing() {
        try (TestContext device = EveryWay.WITHIN_JVM.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            connect(EveryWay.WITHIN_JVM, device, a, b);
            a.recv(500, 100);
            b.post(b.request(WrOpcode.SEND, 1, 100, a));
            for (int i = 0; i < PLACES; i++) {
                assertThat(a.qp.postSend(write(a, b, i, true))).isZero();
            }
            poll(a, 1, 500, 1);
            assertThat(a.qp.postSend(write(a, b, -1, true))).isEqualTo(Errno.ENOMEM);
            a.cq.resize(1000);
            poll(a, PLACES, 0, 1);
            assertThat(a.qp.postSend(write(a, b, 0, true))).isZero();
        }
    }

    @Test
    void readingOneByOneFreesPlaces() {
        try (Side a = new Side(Verbs.devices().get(0), TwoSides.BYTES)) {
            a.extended = new CqInitAttrEx();
            a.create();
            Side.connectToItself(a);
            SendWorkRequest wr = a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 8)), a, 100);
            for (int i = 0; i < a.maxWr; i++) {
                a.post(wr);
            }
            assertThat(a.qp.postSend(wr)).isEqualTo(Errno.ENOMEM);
            assertThat(a.cq.startPoll(new PollCqAttr())).isZero();
            assertThat(a.cq.nextPoll()).isZero();
            a.cq.endPoll();
            a.post(wr);
            a.post(wr);
            assertThat(a.qp.postSend(wr)).isEqualTo(Errno.ENOMEM);
        }
    }
}

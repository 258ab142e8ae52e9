/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.EventType;
import io.verbs4j.QpType;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.packet.Subject;
import io.verbs4j.testsupport.FlightRecorded;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** What the embedded device reports to the flight recorder. */
class FlightRecordingTest {
    private static void connect(Subject a, Subject b) {
        a.connect(b.gid(), b.qp.qpNum(), 1, 2);
        b.connect(a.gid(), a.qp.qpNum(), 2, 1);
    }

    @Test
    void failedRequestIsRecordedWithoutFlushedOnes() throws Exception {
        try (Subject a = new Subject(QpType.RC, null, 4096);
                Subject b = new Subject(QpType.RC, null, 4096)) {
            connect(a, b);
            List<RecordedEvent> events = FlightRecorded.of(
                    () -> {
                        a.post(a.wr(WrOpcode.RDMA_WRITE, 77, 0, 8)
                                .remoteAddr(b.address(0))
                                .rkey(b.mr.rkey() + 1));
                        a.next(77, WcStatus.REM_ACCESS_ERR);
                        a.post(WrOpcode.SEND, 78, 0, 8);
                        a.next(78, WcStatus.WR_FLUSH_ERR);
                    },
                    "CompletionError");
            assertThat(events).hasSize(1);
            RecordedEvent event = events.get(0);
            assertThat(event.getLong("wrId")).isEqualTo(77);
            assertThat(event.getInt("qpNum")).isEqualTo(a.qp.qpNum());
            assertThat(event.getString("status")).isEqualTo(WcStatus.toString(WcStatus.REM_ACCESS_ERR));
            assertThat(event.getString("device"))
                    .isEqualTo(a.cq.context().device().name());
        }
    }

    @Test
    void retransmissionsAreRecorded() throws Exception {
        try (Subject a = new Subject(QpType.RC, "drop=0.2,seed=3", 1 << 16);
                Subject b = new Subject(QpType.RC, null, 1 << 16)) {
            for (Subject s : new Subject[] {a, b}) {
                s.timeout = 14;
                s.retryCnt = 7;
            }
            connect(a, b);
            List<RecordedEvent> events = FlightRecorded.of(
                    () -> {
                        for (int i = 0; i < 50; i++) {
                            b.recv(i, 0, 5000);
                            a.post(WrOpcode.SEND, i, 0, 5000);
                            a.next(i, WcStatus.SUCCESS);
                        }
                    },
                    "Retransmission",
                    "CompletionError");
            assertThat(events).isNotEmpty().allSatisfy(event -> {
                assertThat(event.getEventType().getName()).isEqualTo("io.verbs4j.Retransmission");
                assertThat(event.getInt("qpNum")).isEqualTo(a.qp.qpNum());
                assertThat(event.getInt("packets")).isBetween(1, 5); // of 1024 bytes
                assertThat(event.getInt("timeouts")).isBetween(0, 7);
            });
        }
    }

    @Test
    void lostCompletionIsRecordedOnce() throws Exception {
        try (Subject a = new Subject(QpType.RC, null, 4096);
                Subject b = new Subject(QpType.RC, null, 4096)) {
            connect(a, b);
            CompletionQueue cq = b.cq;
            cq.resize(1);
            int entries = cq.cqe();
            List<RecordedEvent> events = FlightRecorded.of(
                    () -> {
                        for (int i = 0; i < entries + 2; i++) {
                            b.recv(i, 0, 8);
                        }
                        for (int i = 0; i < entries + 2; i++) {
                            a.post(WrOpcode.SEND, i, 0, 8);
                        }
                        for (int i = 0; i < entries; i++) {
                            a.next();
                        }
                        b.nextEvent(EventType.CQ_ERR);
                    },
                    "CompletionQueueOverrun");
            assertThat(events).hasSize(1);
            assertThat(events.get(0).getInt("entries")).isEqualTo(entries);
            assertThat(events.get(0).getString("device"))
                    .isEqualTo(cq.context().device().name());
        }
    }
}

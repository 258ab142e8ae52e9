/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import static io.verbs4j.provider.gaudi.ring.PlainRings.CQ;
import static io.verbs4j.provider.gaudi.ring.PlainRings.CQES;
import static io.verbs4j.provider.gaudi.ring.PlainRings.HOST;
import static io.verbs4j.provider.gaudi.ring.PlainRings.LKEY;
import static io.verbs4j.provider.gaudi.ring.PlainRings.QP;
import static io.verbs4j.provider.gaudi.ring.PlainRings.REMOTE_KEY;
import static io.verbs4j.provider.gaudi.ring.PlainRings.THERE;
import static io.verbs4j.provider.gaudi.ring.PlainRings.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.ring.RingReader;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CqRingTest {
    private final PlainRings rings = new PlainRings(16, 32, false);
    private final WorkCompletion wc = new WorkCompletion();
    private final WorkCompletion second = new WorkCompletion();

    @AfterEach
    void free() {
        rings.close();
    }

    private void post(int... ids) {
        for (int id : ids) {
            assertThat(rings.post(write(id))).isZero();
        }
    }

    @Test
    void completionReportsItsRequest() {
        assertThat(rings.poll(wc)).isZero();
        assertThat(rings.toldQueue()).as("nothing was consumed").isZero();
        post(41, 42);
        wc.vendorErr(9).wcFlags(9).status(9);
        rings.completes(1);
        assertThat(rings.poll(wc, second)).isOne();
        assertThat(wc.wrId()).isEqualTo(42);
        assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.vendorErr()).isZero();
        assertThat(wc.wcFlags()).isZero();
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(wc.qpNum()).isEqualTo(QP);
        assertThat(rings.toldQueue()).isEqualTo(CQ);
        assertThat(rings.toldIndex()).isOne();
        assertThat(rings.validWord(0)).as("it belongs to the device again").isZero();
    }

    @Test
    void completionNeedsIndexAndValidBit() {
        post(1);
        rings.written(QP, 0, true);
        assertThat(rings.poll(wc)).as("the index has not advanced").isZero();
        rings.written(QP, 0, false);
        rings.tellsProduced(1);
        assertThat(rings.poll(wc)).as("it is not written yet").isZero();
        rings.tellsProduced(0);
        rings.written(QP, 0, true);
        rings.tellsProduced(1);
        assertThat(rings.poll(wc)).isOne();
        assertThat(rings.poll(wc)).isZero();
    }

    @Test
    void ringWrapsAround() {
        for (int i = 0; i < 5 * CQES + 3; i++) {
            post(1000 + i);
            rings.took(i + 1);
            rings.completes(i);
            assertThat(rings.poll(wc, second)).isOne();
            assertThat(wc.wrId()).isEqualTo(1000 + i);
            assertThat(rings.toldIndex()).isEqualTo(i + 1);
        }
    }

    @Test
    void severalCompletionsAreConsumedAtOnce() {
        post(1, 2, 3);
        rings.completes(0);
        rings.completes(1);
        rings.completes(2);
        assertThat(rings.poll(wc, second)).isEqualTo(2);
        assertThat(second.wrId()).isEqualTo(2);
        assertThat(rings.toldIndex()).isEqualTo(2);
        assertThat(rings.cq.poll(2, new WorkCompletion[] {wc, null}))
                .as("the second must stay")
                .isOne();
        assertThat(wc.wrId()).isEqualTo(3);
    }

    @Test
    void invalidCallsFail() {
        assertThat(rings.cq.poll(-1, new WorkCompletion[1])).isEqualTo(-Errno.EINVAL);
        assertThat(rings.cq.poll(1, null)).isEqualTo(-Errno.EINVAL);
        assertThat(rings.cq.poll(2, new WorkCompletion[1])).isEqualTo(-Errno.EINVAL);
        assertThat(rings.cq.poll(1, new WorkCompletion[1])).isEqualTo(-Errno.EINVAL);
        assertThat(rings.cq.poll(0, new WorkCompletion[0])).isZero();
        rings.cq.close(() -> {});
        assertThat(rings.poll(wc)).isEqualTo(-Errno.EINVAL);
    }

    /** The number belongs to no queue pair, or the request is not pending. */
    @Test
    void unknownCompletionsAreSkipped() {
        post(1, 2);
        rings.completes(QP + 1, 0);
        rings.completes(QP, 2);
        rings.completes(QP, -1);
        rings.completes(QP, 1);
        assertThat(rings.poll(wc, second)).isOne();
        assertThat(wc.wrId()).isEqualTo(2);
        assertThat(rings.toldIndex()).isEqualTo(4);
    }

    @Test
    void completionsOfDestroyedQueuePairAreDropped() {
        post(1, 2);
        rings.completes(QP + 1, 0);
        rings.completes(QP, 0);
        rings.completes(QP + 1, 0);
        rings.completes(QP, 1);
        rings.cq.renounce(rings.sends, QP + 1);
        assertThat(rings.toldIndex()).as("its oldest entry is released").isOne();
        assertThat(rings.poll(wc)).isOne();
        assertThat(wc.wrId()).isEqualTo(1);
        rings.cq.renounce(rings.sends, QP);
        assertThat(rings.toldIndex()).isEqualTo(4);
        rings.sends.close(Errno.EINVAL);
        rings.open();
        post(11, 12);
        assertThat(rings.poll(wc)).as("a completion from before the reset").isZero();
        rings.completes(0);
        assertThat(rings.poll(wc)).isOne();
        assertThat(wc.wrId()).isEqualTo(11);
    }

    // ---- broken queue pairs

    @Test
    void pendingRequestsAreFlushedBehindCompleteOnes() {
        post(1, 2, 3, 4);
        rings.completes(0);
        rings.cq.flush(rings.sends, WcStatus.RETRY_EXC_ERR, 0x40);
        rings.cq.flush(rings.sends, WcStatus.GENERAL_ERR, 0x42); // a second reason, which is ignored
        WorkCompletion[] all = {wc, second, new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        assertThat(rings.poll(all)).isEqualTo(4);
        assertThat(all).extracting(WorkCompletion::wrId).startsWith(1L, 2L, 3L, 4L);
        assertThat(all)
                .extracting(WorkCompletion::status)
                .startsWith(WcStatus.SUCCESS, WcStatus.RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(all).extracting(WorkCompletion::vendorErr).startsWith(0, 0x40, 0, 0);
        assertThat(all).extracting(WorkCompletion::qpNum).startsWith(QP, QP, QP, QP);
        assertThat(rings.toldIndex()).as("only the device's completions count").isOne();
        assertThat(rings.poll(wc)).isZero();
    }

    @Test
    void requestsPostedToBrokenQueueAreFlushed() {
        rings.cq.flush(rings.sends, WcStatus.WR_FLUSH_ERR, 0);
        SendBuilder b = rings.qp.builder();
        b.start();
        b.write(6, SendFlags.SIGNALED, REMOTE_KEY, THERE, LKEY, HOST, 8);
        post(5);
        assertThat(b.complete()).isZero();
        assertThat(rings.post(write(7).sendFlags(0).next(write(8)))).isZero();
        assertThat(rings.isEmpty(0)).isTrue();
        assertThat(rings.doorbell()).isZero();
        for (int id = 5; id <= 8; id++) {
            assertThat(rings.poll(wc)).isOne();
            assertThat(wc.wrId()).isEqualTo(id);
            assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        for (int i = 0; i < 15; i++) {
            post(i);
        }
        assertThat(rings.post(write(1))).as("full, as it always is").isEqualTo(Errno.ENOMEM);
        assertThat(rings.post(write(1).opcode(2))).as("wrong, as it always is").isEqualTo(Errno.EOPNOTSUPP);
        assertThat(rings.poll(wc)).isOne();
    }

    @Test
    void brokenQueueOwesNoDoorbell() {
        for (int i = 0; i < PlainRings.THRESHOLD; i++) {
            post(i);
            rings.completes(i);
            rings.poll(wc);
        }
        post(76);
        rings.forgetDoorbell();
        rings.cq.flush(rings.sends, WcStatus.WR_FLUSH_ERR, 0);
        rings.took(PlainRings.THRESHOLD);
        post(77);
        for (int id = 76; id <= 77; id++) {
            assertThat(rings.poll(wc)).isOne();
            assertThat(wc.wrId()).isEqualTo(id);
        }
        assertThat(rings.doorbell()).isZero();
    }

    @Test
    void queueStartsAfreshAfterReset() {
        post(1, 2);
        rings.cq.flush(rings.sends, WcStatus.GENERAL_ERR, 0x41);
        rings.cq.renounce(rings.sends, QP);
        rings.sends.close(Errno.EINVAL);
        assertThat(rings.poll(wc)).isZero();
        rings.cq.flush(rings.sends, WcStatus.GENERAL_ERR, 0x41);
        assertThat(rings.poll(wc)).as("there is nothing to flush").isZero();
        rings.open();
        post(3);
        assertThat(rings.doorbell()).isEqualTo(PlainRings.doorbell(1));
        assertThat(rings.poll(wc)).isZero();
        rings.completes(0);
        assertThat(rings.poll(wc)).isOne();
        assertThat(wc.wrId()).isEqualTo(3);
        rings.cq.flush(rings.sends, WcStatus.GENERAL_ERR, 0x41);
        post(4);
        assertThat(rings.poll(wc)).isOne();
        assertThat(wc.status()).as("its own reason").isEqualTo(WcStatus.GENERAL_ERR);
    }

    @Test
    void severalBrokenQueuesAreAllFlushed() {
        PlainRings other = new PlainRings(16, 32, false);
        try {
            post(1);
            other.post(write(2));
            rings.cq.flush(rings.sends, WcStatus.GENERAL_ERR, 1);
            rings.cq.flush(other.sends, WcStatus.GENERAL_ERR, 2);
            rings.post(write(3));
            assertThat(rings.poll(wc, second, new WorkCompletion(), new WorkCompletion()))
                    .isEqualTo(3);
            other.post(write(4));
            rings.cq.renounce(rings.sends, QP);
            assertThat(rings.poll(wc)).as("the other one is still broken").isOne();
            assertThat(wc.wrId()).isEqualTo(4);
        } finally {
            other.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"0x40, true", "0x3f, false", "0x95, true", "0x10, false", "0, false"})
    void syndromeSaysWhetherRequesterIsAtFault(String syndrome, boolean requesters) {
        assertThat(Syndrome.isRequesters(Integer.decode(syndrome))).isEqualTo(requesters);
    }

    @ParameterizedTest
    @CsvSource({
        "0x40, 12",
        "0x80, 2",
        "0x91, 2",
        "0x95, 2",
        "0, 21",
        "0x10, 21",
        "0x41, 21",
        "0x7f, 21",
        "0x96, 21",
        "0xa0, 21"
    })
    void syndromeMapsToStatus(String syndrome, int status) {
        assertThat(Syndrome.status(Integer.decode(syndrome))).isEqualTo(status);
    }

    @Test
    void readerReadsCompletionsOneByOne() {
        RingReader reader = new RingReader(rings.cq, () -> false);
        assertThat(reader.startPoll(null)).isEqualTo(Errno.ENOENT);
        post(1, 2, 3);
        rings.completes(0);
        rings.completes(1);
        assertThat(reader.startPoll(null)).isZero();
        assertThat(reader.wrId()).isEqualTo(1);
        rings.cq.flush(rings.sends, WcStatus.GENERAL_ERR, 0x44);
        assertThat(reader.nextPoll()).isZero();
        assertThat(reader.wrId()).isEqualTo(2);
        assertThat(rings.toldIndex()).isZero();
        assertThat(reader.nextPoll()).isZero();
        assertThat(reader.wrId()).isEqualTo(3);
        assertThat(reader.vendorErr()).isEqualTo(0x44);
        assertThat(reader.nextPoll()).isEqualTo(Errno.ENOENT);
        assertThat(reader.endPoll()).isZero();
        assertThat(rings.toldIndex()).isEqualTo(2);
    }

    @Test
    void postingAndPollingAllocatesNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        SendWorkRequest wr = write(1);
        SendBuilder b = rings.qp.builder();
        WorkCompletion[] all = {wc, second};
        int number = 0;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 500; i++) {
                int failed = rings.sends.post(wr, null);
                b.start();
                b.write(2, SendFlags.SIGNALED, REMOTE_KEY, THERE, LKEY, HOST, 8);
                failed |= b.complete();
                number += 2;
                rings.took(number);
                rings.completes(number - 2);
                rings.completes(number - 1);
                if (failed != 0 || rings.cq.poll(2, all) != 2 || rings.cq.poll(2, all) != 0) {
                    throw new IllegalStateException("at " + number);
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertThat(least).as("bytes in 1000 requests").isLessThan(500); // the measurement itself allocates
    }
}

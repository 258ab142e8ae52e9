/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.ValuesMask;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended completion queues: what completions report, for each way to poll. */
@WithOneCopy
class CompletionsPathsTest extends EachPath {
    private static final long ALL =
            WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;
    private static final long PATIENCE = Patience.NANOS;
    private static final int MESSAGES = 10;

    /** A way to take a given number of completions. */
    private interface Way {
        List<String> take(Side side, int count);
    }

    private void startExtended(int type, long wcFlags) {
        start(side -> {
            side.qpType = type;
            side.extended = new CqInitAttrEx().wcFlags(wcFlags);
        });
    }

    // ---- four ways

    @ParameterizedTest
    @ValueSource(ints = {QpType.RC, QpType.UC, QpType.UD})
    void allWaysToPollReportTheSame(int type) {
        List<Way> ways = List.of(
                CompletionsPathsTest::oneByOne,
                CompletionsPathsTest::inArrays,
                CompletionsPathsTest::withSize,
                CompletionsPathsTest::lazily);
        List<List<String>> sent = new ArrayList<>();
        List<List<String>> received = new ArrayList<>();
        for (Way way : ways) {
            startExtended(type, ALL);
            traffic(type);
            sent.add(way.take(a, MESSAGES));
            received.add(way.take(b, MESSAGES));
            closeBoth();
        }
        assertThat(sent.get(0)).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(received.get(0)).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(sent).allMatch(sent.get(0)::equals);
        assertThat(received).allMatch(received.get(0)::equals);
    }

    private void traffic(int type) {
        for (int i = 0; i < MESSAGES; i++) {
            b.recv(100 + i, 4096 * i, 4096);
        }
        AddressHandle ah = type == QpType.UD ? a.opened(a.pd.createAh(a.path(b.gid()))) : null;
        for (int i = 0; i < MESSAGES; i++) {
            boolean write = type != QpType.UD && i % 3 == 2;
            int opcode = write ? WrOpcode.RDMA_WRITE_WITH_IMM : i % 2 == 0 ? WrOpcode.SEND : WrOpcode.SEND_WITH_IMM;
            SendWorkRequest wr = Side.wr(opcode, i, a.sge(0, 100 * i)).immData(7 * i);
            if (write) {
                a.to(wr, b, 60_000);
            } else if (ah != null) {
                wr.ah(ah).remoteQpn(b.qp.qpNum()).remoteQkey(Side.QKEY);
            }
            a.post(wr);
        }
    }

    private static String text(Side side, WorkCompletion wc) {
        return String.join(
                " ",
                WcStatus.toString(wc.status()),
                "" + wc.wrId(),
                "" + wc.opcode(),
                "" + wc.byteLen(),
                (wc.wcFlags() & 2) == 0 ? "-" : "" + wc.immData(),
                "" + wc.wcFlags(),
                "" + (wc.qpNum() == side.qp.qpNum()),
                "" + (wc.srcQp() == 0),
                wc.slid() + " " + wc.sl() + " " + wc.dlidPathBits());
    }

    private static List<String> oneByOne(Side side, int count) {
        List<String> all = new ArrayList<>();
        while (all.size() < count) {
            all.add(text(side, side.next()));
        }
        return all;
    }

    private static List<String> inArrays(Side side, int count) {
        List<String> all = new ArrayList<>();
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        for (int turn = 0; all.size() < count && System.nanoTime() < end; turn++) {
            Patience.pause(turn);
            int n = side.cq.poll(wc.length, wc);
            for (int i = 0; i < n; i++) {
                all.add(text(side, wc[i]));
            }
        }
        return all;
    }

    private static List<String> withSize(Side side, int count) {
        List<String> all = new ArrayList<>();
        while (all.size() < count) {
            all.add(text(side, nextWithSize(side)));
        }
        return all;
    }

    private static WorkCompletion nextWithSize(Side side) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + PATIENCE;
        for (int turn = 0; side.cq.poll(1, wc, WorkCompletion.SIZE) == 0; turn++) {
            assertThat(System.nanoTime()).as("time until a completion").isLessThan(end);
            Patience.pause(turn);
        }
        return wc[0];
    }

    private static void begin(CompletionQueue cq) {
        long end = System.nanoTime() + PATIENCE;
        int error;
        for (int turn = 0; (error = cq.startPoll(null)) == Errno.ENOENT; turn++) {
            assertThat(System.nanoTime()).as("time until a completion").isLessThan(end);
            Patience.pause(turn);
        }
        assertThat(error).isZero();
    }

    private static List<String> lazily(Side side, int count) {
        List<String> all = new ArrayList<>();
        CompletionQueue cq = side.cq;
        while (all.size() < count) {
            begin(cq);
            do {
                all.add(text(
                        side,
                        new WorkCompletion()
                                .status(cq.status())
                                .wrId(cq.wrId())
                                .opcode(cq.readOpcode())
                                .byteLen(cq.readByteLen())
                                .immData(cq.readImmData())
                                .wcFlags(cq.readWcFlags())
                                .qpNum(cq.readQpNum())
                                .srcQp(cq.readSrcQp())
                                .slid(cq.readSlid())
                                .sl(cq.readSl())
                                .dlidPathBits(cq.readDlidPathBits())));
            } while (cq.nextPoll() == 0);
            assertThat(cq.endPoll()).isZero();
        }
        return all;
    }

    // ---- time

    @Test
    void timestampsLieBetweenClockReadings() {
        startExtended(QpType.RC, ALL);
        DeviceAttrEx device = a.context.queryDeviceEx();
        long mask = device.completionTimestampMask();
        long last = a.context.queryValues(ValuesMask.RAW_CLOCK).rawClock();
        for (int i = 0; i < 50; i++) {
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, 100)), b, 0));
            WorkCompletion wc = nextWithSize(a);
            assertThat(wc.compMask()).isEqualTo(3);
            long now = a.context.queryValues(ValuesMask.RAW_CLOCK).rawClock();
            assertThat(wc.completionTs() & ~mask).isZero();
            assertThat(wc.completionTs() - last & mask).isLessThanOrEqualTo(now - last & mask);
            last = wc.completionTs();
        }
    }

    @Test
    void timestampIsThatOfCompletionNotPoll() throws InterruptedException {
        startExtended(QpType.RC, ALL);
        long khz = a.context.queryDeviceEx().hcaCoreClock();
        b.recv(9, 0, 100);
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 100)));
        a.next(1, WcStatus.SUCCESS);
        int events = 0;
        while (events++ < 20 && overTheWire()) {
            b.cq.poll(0, new WorkCompletion[0]); // receives the packet
        }
        long before = b.context.queryValues(ValuesMask.RAW_CLOCK).rawClock();
        Thread.sleep(50);
        WorkCompletion wc = nextWithSize(b);
        assertThat(before - wc.completionTs()).isNotNegative();
        long after = b.context.queryValues(ValuesMask.RAW_CLOCK).rawClock();
        assertThat((after - wc.completionTs()) * 1_000_000 / khz).isGreaterThanOrEqualTo(50_000_000L - 1_000_000);
    }

    @Test
    void wallClockTimestampMatchesSystemTime() {
        startExtended(QpType.RC, WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK);
        long before = nanosSince1970() - 5_000_000;
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100)), b, 0));
        WorkCompletion wc = nextWithSize(a);
        assertThat(wc.compMask()).isEqualTo(2);
        assertThat(wc.completionTs()).isZero();
        assertThat(wc.completionWallclockNs()).isBetween(before, nanosSince1970() + 5_000_000);
    }

    private static long nanosSince1970() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    @Test
    void failedCompletionsHaveNoTimestamp() {
        startExtended(QpType.RC, ALL);
        b.recv(1, 0, 100);
        b.recv(2, 0, 100);
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        WorkCompletion wc = nextWithSize(b);
        assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(wc.wrId()).isEqualTo(1);
        assertThat(wc.compMask()).isZero();
        begin(b.cq);
        assertThat(b.cq.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(b.cq.wrId()).isEqualTo(2);
        assertThat(b.cq.readVendorErr()).isZero();
        assertThat(b.cq.readCompletionTs()).isZero();
        assertThat(b.cq.readCompletionWallclockNs()).isZero();
        assertThat(b.cq.endPoll()).isZero();
    }

    // ---- events

    @Test
    void moderationRaisesOneEventPerCount() {
        start(side -> side.withChannel = true);
        a.cq.modify(new ModifyCqAttr().cqCount(10));
        int events = 0;
        a.cq.reqNotify(false);
        for (int i = 0; i < 200; i++) {
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, 8)), b, 0));
            a.next(i, WcStatus.SUCCESS); // polling sees it immediately
            if (a.channel.getEvent(0, TimeUnit.MILLISECONDS) != null) {
                a.cq.ackEvents(1);
                events++;
                a.cq.reqNotify(false);
            }
        }
        assertThat(events).isEqualTo(20);
        a.cq.modify(new ModifyCqAttr().cqCount(0).cqPeriod(0));
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 8)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        assertThat(a.channel.getEvent(0, TimeUnit.MILLISECONDS)).isSameAs(a.cq);
    }

    @Test
    void eventIsDelayedAtMostByPeriod() {
        start(side -> side.withChannel = true);
        b.cq.modify(new ModifyCqAttr().cqCount(1000).cqPeriod(60_000));
        b.cq.reqNotify(true);
        b.recv(1, 0, 100);
        long before = System.nanoTime();
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 1, a.sge(0, 100));
        a.post(wr.sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.channel.getEvent(Patience.SECONDS, TimeUnit.SECONDS)).isSameAs(b.cq);
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(60_000_000);
        b.next(1, WcStatus.SUCCESS);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.devicecode.CpuProxy;
import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.devicecode.DevicePeer;
import io.verbs4j.devicecode.DeviceRing;
import io.verbs4j.devicecode.RingPart;
import io.verbs4j.devicecode.lanes.LaneJob;
import io.verbs4j.devicecode.lanes.Lanes;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.testsupport.program.Program;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Device code on CPU threads posts to queue pairs of the embedded device, and polls. */
class LanesPathsTest extends EachPath {
    private static final int LENGTH = 512;
    private static final int PIECES = BYTES / LENGTH;

    @TempDir
    Path folder;

    private Lanes lanes;
    private DeviceRing ring;

    @BeforeAll
    static void needsCompiler() {
        Program.assumeOnPath("gcc");
    }

    private void export(int type) throws Exception {
        export(type, Map.of());
    }

    private void export(int type, Map<String, String> edits) throws Exception {
        start(side -> side.qpType = type);
        DeviceCode code = DeviceCode.of(a.context);
        lanes = Lanes.of(code, folder, edits);
        ring = DeviceRing.export(a.qp);
        ring.check(code.layout(), 4);
    }

    @AfterEach
    void closeRing() {
        if (ring != null) {
            ring.close();
        }
    }

    private LaneJob job(int operation, int threads, int count, int batch) {
        return new LaneJob(operation, threads, count, batch)
                .memory(a.mr.addr(), a.mr.lkey(), b.mr.addr(), b.mr.rkey(), LENGTH, PIECES);
    }

    private void assertRefused(int errno, String words, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 5, 1", "1, 4, 4", "4, 1, 1", "4, 3, 1"})
    void lanesWriteRemoteMemory(int threads, int batch, int unsignaled) throws Exception {
        export(QpType.RC);
        LaneJob job =
                job(WrOpcode.RDMA_WRITE, threads, 2 * PIECES / threads, batch).unsignaled(unsignaled);
        lanes.run(ring, job);
        job.requireAll(ring);
        b.assertPattern(0, 1, 0, BYTES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true  | V4J_RING_H | V4J_RING_H",
                "false | while (v4j_load64(&ring->ready) != first) { | while (0) {"
            })
    void lateLaneHoldsUpThoseBehind(boolean arrives, String piece, String instead) throws Exception {
        export(QpType.RC, Map.of(piece, instead));
        LaneJob job = new LaneJob(WrOpcode.RDMA_WRITE, 1, 2, 1)
                .memory(a.mr.addr(), a.mr.lkey(), b.mr.addr(), b.mr.rkey(), LENGTH, PIECES)
                .nanos(TimeUnit.SECONDS.toNanos(arrives ? 60 : 1));
        lanes.runLate(ring, null, job);
        byte first = b.buffer.get(0);
        assertThat(first == Side.pattern(1, 0) && job.late() == 0).isEqualTo(arrives);
    }

    @Test
    void proxyIsNotNeededAndDoesNoHarm() throws Exception {
        export(QpType.RC);
        assertThat(ring.needsProxy()).isFalse();
        try (CpuProxy proxy = new CpuProxy()) {
            proxy.add(ring);
            LaneJob job = job(WrOpcode.RDMA_WRITE, 2, PIECES / 2, 2);
            lanes.run(ring, job);
            job.requireAll(ring);
            proxy.remove(ring);
        }
        b.assertPattern(0, 1, 0, BYTES);
    }

    @Test
    void lanesReadRemoteMemory() throws Exception {
        export(QpType.RC);
        LaneJob job = job(WrOpcode.RDMA_READ, 2, PIECES / 2, 1);
        lanes.run(ring, job);
        job.requireAll(ring);
        a.assertPattern(0, 2, 0, BYTES);
    }

    @Test
    void eachAtomicAddsOnce() throws Exception {
        export(QpType.RC);
        b.buffer.order(ByteOrder.nativeOrder()).putLong(0, 0);
        LaneJob job = job(WrOpcode.ATOMIC_FETCH_AND_ADD, 4, 500, 1);
        lanes.run(ring, job);
        job.requireAll(ring);
        assertThat(b.buffer.getLong(0)).isEqualTo(2000L * 2001 / 2);
    }

    @Test
    void messagesArriveWithImmediateData() throws Exception {
        export(QpType.RC);
        for (int i = 0; i < b.maxWr; i++) {
            b.recv(i, i * LENGTH, LENGTH);
        }
        LaneJob job = job(WrOpcode.SEND_WITH_IMM, 1, b.maxWr, 3);
        lanes.run(ring, job);
        job.requireAll(ring);
        for (int i = 0; i < b.maxWr; i++) {
            WorkCompletion wc = b.next();
            assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc.wrId()).isEqualTo(i);
            assertThat(wc.immData()).isEqualTo(i);
            assertThat(wc.byteLen()).isEqualTo(LENGTH);
        }
        b.assertPattern(0, 1, 0, b.maxWr * LENGTH);
    }

    @Test
    void datagramsGoToPeer() throws Exception {
        export(QpType.UD);
        for (int i = 0; i < 8; i++) {
            b.recv(i, i * 1024, 1024);
        }
        try (AddressHandle ah = a.pd.createAh(a.path(b.gid()))) {
            LaneJob job = job(WrOpcode.SEND, 1, 8, 1);
            lanes.run(ring, DevicePeer.of(ah, b.qp.qpNum(), Side.QKEY), job);
            job.requireAll(ring);
            for (int i = 0; i < 8; i++) {
                assertThat(b.next().byteLen()).isEqualTo(40 + LENGTH);
                b.assertPattern(i * 1024 + 40, 1, i * LENGTH, LENGTH);
            }
        }
    }

    @Test
    void datagramWithoutPeerFails() throws Exception {
        export(QpType.UD);
        LaneJob job = job(WrOpcode.SEND, 1, 1, 1);
        lanes.run(ring, job);
        assertThat(job.firstStatus()).isEqualTo(WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    void lanesCannotReserveMoreThanRing() throws Exception {
        export(QpType.RC);
        LaneJob job = job(WrOpcode.RDMA_WRITE, 1, 1_000, 1_000).nanos(TimeUnit.MILLISECONDS.toNanos(50));
        lanes.run(ring, job);
        assertThat(job.late()).isEqualTo(1);
        assertThat(job.posted()).isZero();
    }

    @Test
    void wrongKeyFailsRequestAndFlushesRest() throws Exception {
        export(QpType.RC);
        LaneJob job = job(WrOpcode.RDMA_WRITE, 2, 100, 1).rkey(b.mr.rkey() ^ 0x5a00);
        lanes.run(ring, job);
        assertThat(job.late()).isZero();
        assertThat(job.completed()).isEqualTo(200);
        assertThat(job.failed()).isEqualTo(200);
        assertThat(job.firstStatus()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    /** A lane that writes garbage harms its own queue pair only. */
    @Test
    void invalidDescriptorEndsItsQueuePair() throws Exception {
        export(QpType.RC);
        LaneJob before = job(WrOpcode.RDMA_WRITE, 1, 10, 1);
        lanes.run(ring, before);
        before.requireAll(ring);
        RingPart sends = ring.parts().stream()
                .filter(part -> part.kind() == RingPart.SENDS)
                .findFirst()
                .orElseThrow();
        for (long at = sends.address(); at < sends.address() + sends.length(); at += Integer.BYTES) {
            NativeMemory.putInt(at, 0x7f7f7f7f);
        }
        lanes.announce(ring, 3);
        LaneJob after = job(WrOpcode.RDMA_WRITE, 1, 5, 1);
        lanes.run(ring, after);
        assertThat(after.late()).isZero();
        assertThat(after.failed()).isEqualTo(8);
        assertThat(after.firstStatus()).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        QpAttr now = new QpAttr();
        a.qp.query(now, QpAttrMask.STATE, new QpInitAttr());
        assertThat(now.qpState()).isEqualTo(QpState.ERR);
    }

    @Test
    void hostCannotUseWhatDeviceCodeHas() throws Exception {
        export(QpType.RC);
        SendWorkRequest wr = new SendWorkRequest().opcode(WrOpcode.SEND).sgList(a.sge(0, 8));
        SendWorkRequest[] bad = new SendWorkRequest[1];
        WorkCompletion[] wc = {new WorkCompletion()};
        assertThat(a.qp.postSend(wr, bad)).isEqualTo(Errno.EBUSY);
        assertThat(bad[0]).isSameAs(wr);
        assertThat(a.cq.poll(1, wc)).isEqualTo(-Errno.EBUSY);
        assertThat(a.cq.reqNotify(false)).isEqualTo(Errno.EBUSY);
        assertRefused(Errno.EBUSY, "already", () -> DeviceRing.export(a.qp));
        assertRefused(Errno.EBUSY, "already", () -> DeviceRing.export(a.cq));
        assertRefused(Errno.EBUSY, "RESET", () -> a.qp.modify(new QpAttr().qpState(QpState.RESET)));
        assertRefused(Errno.EBUSY, "another", () -> a.createQp());
        assertRefused(Errno.EBUSY, "another", () -> a.cq.resize(10));
        assertRefused(Errno.EBUSY, "DeviceRing", () -> a.qp.close());
        assertRefused(Errno.EBUSY, "", () -> a.cq.close());
        ring.close();
        assertThat(a.qp.postSend(wr, bad)).isEqualTo(Errno.EBUSY);
    }

    @Test
    void sharedCompletionQueueStaysHosts() {
        start(side -> {});
        try (QueuePair second = a.pd.createQp(
                new QpInitAttr().qpType(QpType.RC).sendCq(a.cq).recvCq(a.cq).cap(new QpCap().maxSendWr(1)))) {
            assertRefused(Errno.EINVAL, "one of its own", () -> DeviceRing.export(a.qp));
            assertThat(a.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}))
                    .isZero();
            assertThat(second.qpNum()).isNotEqualTo(a.qp.qpNum());
        }
        ring = DeviceRing.export(a.qp);
    }

    @Test
    void closedQueuesAreRefused() {
        start(side -> {});
        a.qp.close();
        assertRefused(Errno.EINVAL, "closed", () -> DeviceRing.export(a.qp));
        a.cq.close();
        assertRefused(Errno.EINVAL, "closed", () -> DeviceRing.export(a.cq));
    }

    @Test
    void outstandingRequestsKeepRingWithHost() {
        start(side -> {});
        a.post(Side.wr(WrOpcode.SEND, 1, a.sge(0, 8)));
        assertRefused(Errno.EBUSY, "poll", () -> DeviceRing.export(a.qp));
    }

    /** Lanes wait for messages, and more arrive than the lanes' ring holds. */
    @Test
    void lanesPollWhatArrives() throws Exception {
        start(side -> side.cqe = 32);
        lanes = Lanes.of(DeviceCode.of(b.context), folder, Map.of());
        int count = 24;
        for (int i = 0; i < count; i++) {
            b.recv(100 + i, i * LENGTH, LENGTH);
        }
        ring = DeviceRing.export(b.cq);
        ByteBuffer completion = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
        assertThat(lanes.poll(ring, completion)).isZero();
        for (int i = 0; i < count; i++) {
            a.post(Side.wr(WrOpcode.SEND_WITH_IMM, i, a.sge(i * LENGTH, LENGTH)).immData(0x11223344 + i));
            assertThat(a.next().status()).isEqualTo(WcStatus.SUCCESS);
            while (lanes.poll(ring, completion) == 0) {
                Thread.onSpinWait();
            }
            assertThat(completion.getLong(0)).isEqualTo(100 + i);
            assertThat(completion.getInt(8)).isZero();
            assertThat(completion.getInt(16)).isEqualTo(b.qp.qpNum());
            assertThat(completion.getInt(20)).isEqualTo(1);
            assertThat(completion.getInt(24)).isEqualTo(LENGTH);
            assertThat(completion.getInt(28)).isEqualTo(0x11223344 + i);
            assertThat(completion.getInt(32)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v4j_store64(&ring->consumed, n + 1); | v4j_store64(&ring->consumed, n + 2);",
                "v4j_store64(&ring->freed, into->at + 1); | v4j_store64(&ring->freed, into->at + 2);",
                "wide[2] = r->remote; | wide[2] = r->remote + 8;",
                "(n / ring->cq_places) + 1 | (n / ring->cq_places)"
            })
    void mutantIsCaught(String piece, String instead) throws Exception {
        export(QpType.RC, Map.of(piece, instead));
        b.buffer.order(ByteOrder.nativeOrder()).putLong(0, 0);
        LaneJob job = job(WrOpcode.ATOMIC_FETCH_AND_ADD, 8, 1_000, 4).nanos(TimeUnit.SECONDS.toNanos(3));
        lanes.run(ring, job);
        assertThatThrownBy(() -> {
                    job.requireAll(ring);
                    assertThat(b.buffer.getLong(0)).isEqualTo(8_000L * 8_001 / 2);
                })
                .isInstanceOf(AssertionError.class);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.memory.SlowFiles;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk is slow to flush: only the queue pair that requested the flush waits, and no other of the port. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class SlowFlushTest {
    private static final int BYTES = 1 << 20;
    private static final int LONG = 300_000; // sent as a span with one copy
    private static final int FILE_BYTES = 4096;
    private static final int RIGHTS = Subject.ALL | AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;

    private Path path;
    private Subject a;
    private Subject b;
    private Subject otherA;
    private Subject otherB;
    private MemoryRegion file;
    private SlowFiles disk;

    @BeforeEach
    void makeFile() throws IOException {
        // Not in the directory for temporary files, which may be memory.
        path = Files.createTempFile(Path.of("target").toAbsolutePath(), "slow", "");
    }

    @AfterEach
    void end() throws IOException {
        disk.end();
        otherA.close();
        otherB.close();
        file.close();
        a.close();
        b.close();
        Files.delete(path);
    }

    private void connect(boolean oneCopy) throws IOException {
        LinkOptions options = oneCopy ? TestContext.oneCopy() : TestContext.PACKETS;
        a = new Subject(TestContext.open(options), QpType.RC, BYTES);
        b = new Subject(TestContext.open(options), QpType.RC, BYTES);
        otherA = new Subject(a.context.again(), QpType.RC, BYTES);
        otherB = new Subject(b.context.again(), QpType.RC, BYTES);
        b.access |= AccessFlags.FLUSH_GLOBAL | AccessFlags.FLUSH_PERSISTENT;
        a.timeout = 24; // 69 s
        connect(a, b);
        connect(otherA, otherB);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = b.pd.regMr(channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES), RIGHTS);
        }
        disk = SlowFiles.behind(file, b.context.port().keys());
        write(a, b, 0);
    }

    private static void connect(Subject one, Subject two) {
        one.connect(two.gid(), two.qp.qpNum(), 0xffff00, 77);
        two.connect(one.gid(), one.qp.qpNum(), 77, 0xffff00);
    }

    private static void write(Subject from, Subject to, long id) {
        from.post(from.wr(WrOpcode.RDMA_WRITE, id, 0, 2000)
                .remoteAddr(to.address(0))
                .rkey(to.mr.rkey()));
        from.next(id, WcStatus.SUCCESS);
    }

    private SendWorkRequest flush(long id) {
        return new SendWorkRequest()
                .opcode(WrOpcode.FLUSH)
                .wrId(id)
                .sendFlags(SendFlags.SIGNALED)
                .flushType(FlushType.PERSISTENT)
                .flushLength(FILE_BYTES)
                .remoteAddr(file.addr())
                .rkey(file.rkey());
    }

    /** Polls both sides, which receives packets, until a thread waits for the disk. */
    private void awaitFlush() {
        WorkCompletion[] none = {};
        long end = System.nanoTime() + Patience.NANOS;
        for (int turn = 0; !disk.hasBegun(); turn++) {
            a.cq.poll(0, none);
            b.cq.poll(0, none);
            assertThat(System.nanoTime()).as("time until a flush begins").isLessThan(end);
            Patience.pause(turn);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slowFlushDelaysOwnQueuePairOnly(boolean oneCopy) throws IOException {
        connect(oneCopy);
        for (int i = 0; i < 4; i++) {
            b.recv(10 + i, 0, BYTES);
        }
        a.post(WrOpcode.SEND, 1, 0, 100);
        a.post(flush(2));
        a.post(WrOpcode.SEND, 3, 0, 200);
        a.post(WrOpcode.SEND, 4, 0, LONG);
        a.post(WrOpcode.SEND, 5, 0, 300);
        awaitFlush();
        for (int i = 0; i < 100; i++) {
            write(otherA, otherB, i);
            write(otherB, otherA, i);
        }
        // Requests before the flush are answered; later ones wait.
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.next(10, WcStatus.SUCCESS).byteLen()).isEqualTo(100);
        a.nothingCompletes();
        b.nothingCompletes();
        disk.end();
        int[] lengths = {200, LONG, 300};
        for (int i = 0; i < lengths.length; i++) {
            assertThat(b.next(11 + i, WcStatus.SUCCESS).byteLen()).isEqualTo(lengths[i]);
        }
        for (int id = 2; id <= 5; id++) {
            a.next(id, WcStatus.SUCCESS);
        }
        a.post(flush(6)); // the disk is fast from here on
        a.next(6, WcStatus.SUCCESS);
        write(a, b, 7);
        assertThat(b.counters().get(TransportCounters.FAILURE)).isZero();
    }

    @Test
    void queuePairMayEndDuringFlush() throws IOException {
        connect(false);
        b.recv(10, 0, BYTES);
        a.post(flush(1));
        a.post(WrOpcode.SEND, 2, 0, 200);
        awaitFlush();
        b.qp.modify(new QpAttr().qpState(QpState.ERR));
        b.next(10, WcStatus.WR_FLUSH_ERR);
        write(otherA, otherB, 3);
        disk.end();
        file.close(); // waits until nobody uses it
        write(otherA, otherB, 4);
        b.nothingCompletes();
        assertThat(b.counters().get(TransportCounters.FAILURE)).isZero();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A file mapped by a region is truncated: only requests that touch the missing part fail. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class TruncatedMemoryTest {
    private static final int BYTES = 1 << 16;
    private static final boolean FULL = Extent.isHours();

    /** More races than it took to find two hangs. */
    private static final int RACES = FULL ? 900 : 45;

    /** Enough for the copying code to be compiled: only then does the JVM report late. */
    private static final int COMPILED = FULL ? 100_000 : 12_000;

    @TempDir
    Path folder;

    /** Memory of a file. */
    private final class MappedFile implements AutoCloseable {
        final FileChannel channel;
        final ByteBuffer memory;

        MappedFile(int bytes) {
            try {
                Path file = folder.resolve("memory" + System.nanoTime());
                channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
                memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void cut(int length) {
            try {
                channel.truncate(length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private static int length(int opcode) {
        return opcode >= WrOpcode.ATOMIC_CMP_AND_SWP ? 8 : BYTES;
    }

    private static boolean needsReceive(int opcode) {
        return opcode == WrOpcode.SEND || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    @ParameterizedTest
    @CsvSource({
        "LOCAL, 0, 0",
        "LOCAL, 1, 0",
        "LOCAL, 2, 0",
        "LOCAL, 4, 0",
        "LOCAL, 5, 0",
        "LOCAL, 6, 0",
        "PACKETS, 0, 0",
        "PACKETS, 1, 0",
        "PACKETS, 2, 0",
        "PACKETS, 4, 0",
        "PACKETS, 5, 0",
        "PACKETS, 6, 0",
        "LOCAL, 0, 8192",
        "LOCAL, 2, 8192",
        "LOCAL, 4, 8192",
        "PACKETS, 0, 8192",
        "PACKETS, 2, 8192",
        "PACKETS, 4, 8192",
        "ONE_COPY, 0, 0",
        "ONE_COPY, 1, 0",
        "ONE_COPY, 2, 0",
        "ONE_COPY, 4, 0",
        "ONE_COPY, 5, 0",
        "ONE_COPY, 6, 0",
        "ONE_COPY, 0, 8192",
        "ONE_COPY, 2, 8192",
        "ONE_COPY, 4, 8192"
    })
    void truncatedRemoteMemoryFailsRequest(Way way, int opcode, int left) throws IOException {
        try (Conversation c = new Conversation(way);
                MappedFile file = new MappedFile(BYTES);
                MemoryRegion gone = c.b.register(file.memory)) {
            c.exchange(opcode, c.whole, gone, WcStatus.SUCCESS);
            file.cut(left);
            c.exchange(opcode, c.whole, gone, WcStatus.REM_OP_ERR, WcStatus.REM_ACCESS_ERR);
            if (opcode == WrOpcode.SEND) {
                c.b.expect(WcStatus.LOC_PROT_ERR);
            } else {
                assertThat(c.b.event()).isEqualTo(EventType.QP_FATAL);
            }
            c.b.awaitState(QpState.ERR);
            c.othersGoOn();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LOCAL, 0, 0",
        "LOCAL, 1, 0",
        "LOCAL, 2, 0",
        "LOCAL, 4, 0",
        "LOCAL, 5, 0",
        "LOCAL, 6, 0",
        "PACKETS, 0, 0",
        "PACKETS, 1, 0",
        "PACKETS, 2, 0",
        "PACKETS, 4, 0",
        "PACKETS, 5, 0",
        "PACKETS, 6, 0",
        "LOCAL, 0, 8192",
        "LOCAL, 2, 8192",
        "LOCAL, 4, 8192",
        "PACKETS, 0, 8192",
        "PACKETS, 2, 8192",
        "PACKETS, 4, 8192",
        "ONE_COPY, 0, 0",
        "ONE_COPY, 1, 0",
        "ONE_COPY, 2, 0",
        "ONE_COPY, 4, 0",
        "ONE_COPY, 5, 0",
        "ONE_COPY, 6, 0",
        "ONE_COPY, 0, 8192",
        "ONE_COPY, 2, 8192",
        "ONE_COPY, 4, 8192"
    })
    void truncatedLocalMemoryFailsRequest(Way way, int opcode, int left) throws IOException {
        try (Conversation c = new Conversation(way);
                MappedFile file = new MappedFile(BYTES);
                MemoryRegion gone = c.a.register(file.memory)) {
            c.exchange(opcode, gone, c.whole, WcStatus.SUCCESS);
            file.cut(left);
            c.exchange(opcode, gone, c.whole, WcStatus.LOC_PROT_ERR);
            c.a.awaitState(QpState.ERR);
            c.othersGoOn();
        }
    }

    /** Compiled code learns of the error later than at the access: nobody else may get it. */
    @ParameterizedTest
    @CsvSource({
        "LOCAL, 0, true",
        "LOCAL, 4, true",
        "LOCAL, 5, true",
        "LOCAL, 6, true",
        "LOCAL, 0, false",
        "LOCAL, 4, false",
        "PACKETS, 0, true",
        "PACKETS, 4, true",
        "PACKETS, 6, true",
        "PACKETS, 0, false",
        "PACKETS, 4, false",
        "ONE_COPY, 0, true",
        "ONE_COPY, 4, true",
        "ONE_COPY, 6, true",
        "ONE_COPY, 0, false",
        "ONE_COPY, 4, false"
    })
    void compiledCodeReportsTruncationToItsRequest(Way way, int opcode, boolean responders) throws Exception {
        try (Conversation c = new Conversation(way);
                MappedFile file = new MappedFile(BYTES);
                MemoryRegion gone = c.a.register(file.memory)) {
            MemoryRegion local = responders ? c.whole : gone;
            MemoryRegion remote = responders ? gone : c.whole;
            SendWorkRequest request = End.request(opcode, local, remote, 8);
            int times = way == Way.LOCAL ? COMPILED : COMPILED / 3;
            for (int i = 0; i < times; i++) {
                c.a.post(request);
                assertThat(c.a.status()).isZero();
            }
            file.cut(0);
            c.a.post(request);
            c.a.expect(responders ? WcStatus.REM_OP_ERR : WcStatus.LOC_PROT_ERR);
            System.gc(); // each safepoint would raise an error that is still pending
            Thread.sleep(1);
            assertThat(c.a.cq.poll(0, new WorkCompletion[0])).isZero();
            c.othersGoOn();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void truncatedMemoryFailsDatagrams(Way way) throws IOException {
        try (TestContext device = way.device();
                ProtectionDomain pd = device.allocPd();
                End a = new End(device, pd, QpType.UD);
                End b = new End(device, pd, QpType.UD);
                MappedFile file = new MappedFile(BYTES);
                MemoryRegion whole = a.register(ByteBuffer.allocateDirect(BYTES));
                MemoryRegion gone = a.register(file.memory);
                var ah = pd.createAh(End.path(device.queryGid(1, 0)))) {
            End.connect(a, b);
            file.cut(0);
            b.receive(1, whole, 2000);
            a.post(End.request(WrOpcode.SEND, gone, whole, 1000)
                    .ah(ah)
                    .remoteQpn(b.qp.qpNum())
                    .remoteQkey(7));
            a.expect(WcStatus.LOC_PROT_ERR);
            End again = new End(device, pd, QpType.UD);
            again.toRts(device, b.qp.qpNum());
            again.post(End.request(WrOpcode.SEND, whole, whole, 1000)
                    .ah(ah)
                    .remoteQpn(b.qp.qpNum())
                    .remoteQkey(7));
            again.expect(WcStatus.SUCCESS);
            b.expect(WcStatus.SUCCESS);
            b.receive(2, gone, 2000);
            again.post(End.request(WrOpcode.SEND, whole, whole, 1000)
                    .ah(ah)
                    .remoteQpn(b.qp.qpNum())
                    .remoteQkey(7));
            again.expect(WcStatus.SUCCESS);
            b.expect(WcStatus.LOC_PROT_ERR);
            again.close();
        }
    }

    /** Inline data is read when posted. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void truncatedInlineDataIsRefusedAtPost(Way way) throws IOException {
        try (Conversation c = new Conversation(way);
                MappedFile file = new MappedFile(BYTES);
                MemoryRegion gone = c.a.register(file.memory)) {
            file.cut(0);
            SendWorkRequest request = End.request(WrOpcode.RDMA_WRITE, gone, c.whole, 32);
            request.sendFlags(request.sendFlags() | SendFlags.INLINE);
            assertThat(c.a.qp.postSend(request)).isPositive();
            c.exchange(WrOpcode.RDMA_WRITE, c.whole, c.whole, WcStatus.SUCCESS);
            c.othersGoOn();
        }
    }

    /**
     * The file is truncated while requests touch it and the region is deregistered: that must end, and release all
     * users.
     */
    @ParameterizedTest
    @EnumSource(Way.class)
    void deregistrationOfTruncatedMemoryEnds(Way way) throws Exception {
        for (int race = 0; race < RACES; race++) {
            try (Conversation c = new Conversation(way);
                    MappedFile file = new MappedFile(BYTES)) {
                MemoryRegion gone = c.a.register(file.memory);
                int opcode = race % 3 == 0 ? WrOpcode.RDMA_READ : WrOpcode.RDMA_WRITE;
                boolean responders = race % 2 == 0;
                SendWorkRequest request = responders
                        ? End.request(opcode, c.whole, gone, BYTES)
                        : End.request(opcode, gone, c.whole, BYTES);
                Thread traffic = new Thread(() -> {
                    do {
                        c.a.post(request);
                    } while (c.a.status() == WcStatus.SUCCESS);
                });
                Throwable[] escaped = {null};
                traffic.setUncaughtExceptionHandler((t, e) -> escaped[0] = e);
                traffic.start();
                LockSupport.parkNanos(100_000L * (race % 12));
                file.cut(race % 5 == 0 ? BYTES / 2 : 0);
                gone.close();
                traffic.join();
                assertThat(escaped[0]).isNull();
                c.othersGoOn();
            }
        }
    }

    /** Two pairs of queue pairs on one device: one is affected, the other must continue. */
    private static final class Conversation implements AutoCloseable {
        final TestContext device;
        final ProtectionDomain pd;
        final End a;
        final End b;
        final MemoryRegion whole;
        private final End c;
        private final End d;

        Conversation(Way way) {
            device = way.device();
            pd = device.allocPd();
            a = new End(device, pd, QpType.RC);
            b = new End(device, pd, QpType.RC);
            c = new End(device, pd, QpType.RC);
            d = new End(device, pd, QpType.RC);
            whole = a.register(ByteBuffer.allocateDirect(BYTES));
            End.connect(a, b);
            End.connect(c, d);
            if (way == Way.ONE_COPY) {
                a.awaitOneCopy();
            }
        }

        /** From a to b; with a receive of the remote memory if needed. */
        void exchange(int opcode, MemoryRegion local, MemoryRegion remote, Integer... statuses) {
            int length = length(opcode);
            if (needsReceive(opcode)) {
                assertThat(b.qp.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(remote, 0, length))))
                        .isZero();
            }
            a.post(End.request(opcode, local, remote, length));
            a.expect(statuses);
            if (needsReceive(opcode) && statuses[0] == WcStatus.SUCCESS) {
                b.expect(WcStatus.SUCCESS);
            }
        }

        void othersGoOn() {
            for (int opcode : new int[] {WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD}) {
                c.post(End.request(opcode, whole, whole, length(opcode)));
                c.expect(WcStatus.SUCCESS);
            }
            d.receive(1, whole, BYTES);
            c.post(End.request(WrOpcode.SEND, whole, whole, BYTES));
            c.expect(WcStatus.SUCCESS);
            d.expect(WcStatus.SUCCESS);
        }

        @Override
        public void close() {
            a.close();
            b.close();
            c.close();
            d.close();
            whole.close();
            pd.close();
            device.close();
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.DevicePorts;
import io.verbs4j.provider.rxe.memory.PageCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Memory on demand: the faults of its pages, and advice that avoids them. */
@WithOneCopy
class OnDemandPathsTest extends MemoryPaths {
    private PageCounters pages() {
        return DevicePorts.of(b.context.device()).keys().pages();
    }

    /** Allocates memory of its own that begins on a page boundary. */
    private MemoryRegion onDemand(int access) {
        ByteBuffer memory = ByteBuffer.allocateDirect(101 * PAGE).alignedSlice(PAGE);
        return b.opened(b.pd.regMr(memory.slice(0, 100 * PAGE), access | AccessFlags.ON_DEMAND));
    }

    private long faultsOf(SendWorkRequest wr) {
        long before = b.faults();
        works(wr);
        return b.faults() - before;
    }

    @Test
    void firstTouchOfEachPageFaults() {
        start();
        MemoryRegion mr = onDemand(Side.ALL_ACCESS);
        assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + PAGE - 1, 2)))
                .isEqualTo(2);
        assertThat(faultsOf(request(WrOpcode.RDMA_READ, mr, mr.addr(), 2 * PAGE)))
                .isZero();
        assertThat(faultsOf(request(WrOpcode.RDMA_READ, mr, mr.addr() + PAGE, 70 * PAGE)))
                .isEqualTo(69);
        assertThat(faultsOf(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, mr.addr() + 80 * PAGE, 8)))
                .isEqualTo(1);
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(4).sgList(piece(mr, mr.addr() + 90 * PAGE, 3 * PAGE))))
                .isZero();
        assertThat(faultsOf(Side.wr(WrOpcode.SEND, 5, a.sge(0, 2 * PAGE)))).isEqualTo(2);
        b.next(4, WcStatus.SUCCESS);
        assertThat(faultsOf(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 100)), b, 0)))
                .as("faults in memory not registered ON_DEMAND")
                .isZero();
    }

    @Test
    void datagramsFaultPagesIn() {
        make(side -> side.qpType = QpType.UD);
        for (Side side : new Side[] {a, b}) {
            side.toInit();
            side.toRtr(null, 0, 0);
            side.toRts(1);
        }
        MemoryRegion from = a.onDemand();
        MemoryRegion into = b.onDemand();
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(into, 0, 5000))))
                .isZero();
        long faults = b.faults();
        a.post(Side.wr(WrOpcode.SEND, 2, ScatterGatherElement.of(from, 0, 4096))
                .ah(a.opened(a.pd.createAh(a.path(b.gid()))))
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY));
        a.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        b.assertPattern(40, 1, 0, 4096);
        assertThat(b.faults() - faults).isBetween(2L, 5L); // depends on alignment; counts both sides of one device
    }

    @Test
    void prefetchSavesFaults() {
        start();
        MemoryRegion mr = onDemand(Side.ALL_ACCESS);
        long faults = b.faults();
        long prefetched = pages().prefetched();
        b.pd.adviseMr(
                AdviseMrAdvice.PREFETCH,
                AdviseMrFlags.FLUSH,
                piece(mr, mr.addr(), 10 * PAGE),
                piece(mr, mr.addr() + 5 * PAGE, 10 * PAGE));
        assertThat(pages().prefetched() - prefetched).isEqualTo(15);
        b.pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, piece(mr, mr.addr() + 15 * PAGE, 1));
        assertThat(pages().prefetched() - prefetched).isEqualTo(16);
        b.pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, piece(mr, mr.addr(), 0));
        assertThat(b.faults()).isEqualTo(faults);
        assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 16 * PAGE)))
                .isZero();
        assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 16 * PAGE + 1)))
                .isEqualTo(1);
        assertThat(DevicePorts.of(b.context.device()).counters()).containsEntry("page_prefetch", pages().prefetched());
    }

    /** Pages of a file are not in the page tables before somebody touches them. */
    @Test
    void prefetchWithoutFaultNotesPresentPagesOnly() throws IOException {
        Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/self/pagemap")), "no /proc/self/pagemap");
        start();
        Path file = folder.resolve("pages");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1000L * PAGE);
            MemoryRegion mr = b.opened(b.pd.regMr(memory, Side.ALL_ACCESS | AccessFlags.ON_DEMAND));
            memory.put(600 * PAGE, (byte) 1);
            long prefetched = pages().prefetched();
            b.pd.adviseMr(AdviseMrAdvice.PREFETCH_NO_FAULT, 0, piece(mr, mr.addr(), 1000 * PAGE));
            assertThat(pages().prefetched() - prefetched).isBetween(1L, 100L); // neighbours may be present
            assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 600 * PAGE, 1)))
                    .isZero();
            assertThat(faultsOf(request(WrOpcode.RDMA_WRITE, mr, mr.addr() + 10 * PAGE, 1)))
                    .isEqualTo(1);
            b.pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, piece(mr, mr.addr(), 1000 * PAGE));
            assertThat(memory.get(600 * PAGE)).as("byte after PREFETCH_WRITE").isEqualTo(Side.pattern(1, 0));
            mr.close();
        }
    }

    @Test
    void invalidAdviceIsRefused() {
        start();
        MemoryRegion mr = onDemand(AccessFlags.REMOTE_READ);
        long prefetched = pages().prefetched();
        ScatterGatherElement fine = piece(mr, mr.addr(), PAGE);
        int advice = AdviseMrAdvice.PREFETCH;
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, piece(mr, mr.addr() + 99 * PAGE, PAGE + 1))))
                .isEqualTo(Errno.EFAULT);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, piece(mr, mr.addr() - 1, 1))))
                .isEqualTo(Errno.EFAULT);
        assertThat(errno(() -> b.pd.adviseMr(
                        advice,
                        0,
                        fine,
                        new ScatterGatherElement().addr(mr.addr()).lkey(mr.lkey() ^ 1))))
                .isEqualTo(Errno.ENOENT);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, b.sge(0, 1)))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0, fine, piece(mr, mr.addr(), -1))))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.adviseMr(AdviseMrAdvice.PREFETCH_WRITE, 0, fine)))
                .isEqualTo(Errno.EPERM);
        try (ProtectionDomain other = b.context.allocPd()) {
            assertThat(errno(() -> other.adviseMr(advice, 0, fine))).isEqualTo(Errno.EPERM);
        }
        assertThat(errno(() -> b.pd.adviseMr(77, 0, fine))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(errno(() -> b.pd.adviseMr(advice, 2, fine))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(errno(() -> b.pd.adviseMr(advice, 0))).isEqualTo(Errno.EINVAL);
        assertThat(pages().prefetched())
                .as("prefetched pages after refused calls")
                .isEqualTo(prefetched);
    }
}

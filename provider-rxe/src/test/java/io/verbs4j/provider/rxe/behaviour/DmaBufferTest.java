/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.ContextSlot;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Patience;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DMA buffers allocated by the embedded device. */
class DmaBufferTest extends TwoSides {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    private static final int LENGTH = 10_001;

    @Override
    boolean overTheWire() {
        return false;
    }

    @BeforeEach
    void connectTwo() {
        make(side -> {});
        Side.connect(a, b);
    }

    @Test
    void peerWritesBuffer() {
        DmaBuffer buf = b.opened(b.pd.allocBuf(LENGTH));
        assertThat(buf.addr() % 4096).isZero();
        assertThat(buf.length()).isEqualTo(LENGTH);
        MemoryRegion mr = b.opened(buf.regMr(RIGHTS));

        a.post(Side.wr(WrOpcode.RDMA_WRITE, 7, a.sge(0, LENGTH))
                .remoteAddr(mr.addr())
                .rkey(mr.rkey()));
        a.next(7, WcStatus.SUCCESS);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(buf.buffer(i, 1).get(0)).isEqualTo(Side.pattern(1, i));
        }
        a.post(Side.wr(WrOpcode.RDMA_WRITE, 8, a.sge(0, LENGTH + 1))
                .remoteAddr(mr.addr())
                .rkey(mr.rkey()));
        a.next(8, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void partOfBufferIsRegistered() {
        DmaBuffer buf = b.opened(b.pd.allocBuf(LENGTH));
        MemoryRegion mr = b.opened(b.pd.regMrEx(new RegMrAttrEx()
                .buf(buf)
                .addr(buf.addr() + 5000)
                .length(1000)
                .iova(0x7000)
                .access(RIGHTS)));
        for (int i = 0; i < 1000; i++) {
            buf.buffer(5000 + i, 1).put(0, Side.pattern(5, i));
        }

        a.post(Side.wr(WrOpcode.RDMA_READ, 7, a.sge(0, 1000)).remoteAddr(0x7000).rkey(mr.rkey()));
        a.next(7, WcStatus.SUCCESS);
        a.assertPattern(0, 5, 0, 1000);
    }

    /** Even when the program has lost the handle. */
    @Test
    void memoryStaysUntilFreed() {
        WeakReference<DmaBuffer> lost = new WeakReference<>(b.pd.allocBuf(1 << 20));
        use(lost);
        for (int i = 0; i < 100 && lost.get() != null; i++) {
            System.gc();
            Patience.pause(i);
        }
        assertThat(lost.get()).as("buffer after garbage collection").isNull();
    }

    private void use(WeakReference<DmaBuffer> lost) {
        MemoryRegion mr = lost.get().regMr(RIGHTS);
        for (int i = 0; i < 5; i++) {
            System.gc();
            a.post(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(0, LENGTH))
                    .remoteAddr(mr.addr() + 100_000L * i)
                    .rkey(mr.rkey()));
            a.next(i, WcStatus.SUCCESS);
        }
        assertThat(lost.get()).isNotNull();
        mr.close();
        lost.get().close();
    }

    @Test
    void missingFeaturesAreRefused() {
        assertThatThrownBy(() -> b.pd.allocBuf(Integer.MAX_VALUE))
                .hasMessageContainingAll("EINVAL", "allocate several");
        assertThat(b.context.queryContext().hasVerb(ContextSlot.ALLOC_DMAH)).isFalse();
        assertThatThrownBy(() -> b.context.allocDmah(new DmahInitAttr().ph(1))).hasMessageContaining("EOPNOTSUPP");
        DmaBuffer buf = b.opened(b.pd.allocBuf(1));
        assertThatThrownBy(buf::exportDmabufFd).hasMessageContaining("EOPNOTSUPP");
    }
}

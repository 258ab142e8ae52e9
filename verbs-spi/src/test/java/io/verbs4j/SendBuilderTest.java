/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static io.verbs4j.BuilderFakes.AH;
import static io.verbs4j.BuilderFakes.CQ;
import static io.verbs4j.BuilderFakes.MR;
import static io.verbs4j.BuilderFakes.MW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbs4j.BuilderFakes.NewQp;
import io.verbs4j.BuilderFakes.OldQp;
import io.verbs4j.BuilderFakes.QuietQp;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What builders collect, and what reaches providers that read it and those that know only work requests. */
class SendBuilderTest extends SendBuilderRig {
    /**
     * Builds each operation twice with all its parts, so that no value of an earlier request is mistaken for a later
     * one's.
     */
    private void build(SendBuilder b, OldQp other) {
        b.write(1, S, RKEY, ADDR, -1, 0x2000, 8);
        expect(remote(WrOpcode.RDMA_WRITE, 1, S).sgList(e(-1, 0x2000, 8)));
        b.read(2, FENCED, RKEY, ADDR, -2, 0x2000, Integer.MAX_VALUE);
        expect(remote(WrOpcode.RDMA_READ, 2, FENCED).sgList(e(-2, 0x2000, Integer.MAX_VALUE)));
        b.send(3, 0, 5, ADDR, 0);
        expect(wr(WrOpcode.SEND, 3, 0).sgList(e(5, ADDR, 0)));
        b.write(4, S, RKEY, ADDR).sge(1, 2, 3).sge(4, 5, 6).sge(-7, ADDR, 9);
        expect(remote(WrOpcode.RDMA_WRITE, 4, S).sgList(e(1, 2, 3), e(4, 5, 6), e(-7, ADDR, 9)));
        b.writeWithImm(5, S, RKEY, ADDR, -5);
        expect(remote(WrOpcode.RDMA_WRITE_WITH_IMM, 5, S).immData(-5));
        b.read(6, S, RKEY, ADDR).sge(1, 2, 3);
        expect(remote(WrOpcode.RDMA_READ, 6, S).sgList(e(1, 2, 3)));
        b.readWithInv(7, S, RKEY, ADDR).sge(1, 2, 3);
        expect(remote(WrOpcode.RDMA_READ_WITH_INV, 7, S).sgList(e(1, 2, 3)));
        b.send(8, S).inlineData(1, 2, 3).inlineData(4, 5, 6);
        expect(wr(WrOpcode.SEND, 8, S | SendFlags.INLINE).sgList(e(1, 2, 3), e(4, 5, 6)));
        b.sendWithImm(9, S, -1);
        expect(wr(WrOpcode.SEND_WITH_IMM, 9, S).immData(-1));
        b.sendWithInv(10, S, RKEY).sge(1, 2, 3);
        expect(wr(WrOpcode.SEND_WITH_INV, 10, S).invalidateRkey(RKEY).sgList(e(1, 2, 3)));
        b.atomicCompareSwap(11, S, RKEY, ADDR, -1, 7).sge(1, 2, 8).sge(2, 3, 0);
        expect(remote(WrOpcode.ATOMIC_CMP_AND_SWP, 11, S).compareAdd(-1).swap(7).sgList(e(1, 2, 8), e(2, 3, 0)));
        b.atomicFetchAdd(12, S, RKEY, ADDR, Long.MIN_VALUE).sge(1, 2, 8);
        expect(remote(WrOpcode.ATOMIC_FETCH_AND_ADD, 12, S)
                .compareAdd(Long.MIN_VALUE)
                .sgList(e(1, 2, 8)));
        b.maskedCompareSwap(13, S, RKEY, ADDR, 4, -2, -3, -4, -5).sge(1, 2, 4);
        expect(remote(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 13, S)
                .atomicWidth(4)
                .compareAdd(-2)
                .swap(-3)
                .compareAddMask(-4)
                .swapMask(-5)
                .sgList(e(1, 2, 4)));
        b.maskedFetchAdd(14, S, RKEY, ADDR, 8, -2, -4).sge(1, 2, 8);
        expect(remote(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 14, S)
                .atomicWidth(8)
                .compareAdd(-2)
                .compareAddMask(-4)
                .sgList(e(1, 2, 8)));
        b.localInv(15, S, RKEY);
        expect(wr(WrOpcode.LOCAL_INV, 15, S).invalidateRkey(RKEY));
        MwBind bind = new MwBind().mr(MR).addr(ADDR).length(1L << 40).mwAccessFlags(AccessFlags.REMOTE_READ | 1 << 31);
        b.bindMw(16, S, MW, RKEY, bind);
        expect(wr(WrOpcode.BIND_MW, 16, S).mw(MW).mwRkey(RKEY).mwBind(bind));
        bind.mr(null).addr(0); // was copied
        FastRegister register = new FastRegister().mr(MR).key(RKEY).access(-1).addr(ADDR);
        b.regMr(17, S, register).sge(1, 2, 3).sge(4, 5, 6);
        expect(wr(WrOpcode.REG_MR, 17, S).fastRegister(register).sgList(e(1, 2, 3), e(4, 5, 6)));
        register.mr(null).key(0); // was copied
        b.flush(18, S, RKEY, ADDR, 0xffffffffL, FlushType.GLOBAL, FlushLevel.MR);
        expect(remote(WrOpcode.FLUSH, 18, S)
                .flushLength(0xffffffffL)
                .flushType(FlushType.GLOBAL)
                .flushLevel(FlushLevel.MR));
        b.atomicWrite(19, S, RKEY, ADDR, -19);
        expect(remote(WrOpcode.ATOMIC_WRITE, 19, S).atomicWriteValue(-19));
        b.nop(20, S);
        expect(wr(WrOpcode.NOP, 20, S));
        b.cqeWait(21, S, CQ, -1);
        expect(wr(WrOpcode.CQE_WAIT, 21, S).waitCq(CQ).waitCount(-1));
        b.sendEnable(22, S, other, 3);
        expect(wr(WrOpcode.SEND_ENABLE, 22, S).enableQp(other).waitCount(3));
        b.recvEnable(23, S, other, 0);
        expect(wr(WrOpcode.RECV_ENABLE, 23, S).enableQp(other).waitCount(0));
    }

    private void allOperations(OldQp qp) {
        SendBuilder b = qp.builder();
        for (int round = 0; round < 2; round++) {
            b.start();
            build(b, qp);
            build(b, qp);
            assertEquals(0, b.complete());
            assertEquals(46, b.posted());
            assertEquals(round + 1, qp.calls, "one call to the provider");
            assertEquals(expected, qp.posted);
        }
    }

    @Test
    void everyOperationReachesProviderThatReadsBuilder() {
        allOperations(new NewQp(QpType.RC));
    }

    @Test
    void everyOperationReachesProviderWithoutBuilders() {
        allOperations(new OldQp(QpType.RC));
    }

    /** Including flags that no level defines yet. Only INLINE fails. */
    @Test
    void everyFlagReachesEitherProvider() {
        for (OldQp qp : List.of(new OldQp(QpType.RC), new NewQp(QpType.RC))) {
            SendBuilder b = qp.builder();
            expected.clear();
            b.start();
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                int flags = 1 << bit;
                if (flags != SendFlags.INLINE) {
                    b.send(bit, flags).sge(1, 2, 3);
                    expect(wr(WrOpcode.SEND, bit, flags).sgList(e(1, 2, 3)));
                }
            }
            assertEquals(0, b.complete());
            assertEquals(expected, qp.posted);
        }
    }

    @Test
    void builderGrowsToThousandsOfRequests() {
        for (OldQp qp : List.of(new OldQp(QpType.RC), new NewQp(QpType.RC))) {
            SendBuilder b = qp.builder();
            expected.clear();
            b.start();
            for (int i = 0; i < 1000; i++) {
                b.atomicCompareSwap(i, S, i, i, i, i)
                        .sge(i, i, i)
                        .sge(-i, -i, i)
                        .sge(i, 1, 2);
                expect(wr(WrOpcode.ATOMIC_CMP_AND_SWP, i, S)
                        .rkey(i)
                        .remoteAddr(i)
                        .compareAdd(i)
                        .swap(i)
                        .sgList(e(i, i, i), e(-i, -i, i), e(i, 1, 2)));
                b.cqeWait(i, 0, CQ, i);
                expect(wr(WrOpcode.CQE_WAIT, i, 0).waitCq(CQ).waitCount(i));
            }
            assertEquals(0, b.complete());
            assertEquals(2000, b.posted());
            assertEquals(expected, qp.posted);
        }
    }

    @Test
    void providerReadsWordsOfRequests() {
        NewQp qp = new NewQp(QpType.RC);
        SendBuilder b = qp.builder();
        b.start();
        b.write(1, S, RKEY, ADDR, -1, 0x2000, 8).send(2, S).inlineData(1, 2, 3).sendWithImm(3, 0, -3);
        b.sendWithInv(4, S, RKEY).sge(3, 4, 5).sge(3, 4, 5).localInv(5, S, 1);
        assertEquals(5, b.count());
        assertEquals(1, b.wrId(0));
        assertEquals(WrOpcode.RDMA_WRITE, b.opcode(0));
        assertEquals(S, b.sendFlags(0));
        assertEquals(RKEY, b.rkey(0));
        assertEquals(ADDR, b.remoteAddr(0));
        assertEquals(-1, b.lkey(0));
        assertEquals(0x2000, b.addr(0));
        assertEquals(8, b.length(0));
        assertTrue(b.isSimple(0));
        assertTrue(b.isSimple(1), "inline, too");
        assertFalse(b.isInline(0));
        assertTrue(b.isInline(1));
        assertFalse(b.isSimple(2), "no element");
        assertEquals(-3, b.immData(2));
        assertEquals(0, b.numSge(2));
        assertFalse(b.isSimple(3), "two elements");
        assertEquals(2, b.numSge(3));
        assertEquals(RKEY, b.invalidateRkey(3));
        assertFalse(b.isSimple(4), "takes none");
        b.abort();
    }

    @Test
    void lastAddressOfDatagramWins() {
        for (OldQp qp : List.of(new OldQp(QpType.UD), new NewQp(QpType.UD))) {
            SendBuilder b = qp.builder();
            b.start();
            b.send(1, S).udAddr(AH, 5, -6).sge(1, 2, 3).sge(4, 5, 6);
            b.send(2, S).sge(1, 2, 3).udAddr(AH, 1, 1).udAddr(AH, 7, 8).sge(4, 5, 6);
            assertEquals(0, b.complete());
            assertEquals(
                    List.of(
                            "SEND 1 flags 2 [1 2 3] [4 5 6] ah true 5 -6",
                            "SEND 2 flags 2 [1 2 3] [4 5 6] ah true 7 8"),
                    qp.posted);
        }
    }

    @Test
    void addressAppliesToItsRequestOnly() {
        SendBuilder b = new NewQp(QpType.UD).builder();
        b.start();
        b.send(1, S).udAddr(AH, 5, 6).send(2, S);
        assertSame(AH, b.request(0).ah());
        assertNull(b.request(1).ah());
        b.abort();
    }

    @Test
    void xrcAndVendorAddressesAreRead() {
        NewQp xrc = new NewQp(QpType.XRC_SEND);
        SendBuilder b = xrc.builder();
        b.start();
        b.send(1, S).xrcSrqn(0xabcdef);
        assertTrue(b.namesSrq(0));
        assertEquals(0xabcdef, b.remoteSrqn(0));
        assertEquals(0xabcdef, b.request(0).remoteSrqn());
        b.abort();
        NewQp driver = new NewQp(QpType.DRIVER);
        assertEquals(0, built(driver, s -> s.write(1, S, RKEY, ADDR).vendorAddr(AH, 9, ADDR)));
        assertTrue(driver.posted.get(0).endsWith(" to true 9 8000000000000010"), driver.posted.get(0));
    }

    @Test
    void severalBuildersShareQueuePair() {
        OldQp qp = new OldQp(QpType.RC);
        SendBuilder first = qp.builder();
        SendBuilder second = qp.builder();
        first.start();
        first.nop(1, 0);
        second.start();
        second.nop(2, 0);
        assertEquals(0, qp.postSend(wr(WrOpcode.NOP, 3, 0)));
        assertEquals(0, second.complete());
        assertEquals(0, first.complete());
        assertEquals(List.of("NOP 3 flags 0", "NOP 2 flags 0", "NOP 1 flags 0"), qp.posted);
    }

    @Test
    void referencesAreDroppedAfterBatch() {
        NewQp qp = new NewQp(QpType.RC);
        SendBuilder b = qp.builder();
        b.start();
        b.bindMw(1, S, MW, 1, new MwBind().mr(MR));
        assertEquals(0, b.complete());
        assertEquals(0, b.objectAt());
        b.start();
        b.atomicFetchAdd(1, S, RKEY, ADDR, 1).sge(1, 2, 8).cqeWait(2, S, CQ, 1);
        assertEquals(1, b.objectAt());
        assertEquals(2, b.moreAt());
        b.abort();
        assertEquals(0, b.objectAt(), "they do not accumulate");
        assertEquals(0, b.moreAt());
        b.start();
        b.nop(1, S);
        SendWorkRequest wr = b.request(0);
        assertNull(wr.mw());
        assertNull(wr.mwBind());
        b.abort();
        b.start();
        b.bindMw(1, S, MW, 1, new MwBind().mr(MR)).bindMw(2, S, MW, 1, null);
        assertEquals(Errno.EINVAL, b.complete());
        assertEquals(0, b.objectAt(), "of a batch with an error");
        b.start();
        b.send(1, S).sge(1, 2, 8).sge(1, 2, 8);
        assertEquals(2, b.moreAt());
        assertEquals(0, b.complete());
        assertEquals(0, b.moreAt(), "after elements only");
    }

    @Test
    void postingAllocatesNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        QuietQp qp = new QuietQp(QpType.RC);
        SendBuilder b = qp.builder();
        MwBind bind = new MwBind().mr(MR);
        long self = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 1000; i++) {
                b.start();
                b.write(1, S, RKEY, ADDR, 1, 2, 3).send(2, S).sge(1, 2, 3).sge(1, 2, 3);
                b.bindMw(3, S, MW, 1, bind).atomicCompareSwap(4, S, 1, 1, 1, 1).sge(1, 2, 8);
                b.complete();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertEquals(50_000, qp.sum);
        assertTrue(least < 1000, least + " bytes in 4000 requests"); // the measurement itself allocates
    }
}

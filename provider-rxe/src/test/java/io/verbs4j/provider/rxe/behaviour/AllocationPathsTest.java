/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TmHeader;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WcTmInfo;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.testsupport.Extent;
import io.verbs4j.testsupport.Patience;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Posting and polling allocate nothing. */
class AllocationPathsTest extends EachPath {
    /** The kernel's device has no timestamps and is spared windows of type 2. */
    private static final boolean EMBEDDED = System.getProperty(TwoSides.DEVICES) == null;

    /** Enough rounds for everything to be compiled; fewer where operations are slow and code is compiled early. */
    private static final int WARM_UP = Integer.getInteger("verbs4j.test.warmup", Extent.isFull() ? 12_000 : 6_000);

    private static final int MEASURED = WARM_UP / 6;
    private static final int ROUNDS = 6;

    private final WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};

    @Test
    void sendReceiveAndPollAllocateNothing() {
        start();
        SendWorkRequest send = Side.wr(WrOpcode.SEND, 1, a.sge(0, 3000));
        RecvWorkRequest recv = new RecvWorkRequest().wrId(2).sgList(b.sge(0, 4000));
        assertNothingAllocated(() -> {
            check(b.qp.postRecv(recv));
            check(a.qp.postSend(send));
            await(a);
            await(b);
        });
    }

    @Test
    void writeReadAndAtomicAllocateNothing() {
        start();
        SendWorkRequest atomic = a.to(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 3, a.sge(0, 8)), b, 0)
                .compareAdd(1);
        SendWorkRequest read =
                a.to(Side.wr(WrOpcode.RDMA_READ, 2, a.sge(0, 2000)), b, 8).next(atomic);
        SendWorkRequest write =
                a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(4000, 2000)), b, 8).next(read);
        assertNothingAllocated(() -> {
            check(a.qp.postSend(write));
            await(a);
            await(a);
            await(a);
        });
    }

    /** Posts a list of work requests, which the builder keeps. */
    @Test
    void builderAllocatesNothing() {
        start();
        SendBuilder builder = a.qp.builder();
        int lkey = a.mr.lkey();
        int rkey = b.mr.rkey();
        long from = a.mr.addr();
        long to = b.mr.addr();
        assertNothingAllocated(() -> {
            builder.start();
            builder.write(1, SendFlags.SIGNALED, rkey, to + 8, lkey, from + 4000, 2000);
            builder.read(2, SendFlags.SIGNALED, rkey, to + 8)
                    .sge(lkey, from, 1000)
                    .sge(lkey, from + 1000, 1000);
            builder.atomicFetchAdd(3, SendFlags.SIGNALED, rkey, to, 1).sge(lkey, from, 8);
            check(builder.complete());
            await(a);
            await(a);
            await(a);
        });
    }

    @Test
    void windowsOfType2AllocateNothing() {
        start();
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        SendWorkRequest bind = Side.wr(WrOpcode.BIND_MW, 1)
                .mw(mw)
                .mwBind(new MwBind().mr(b.mr).addr(b.mr.addr()).length(100).mwAccessFlags(AccessFlags.REMOTE_WRITE));
        SendWorkRequest invalidate = Side.wr(WrOpcode.LOCAL_INV, 2);
        SendWorkRequest send = Side.wr(WrOpcode.SEND_WITH_INV, 3, a.sge(0, 100));
        RecvWorkRequest recv = new RecvWorkRequest().wrId(4).sgList(b.sge(0, 4000));
        assertNothingAllocated(() -> {
            check(b.qp.postSend(bind.mwRkey(MemoryWindow.incRkey(mw.rkey()))));
            await(b);
            check(b.qp.postSend(invalidate.invalidateRkey(mw.rkey())));
            await(b);
            check(b.qp.postSend(bind.mwRkey(MemoryWindow.incRkey(mw.rkey()))));
            await(b);
            check(b.qp.postRecv(recv));
            check(a.qp.postSend(send.invalidateRkey(mw.rkey())));
            await(a);
            await(b);
        });
    }

    @Test
    void onDemandAndDeviceMemoryAllocateNothing() {
        start();
        if (!EMBEDDED) {
            return; // other devices have tests of their own
        }
        MemoryRegion onDemand = b.opened(b.pd.regMr(b.buffer, Side.ALL_ACCESS | AccessFlags.ON_DEMAND));
        DeviceMemory dm = b.opened(b.context.allocDm(new AllocDmAttr().length(4000)));
        MemoryRegion there = b.opened(
                b.pd.regDmMr(dm, 0, 4000, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED));
        ByteBuffer direct = ByteBuffer.allocateDirect(4000);
        SendWorkRequest second =
                Side.wr(WrOpcode.RDMA_WRITE, 2, a.sge(0, 3000)).remoteAddr(100).rkey(there.rkey());
        SendWorkRequest first = Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 3000))
                .remoteAddr(onDemand.addr())
                .rkey(onDemand.rkey())
                .next(second);
        assertNothingAllocated(() -> {
            check(dm.copyTo(0, direct));
            check(a.qp.postSend(first));
            await(a);
            await(a);
            check(dm.copyFrom(direct, 0));
        });
    }

    private static void stamped(Side side) {
        long time = WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;
        side.extended = new CqInitAttrEx().wcFlags(EMBEDDED ? WcExFlags.STANDARD | time : WcExFlags.STANDARD);
    }

    @Test
    void pollWithSizeAllocatesNothing() {
        start(AllocationPathsTest::stamped);
        SendWorkRequest write = a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(4000, 2000)), b, 8);
        assertNothingAllocated(() -> {
            check(a.qp.postSend(write));
            int n;
            do {
                n = a.cq.poll(1, wc, WorkCompletion.SIZE);
            } while (n == 0);
            check(n == 1 && wc[0].compMask() == (EMBEDDED ? 3 : 0) && wc[0].completionTs() != 0 == EMBEDDED ? 0 : 1);
        });
    }

    /** Matched messages, unexpected messages, and rendezvous requests whose data the device reads. */
    @Test
    void taggedMessagesAllocateNothing() {
        if (!EMBEDDED) {
            return;
        }
        make(side -> side.extended = new CqInitAttrEx().wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO));
        b.tags = 4;
        b.deviceSends = true;
        b.createQp();
        Side.connect(a, b);
        TmHeader.write(a.buffer, 0, TmHeader.EAGER, 7, 5);
        TmHeader.writeRndv(a.buffer, 4000, 7, 6, a.mr.addr(), a.mr.rkey(), 2000);
        OpsWorkRequest request = Tags.add(1, 6, -1, b.sge(4000, 4000)).flags(0);
        OpsWorkRequest eager = Tags.add(1, 5, -1, b.sge(0, 4000)).flags(0).next(request);
        RecvWorkRequest recv = new RecvWorkRequest().wrId(2).sgList(b.sge(8000, 4000));
        RecvWorkRequest fin = new RecvWorkRequest().wrId(2).sgList(a.sge(8000, 4000));
        SendWorkRequest send = Side.wr(WrOpcode.SEND, 1, a.sge(0, 500));
        SendWorkRequest ask = Side.wr(WrOpcode.SEND, 1, a.sge(4000, TmHeader.RNDV_LENGTH));
        WcTmInfo info = new WcTmInfo();
        int[] unexpected = {0};
        assertNothingAllocated(() -> {
            check(b.srq.postSrqOps(
                    eager.flags(OpsFlags.TM_SYNC).unexpectedCnt(unexpected[0]))); // adds the second buffer as well
            check(b.srq.postRecv(recv));
            check(a.qp.postRecv(fin));
            check(a.qp.postSend(send));
            await(a);
            check(awaitTag(info) == 5 ? 0 : 1);
            check(a.qp.postSend(send));
            await(a);
            check(awaitTag(info) == 0 ? 0 : 1);
            unexpected[0]++;
            check(a.qp.postSend(ask));
            await(a);
            await(a);
            check(awaitTag(info) == 6 ? 0 : 1);
            check(awaitTag(info) == 6 ? 0 : 1);
        });
    }

    private long awaitTag(WcTmInfo info) {
        int error;
        for (int turn = 0; (error = b.cq.startPoll(null)) == Errno.ENOENT; turn++) {
            Patience.pause(turn);
        }
        check(error);
        check(b.cq.status());
        b.cq.readTmInfo(info);
        check(b.cq.endPoll());
        return info.tag();
    }

    @Test
    void readingOneByOneAllocatesNothing() {
        start(AllocationPathsTest::stamped);
        SendWorkRequest write = a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(4000, 2000)), b, 8);
        assertNothingAllocated(() -> {
            check(a.qp.postSend(write));
            int error;
            do {
                error = a.cq.startPoll(null);
            } while (error == Errno.ENOENT);
            check(error);
            check(a.cq.status());
            check(a.cq.wrId() == 1 && a.cq.readByteLen() == 2000 ? 0 : 1);
            check(!EMBEDDED || a.cq.readCompletionTs() != 0 && a.cq.readCompletionWallclockNs() > 0 ? 0 : 1);
            check(a.cq.nextPoll() == Errno.ENOENT ? 0 : 1);
            check(a.cq.endPoll());
        });
    }

    private void await(Side side) {
        for (int turn = 0; ; turn++) {
            int n = side.cq.poll(1, wc);
            if (n == 1) {
                check(wc[0].status() == WcStatus.SUCCESS ? 0 : 1);
                return;
            }
            check(n);
            Patience.pause(turn);
        }
    }

    private static void check(int code) {
        if (code != 0) {
            throw new AssertionError("code " + code);
        }
    }

    private static void assertNothingAllocated(Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            operation.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            // Recompilation in the middle may allocate once: the quietest round shows what the code itself allocates.
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < MEASURED; i++) {
                operation.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated by %d operations", MEASURED).isZero();
    }
}

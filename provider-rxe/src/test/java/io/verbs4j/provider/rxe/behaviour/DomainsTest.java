/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.InputAttr;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RingAllocator;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread domains and parent domains: which objects belong together, and where rings are allocated. */
class DomainsTest extends TwoSides {
    private static final int INLINE = 200;

    @Override
    boolean overTheWire() {
        return false;
    }

    private static int errno(Runnable verb) {
        VerbsException e = catchThrowableOfType(VerbsException.class, verb::run);
        return e == null ? 0 : e.errno();
    }

    /** Provides one buffer, once, and records the requests it gets. */
    private final class Log implements RingAllocator {
        final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20).alignedSlice(4096);
        final MemoryRegion region = a.opened(a.pd.regMr(memory, AccessFlags.LOCAL_WRITE));
        final List<String> calls = new ArrayList<>();
        Long answer;
        long size;
        Object context;
        ParentDomain domain;

        @Override
        public long alloc(ParentDomain pd, Object pdContext, long bytes, long alignment, long resourceType) {
            size = bytes;
            context = pdContext;
            domain = pd;
            calls.add("alloc " + alignment + " " + resourceType);
            if (answer == null) {
                return region.addr();
            }
            if (answer == 1) {
                throw new IllegalStateException("allocator failure");
            }
            return answer;
        }

        @Override
        public void free(ParentDomain pd, Object pdContext, long addr, long resourceType) {
            assertThat(pd).isSameAs(domain);
            assertThat(pdContext).isSameAs(context);
            calls.add("free " + Long.toHexString(addr) + " " + resourceType);
        }
    }

    private static QpInitAttr reliable(Side side, int inline) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(side.cq)
                .recvCq(side.cq)
                .cap(new QpCap()
                        .maxSendWr(8)
                        .maxRecvWr(8)
                        .maxSendSge(2)
                        .maxRecvSge(2)
                        .maxInlineData(inline));
    }

    private void takeQueuePair(Side side, QueuePair made) {
        side.qp = side.opened(made);
    }

    // ---- allocation of rings

    @Test
    void memoryOfAllocatorIsUsed() {
        make(side -> {});
        Log log = new Log();
        Object mine = new Object();
        ParentDomain parent = a.opened(a.context.allocParentDomain(
                new ParentDomainInitAttr().pd(a.pd).allocators(log).pdContext(mine)));
        QueuePair qp = parent.createQp(reliable(a, INLINE));
        assertThat(log.calls).containsExactly("alloc 64 " + (14L << 32 | 1));
        assertThat(log.size).isBetween(8L * INLINE, 1L << 20);
        assertThat(log.context).isSameAs(mine);
        assertThat(log.domain).isSameAs(parent);
        a.qp.close();
        a.qp = qp;
        Side.connect(a, b);
        for (int i = 0; i < 20; i++) { // wraps round the ring
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, i, a.sge(i, INLINE)), b, i * 300)
                    .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
            a.next(i, WcStatus.SUCCESS);
            b.assertPattern(i * 300, 1, i, INLINE);
            assertThat(log.memory.slice(i % 8 * INLINE, INLINE)).isEqualTo(a.buffer.slice(i, INLINE));
        }
        qp.close();
        assertThat(log.calls)
                .hasSize(2)
                .last()
                .isEqualTo("free " + Long.toHexString(log.region.addr()) + " " + (14L << 32 | 1));
        qp.close();
        assertThat(log.calls).hasSize(2);
    }

    @Test
    void allocatorMayDeferToDevice() {
        make(side -> {});
        Log log = new Log();
        log.answer = RingAllocator.USE_DEFAULT;
        ParentDomain parent = a.opened(
                a.context.allocParentDomain(new ParentDomainInitAttr().pd(a.pd).allocators(log)));
        a.qp.close();
        a.qp = parent.createQp(reliable(a, INLINE));
        Side.connect(a, b);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, INLINE)), b, 0)
                .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        a.next(1, WcStatus.SUCCESS);
        a.qp.close();
        assertThat(log.calls).hasSize(1);
        parent.createQp(reliable(a, 0)).close();
        assertThat(log.calls)
                .as("allocations after a queue pair without inline data")
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 64, 4096 + 8, -64})
    void unusableMemoryOfAllocatorIsRefused(long answer) {
        make(side -> {});
        Log log = new Log();
        log.answer = answer;
        ParentDomain parent = a.opened(
                a.context.allocParentDomain(new ParentDomainInitAttr().pd(a.pd).allocators(log)));
        boolean given = answer != 0 && answer != 1;
        assertThat(errno(() -> parent.createQp(reliable(a, INLINE)))).isEqualTo(given ? Errno.EFAULT : Errno.ENOMEM);
        assertThat(log.calls).hasSize(given ? 2 : 1);
        log.answer = null;
        parent.createQp(reliable(a, INLINE)).close();
    }

    /** A failed creation leaves nothing behind. */
    @Test
    void refusedQueuePairAllocatesNothing() {
        make(side -> {});
        Log log = new Log();
        ParentDomain parent = a.opened(
                a.context.allocParentDomain(new ParentDomainInitAttr().pd(a.pd).allocators(log)));
        assertThat(errno(() -> parent.createQp(reliable(a, 1 << 20)))).isEqualTo(Errno.EINVAL);
        assertThat(log.calls).isEmpty();
    }

    // ---- which objects belong together

    @Test
    void objectsOfParentAndBaseWorkTogether() {
        make(side -> {});
        ThreadDomain td = a.opened(a.context.allocTd(new TdInitAttr()));
        ParentDomain parent = a.opened(
                a.context.allocParentDomain(new ParentDomainInitAttr().pd(a.pd).td(td)));
        assertThat(parent.base()).isSameAs(a.pd);
        a.qp.close();
        a.srq = a.opened(
                parent.createSrq(new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(2))));
        takeQueuePair(a, parent.createQp(reliable(a, INLINE).srq(a.srq)));
        Side.connect(a, b);
        MemoryRegion of = a.opened(parent.regMr(a.buffer, Side.ALL_ACCESS));
        assertThat(of.pd()).isSameAs(parent);
        ScatterGatherElement piece = ScatterGatherElement.of(of, 0, 50);
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 1, piece, a.sge(50, 50)), b, 0));
        a.next(1, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 100);
        assertThat(a.srq.postRecv(
                        new RecvWorkRequest().wrId(2).sgList(a.sge(0, 10), ScatterGatherElement.of(of, 10, 90))))
                .isZero();
        b.post(Side.wr(WrOpcode.SEND, 3, b.sge(500, 100)));
        a.next(2, WcStatus.SUCCESS);
        b.next(3, WcStatus.SUCCESS);
        a.assertPattern(0, 2, 500, 100);
        for (MemoryRegion there : List.of(of, a.mr)) {
            b.post(Side.wr(WrOpcode.RDMA_WRITE, 4, b.sge(0, 10))
                    .remoteAddr(there.addr())
                    .rkey(there.rkey()));
            b.next(4, WcStatus.SUCCESS);
        }
        for (ProtectionDomain domain : List.of(a.pd, parent)) {
            for (MemoryRegion bound : List.of(of, a.mr)) {
                MemoryWindow two = a.opened(domain.allocMw(MwType.TYPE_2));
                MwBind bind = new MwBind().mr(bound).addr(bound.addr()).length(100);
                bind.mwAccessFlags(AccessFlags.REMOTE_WRITE);
                a.post(Side.wr(WrOpcode.BIND_MW, 5)
                        .mw(two)
                        .mwRkey(MemoryWindow.incRkey(two.rkey()))
                        .mwBind(bind));
                a.next(5, WcStatus.SUCCESS);
                b.post(Side.wr(WrOpcode.RDMA_WRITE, 6, b.sge(0, 10))
                        .remoteAddr(bound.addr())
                        .rkey(two.rkey()));
                b.next(6, WcStatus.SUCCESS);
                two.close();
                MemoryWindow one = a.opened(domain.allocMw(MwType.TYPE_1));
                assertThat(a.qp.bindMw(one, bind.wrId(7).sendFlags(SendFlags.SIGNALED)))
                        .isZero();
                a.next(7, WcStatus.SUCCESS);
                b.post(Side.wr(WrOpcode.RDMA_WRITE, 8, b.sge(0, 10))
                        .remoteAddr(bound.addr())
                        .rkey(one.rkey()));
                b.next(8, WcStatus.SUCCESS);
                one.close();
            }
        }
        MemoryRegion foreign = a.opened(a.opened(a.context.allocPd()).regMr(a.buffer, Side.ALL_ACCESS));
        a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 9, ScatterGatherElement.of(foreign, 0, 5)), b, 0));
        a.next(9, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void addressHandlesOfParentAndBaseWork() {
        start(side -> side.qpType = QpType.UD);
        ParentDomain parent = a.opened(a.context.allocParentDomain(new ParentDomainInitAttr().pd(a.pd)));
        AddressHandle ah = a.opened(parent.createAh(a.path(b.gid())));
        b.recv(1, 0, 100);
        SendWorkRequest wr = Side.wr(WrOpcode.SEND, 2, a.sge(0, 10))
                .ah(ah)
                .remoteQpn(b.qp.qpNum())
                .remoteQkey(Side.QKEY);
        assertThat(a.qp.explain(wr)).isNull();
        a.post(wr);
        a.next(2, WcStatus.SUCCESS);
        b.next(1, WcStatus.SUCCESS);
        AddressHandle foreign = a.opened(a.opened(a.context.allocPd()).createAh(a.path(b.gid())));
        assertThat(a.qp.postSend(wr.ah(foreign))).isEqualTo(Errno.EINVAL);
    }

    /** The reading thread is not checked if the program promises that there is only one at a time. */
    @Test
    void threadDomainSkipsReaderCheck() throws InterruptedException {
        start();
        ThreadDomain td = a.opened(a.context.allocTd(new TdInitAttr()));
        for (boolean promised : new boolean[] {true, false}) {
            ParentDomainInitAttr attr = new ParentDomainInitAttr().pd(a.pd);
            ParentDomain parent = a.opened(a.context.allocParentDomain(promised ? attr.td(td) : attr));
            CompletionQueue cq =
                    a.opened(a.context.createCqEx(new CqInitAttrEx().cqe(8).parentDomain(parent)));
            takeQueuePair(a, a.pd.createQp(reliable(a, 0).sendCq(cq)));
            Side other = a.opened(new Side(a.context.device(), 100)).create();
            Side.connect(a, other);
            a.post(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 1))
                    .remoteAddr(other.mr.addr())
                    .rkey(other.mr.rkey()));
            assertThat(cq.startPoll(null)).isZero();
            int[] answer = new int[1];
            Thread thread = new Thread(() -> answer[0] = cq.endPoll());
            thread.start();
            thread.join();
            assertThat(answer[0]).isEqualTo(promised ? 0 : Errno.EINVAL);
            assertThat(cq.endPoll()).isEqualTo(promised ? Errno.EINVAL : 0);
            assertThat(cq.poll(1, new WorkCompletion[] {new WorkCompletion()})).isZero();
        }
    }

    @Test
    void usedDomainsCannotBeClosed() {
        make(side -> {});
        ProtectionDomain pd = a.context.allocPd();
        ThreadDomain td = a.context.allocTd(new TdInitAttr());
        ParentDomain parent =
                a.context.allocParentDomain(new ParentDomainInitAttr().pd(pd).td(td));
        QueuePair qp = parent.createQp(reliable(a, 0));
        CompletionQueue cq = a.context.createCqEx(new CqInitAttrEx().cqe(8).parentDomain(parent));
        assertThat(errno(pd::close)).isEqualTo(Errno.EBUSY);
        assertThat(errno(td::close)).isEqualTo(Errno.EBUSY);
        assertThat(errno(parent::close)).isEqualTo(Errno.EBUSY);
        qp.close();
        assertThat(errno(parent::close)).isEqualTo(Errno.EBUSY);
        cq.close();
        assertThat(errno(td::close)).isEqualTo(Errno.EBUSY);
        parent.close();
        td.close();
        pd.close();
    }

    @Test
    void unknownAttributesAreRefused() {
        make(side -> {});
        assertThat(errno(() -> a.context.allocTd(marked(new TdInitAttr())))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(errno(() -> a.context.allocParentDomain(marked(new ParentDomainInitAttr().pd(a.pd)))))
                .isEqualTo(Errno.EOPNOTSUPP);
        ParentDomain parent = a.opened(a.context.allocParentDomain(new ParentDomainInitAttr().pd(a.pd)));
        assertThat(errno(() -> a.context.allocParentDomain(new ParentDomainInitAttr().pd(parent))))
                .isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> a.context.allocParentDomain(new ParentDomainInitAttr())))
                .isEqualTo(Errno.EINVAL);
    }

    private static <T extends InputAttr> T marked(T attr) {
        attr.masks(attr.compMask() | 1L << 30, 0);
        return attr;
    }
}

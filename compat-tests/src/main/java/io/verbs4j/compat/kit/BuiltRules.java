/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** R21 again: what requests of a batch have besides memory here and there. Each batch has two, so that none can have the other's. */
abstract class BuiltRules extends BuilderRules {
    private static final int AT = 64;

    /** For {@link ProviderKit}. */
    BuiltRules() {}

    @Rule(
            id = "R21.11",
            since = 3,
            says = "each request of a batch has immediate data of its own",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_send_imm, ibv_wr_rdma_write_imm)",
            needs = {Capability.RC, Capability.IMMEDIATE})
    final void r2111Immediate() {
        start();
        SendBuilder builder = a.qp.builder();
        for (int opcode : new int[] {WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE_WITH_IMM}) {
            boolean sends = opcode == WrOpcode.SEND_WITH_IMM;
            if (sends ? hasSend() : hasRdmaWrite()) {
                b.recv(1, 0, 100);
                b.recv(2, 0, 100);
                Gathered.post(
                        builder,
                        a.request(opcode, b, 3, 4096, a.sge(0, 20)).immData(0xcafebabe),
                        a.request(opcode, b, 4, 8192, a.sge(0, 30)).immData(7));
                immediate(1, sends ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM, 20, 0xcafebabe);
                immediate(2, sends ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM, 30, 7);
                a.next(3, WcStatus.SUCCESS);
                a.next(4, WcStatus.SUCCESS);
                b.memory.holds(sends ? 0 : 8192, a.memory, 0, 30);
            }
        }
    }

    private void immediate(long wrId, int opcode, int length, int data) {
        WorkCompletion wc = b.next(wrId, WcStatus.SUCCESS);
        opcode(wc, opcode);
        Seen.equal("byteLen of " + wrId, length, wc.byteLen());
        Seen.check((wc.wcFlags() & WcFlags.WITH_IMM) != 0, "wcFlags lacks WITH_IMM");
        Seen.equal("immData of " + wrId, hex(data), hex(wc.immData()));
    }

    @Rule(
            id = "R21.12",
            since = 3,
            says = "each atomic operation of a batch has its own operands, and gets what was there",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_atomic_cmp_swp, ibv_wr_atomic_fetch_add)",
            needs = {Capability.RC, Capability.ATOMICS})
    final void r2112Atomics() {
        start();
        b.memory.buffer.putLong(AT, 40).putLong(AT + 8, 0x0102_0304_0506_0708L);
        Gathered.post(
                a.qp.builder(),
                a.to(b, AT, a.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, a.sge(0, 8))).compareAdd(2),
                a.to(b, AT, a.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 2, a.sge(8, 8)))
                        .compareAdd(42)
                        .swap(-5),
                a.to(b, AT + 8, a.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 3, a.sge(16, 8)))
                        .compareAdd(42)
                        .swap(1));
        opcode(a.next(1, WcStatus.SUCCESS), WcOpcode.FETCH_ADD);
        opcode(a.next(2, WcStatus.SUCCESS), WcOpcode.COMP_SWAP);
        a.next(3, WcStatus.SUCCESS);
        Seen.equal("what the fetch and add has fetched", 40L, a.memory.buffer.getLong(0));
        Seen.equal("what the compare and swap has fetched", 42L, a.memory.buffer.getLong(8));
        Seen.equal("the memory after both", -5L, b.memory.buffer.getLong(AT));
        Seen.equal(
                "the memory where nothing was equal",
                hex(0x0102_0304_0506_0708L),
                hex(b.memory.buffer.getLong(AT + 8)));
    }

    @Rule(
            id = "R21.13",
            since = 3,
            says = "a builder binds windows, each to its own part, and takes them back, here and at the peer",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_bind_mw, ibv_wr_local_inv, ibv_wr_send_inv)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    final void r2113Windows() {
        start();
        SendBuilder builder = b.qp.builder();
        MemoryWindow[] mw = {opened(b.pd.allocMw(MwType.TYPE_2)), opened(b.pd.allocMw(MwType.TYPE_2))};
        MwBind bind = new MwBind().mr(b.mr).mwAccessFlags(AccessFlags.REMOTE_WRITE);
        builder.start();
        for (int i = 0; i < 2; i++) {
            bind.addr(b.mr.addr() + 1000L * i).length(100);
            Gathered.add(builder, binding(i, mw[i], bind));
        }
        bind.mr(null).length(0); // what it had was copied
        Seen.errno("complete of a batch of 2", 0, builder.complete());
        for (int i = 0; i < 2; i++) {
            opcode(b.next(i, WcStatus.SUCCESS), WcOpcode.BIND_MW);
        }
        for (int i = 0; i < 2; i++) {
            a.post(a.wr(WrOpcode.RDMA_WRITE, 10 + i, a.sge(3000 * i, 100))
                    .remoteAddr(b.mr.addr() + 1000L * i)
                    .rkey(mw[i].rkey()));
            a.next(10 + i, WcStatus.SUCCESS);
            b.memory.holds(1000 * i, a.memory, 3000 * i, 100);
        }
        if (hasSend() && hasSendWithInvalidate()) {
            takenByMessage(mw[1].rkey());
        }
        int key = mw[0].rkey();
        bind.mr(b.mr).addr(b.mr.addr()).length(100);
        Gathered.post(builder, b.wr(WrOpcode.LOCAL_INV, 21).invalidateRkey(key), binding(22, mw[0], bind));
        opcode(b.next(21, WcStatus.SUCCESS), WcOpcode.LOCAL_INV);
        b.next(22, WcStatus.SUCCESS);
        a.post(a.to(b, 0, a.wr(WrOpcode.RDMA_WRITE, 23, a.sge(0, 100))).rkey(key));
        a.next(23, WcStatus.REM_ACCESS_ERR);
    }

    private SendWorkRequest binding(long wrId, MemoryWindow mw, MwBind bind) {
        return b.wr(WrOpcode.BIND_MW, wrId)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(bind);
    }

    private void takenByMessage(int key) {
        b.recv(31, 8000, 100);
        SendWorkRequest wr = a.wr(WrOpcode.SEND_WITH_INV, 30, a.sge(100, 20)).invalidateRkey(key);
        Gathered.post(a.qp.builder(), wr);
        a.next(30, WcStatus.SUCCESS);
        WorkCompletion wc = b.next(31, WcStatus.SUCCESS);
        Seen.check((wc.wcFlags() & WcFlags.WITH_INV) != 0, "wcFlags lacks WITH_INV");
        Seen.equal("invalidatedRkey", hex(key), hex(wc.invalidatedRkey()));
    }

    @Rule(
            id = "R21.14",
            since = 3,
            says = "a builder gives memory to keys, piece by piece, and reads into it with invalidation",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.regMr and readWithInv",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    final void r2114Keys() {
        int writes = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        startWithKey(true);
        SendBuilder builder = b.qp.builder();
        Gathered.post(builder, register(1, MemoryWindow.incRkey(key.rkey()), writes));
        opcode(b.next(1, WcStatus.SUCCESS), WcOpcode.REG_MR);
        works(2, key.rkey());
        int next = MemoryWindow.incRkey(key.rkey());
        Gathered.post(builder, b.wr(WrOpcode.LOCAL_INV, 3).invalidateRkey(key.rkey()), register(4, next, writes));
        b.next(3, WcStatus.SUCCESS);
        b.next(4, WcStatus.SUCCESS);
        works(5, next);
        if (hasReadWithInvalidate()) {
            startWithKey(false);
            int number = MemoryWindow.incRkey(key.rkey());
            Gathered.post(a.qp.builder(), register(6, number, AccessFlags.LOCAL_WRITE), readInto(7, number, length()));
            a.next(6, WcStatus.SUCCESS);
            WorkCompletion wc = a.next(7, WcStatus.SUCCESS);
            Seen.equal("invalidatedRkey", hex(number), hex(wc.invalidatedRkey()));
            holds("what was read", joined(), 0, b.memory, 300, length());
        }
    }

    @Rule(
            id = "R21.15",
            since = 3,
            says = "each datagram of a batch has its own address, and must have one",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_ud_addr)",
            needs = {Capability.UD, Capability.SEND})
    final void r2115Datagrams() {
        startUd();
        QueuePair first = b.qp;
        b.recv(1, 0, 2000);
        b.qp = b.anotherQp();
        b.toInit(b.qp);
        b.toRtr(b.qp, b, 0, 0);
        b.recv(2, 4096, 2000);
        AddressHandle ah = toB();
        SendBuilder builder = a.qp.builder();
        Gathered.post(builder, datagram(3, ah, 200).remoteQpn(first.qpNum()), datagram(4, ah, 300));
        a.next(3, WcStatus.SUCCESS);
        a.next(4, WcStatus.SUCCESS);
        for (int i = 0; i < 2; i++) { // of two queue pairs, so in any order
            WorkCompletion wc = b.next();
            boolean one = wc.wrId() == 1;
            Seen.equal("byteLen of receive " + wc.wrId(), one ? 240 : 340, wc.byteLen());
            b.memory.holds(one ? 40 : 4136, a.memory, 0, one ? 200 : 300);
        }
        int answer = Gathered.complete(builder, a.wr(WrOpcode.SEND, 5, a.sge(0, 10)));
        Seen.errno("complete of a batch with a datagram without an address", Errno.EINVAL, answer);
        Seen.equal("posted() after a datagram without an address", 0, builder.posted());
    }

    @Rule(
            id = "R21.16",
            since = 3,
            says = "each request of type XRC in a batch names its own shared receive queue, and must name one",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_xrc_srqn)",
            needs = {Capability.XRC, Capability.SEND})
    final void r2116Xrc() {
        startXrc();
        SharedReceiveQueue other = xrcSrq(b.pd, domain, b.cq);
        Seen.errno("postRecv", 0, srq.postRecv(b.receive(1, 0, 100)));
        Seen.errno("postRecv", 0, other.postRecv(b.receive(2, 1000, 100)));
        SendBuilder builder = a.qp.builder();
        Gathered.post(
                builder,
                a.wr(WrOpcode.SEND, 3, a.sge(0, 60)).remoteSrqn(other.srqNum()),
                a.wr(WrOpcode.SEND, 4, a.sge(9, 50)).remoteSrqn(srq.srqNum()));
        a.next(3, WcStatus.SUCCESS);
        a.next(4, WcStatus.SUCCESS);
        Seen.equal("byteLen", 60, b.next(2, WcStatus.SUCCESS).byteLen());
        Seen.equal("byteLen", 50, b.next(1, WcStatus.SUCCESS).byteLen());
        b.memory.holds(1000, a.memory, 0, 60);
        b.memory.holds(0, a.memory, 9, 50);
        int answer = Gathered.complete(builder, a.wr(WrOpcode.SEND, 5, a.sge(0, 10)));
        Seen.errno("complete of a batch with a request that names no shared receive queue", Errno.EINVAL, answer);
        Seen.equal("posted() after a request that names no queue", 0, builder.posted());
    }

    // ---- the rest of level 3

    @Rule(
            id = "R21.17",
            since = 3,
            says = "each masked atomic of a batch has its own masks and width",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.maskedCompareSwap and maskedFetchAdd",
            needs = {Capability.RC, Capability.ATOMICS, Capability.MASKED_ATOMICS})
    final void r2117Masked() {
        start();
        for (int width : widths()) {
            b.memory.buffer.putLong(AT, 0).putLong(AT + 8, 0);
            long all = width == Long.BYTES ? -1L : 0xffff_ffffL;
            number(AT, width, 0xff00 & all);
            number(AT + 8, width, 0xffff & all);
            Gathered.post(
                    a.qp.builder(),
                    masked(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 1, width)
                            .compareAdd(0x0f00)
                            .compareAddMask(0x0f00)
                            .swap(0xff)
                            .swapMask(0x0f),
                    masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 2, width)
                            .remoteAddr(b.mr.addr() + AT + 8)
                            .compareAdd(1)
                            .compareAddMask(0x80));
            opcode(a.next(1, WcStatus.SUCCESS), WcOpcode.MASKED_COMP_SWAP);
            opcode(a.next(2, WcStatus.SUCCESS), WcOpcode.MASKED_FETCH_ADD);
            Seen.equal("the memory after the swap", hex(0xff0f), hex(number(AT, width)));
            Seen.equal("the memory after the sum", hex(0xff00), hex(number(AT + 8, width)));
        }
    }

    private void number(int offset, int width, long value) {
        if (width == Long.BYTES) {
            b.memory.buffer.putLong(offset, value);
        } else {
            b.memory.buffer.putInt(offset, (int) value);
        }
    }

    private long number(int offset, int width) {
        return width == Long.BYTES
                ? b.memory.buffer.getLong(offset)
                : Integer.toUnsignedLong(b.memory.buffer.getInt(offset));
    }

    @Rule(
            id = "R21.18",
            since = 3,
            says = "each atomic write of a batch has its own value",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_atomic_write)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ATOMIC_WRITE})
    final void r2118AtomicWrite() {
        start();
        Gathered.post(a.qp.builder(), atomicWrite(1, AT, 0x0102_0304_0506_0708L), atomicWrite(2, AT + 8, -2));
        opcode(a.next(1, WcStatus.SUCCESS), WcOpcode.ATOMIC_WRITE);
        a.next(2, WcStatus.SUCCESS);
        Seen.equal("the first value", hex(0x0102_0304_0506_0708L), hex(b.memory.buffer.getLong(AT)));
        Seen.equal("the second value", hex(-2), hex(b.memory.buffer.getLong(AT + 8)));
    }

    @Rule(
            id = "R21.19",
            since = 3,
            says = "each flush of a batch has its own range and level",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_flush)",
            needs = {Capability.RC, Capability.FLUSH})
    final void r2119Flush() {
        startFlushing(AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_GLOBAL);
        SendBuilder builder = a.qp.builder();
        Gathered.post(builder, flush(1, 100, 50, FlushLevel.RANGE), flush(2, 0, Side.BYTES + 1L, FlushLevel.MR));
        opcode(a.next(1, WcStatus.SUCCESS), WcOpcode.FLUSH);
        a.next(2, WcStatus.SUCCESS);
        Gathered.post(builder, flush(3, 1, Side.BYTES, FlushLevel.RANGE));
        a.next(3, WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R21.20",
            since = 3,
            says = "a no-op of a batch completes in its turn",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.nop",
            needs = {Capability.RC, Capability.NOP})
    final void r2120Nop() {
        start();
        b.ready(2, 4096, 100);
        Gathered.post(a.qp.builder(), a.wr(WrOpcode.NOP, 1), a.operation(b, 2, 4096, 4096, 100), a.wr(WrOpcode.NOP, 3));
        opcode(a.next(1, WcStatus.SUCCESS), WcOpcode.NOP);
        a.next(2, WcStatus.SUCCESS);
        opcode(a.next(3, WcStatus.SUCCESS), WcOpcode.NOP);
    }

    @Rule(
            id = "R21.21",
            since = 3,
            says = "waits of a batch have their own queue and count, and what lets others begin has its own queue pair",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.cqeWait and sendEnable",
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    final void r2121Channel() {
        startPairs(QpCreateFlags.CROSS_CHANNEL);
        a.createFlags = QpCreateFlags.MANAGED_SEND;
        a.qp = a.anotherQp();
        b.qp = b.anotherQp();
        Side.connect(a, b);
        for (int i = 1; i <= 3; i++) {
            b.ready(i, 4096 * i, 100);
            a.post(a.operation(b, i, 4096 * i, 4096 * i, 100));
        }
        Gathered.post(c.qp.builder(), enables(WrOpcode.SEND_ENABLE, 11, a.qp, 2), waits(12, 1), waits(13, 1));
        opcode(c.next(11, WcStatus.SUCCESS), WcOpcode.SEND_ENABLE);
        opcode(c.next(12, WcStatus.SUCCESS), WcOpcode.CQE_WAIT);
        c.next(13, WcStatus.SUCCESS);
        a.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
        a.nothing("of the third request of a managed send queue, where two may begin");
    }

    @Rule(
            id = "R21.22",
            since = 3,
            says = "each message of a batch tells by itself whether it is solicited",
            look = {BUILT, POSTED},
            man = "ibv_req_notify_cq(3) (solicited_only), and " + BUILDER,
            needs = {Capability.RC, Capability.SEND, Capability.COMPLETION_EVENTS})
    final void r2122Solicited() {
        start(s -> s.withChannel = true);
        SendBuilder builder = a.qp.builder();
        Seen.errno("reqNotify", 0, b.cq.reqNotify(true));
        batch(builder, 0, 0);
        Seen.check(
                b.channel.getEvent(quiet().toNanos(), TimeUnit.NANOSECONDS) == null,
                "there is an event for a batch without a solicited message");
        batch(builder, 0, SendFlags.SOLICITED);
        CompletionQueue cq = b.channel.getEvent(patience().toNanos(), TimeUnit.NANOSECONDS);
        Seen.check(cq == b.cq, "no event though the last message of a batch was solicited");
        cq.ackEvents(1);
    }

    private void batch(SendBuilder builder, int... flags) {
        SendWorkRequest[] batch = new SendWorkRequest[flags.length];
        for (int i = 0; i < flags.length; i++) {
            b.ready(i, 0, 100);
            batch[i] = a.operation(b, i, 0, 0, 100).sendFlags(SendFlags.SIGNALED | flags[i]);
        }
        Gathered.post(builder, batch);
        for (int i = 0; i < flags.length; i++) {
            a.next(i, WcStatus.SUCCESS);
        }
    }

    @Rule(
            id = "R21.23",
            since = 3,
            says = "an override of postBuilt posts a whole batch or nothing of it, and a refused bind changes no key",
            look = BUILT,
            man = BUILDER,
            needs = Capability.RC)
    final void r2123AllOrNothing() {
        start();
        Assumptions.assumeTrue(overridesPostBuilt(a.qp), "the provider posts batches as lists of work requests");
        SendBuilder builder = a.qp.builder();
        ScatterGatherElement[] list =
                new ScatterGatherElement[a.context.queryDevice().maxSge() + 1];
        Arrays.setAll(list, i -> a.sge(0, 1));
        for (int at = 0; at < 4; at++) {
            SendWorkRequest[] batch = new SendWorkRequest[4];
            Arrays.setAll(batch, i -> a.operation(b, i, 0, 0, 100));
            batch[at] = a.operation(b, at, 0, list);
            refused("whose request " + at + " of 4 was refused", builder, batch);
        }
        if (hasTypeTwoWindows()) {
            MemoryWindow window = opened(a.pd.allocMw(MwType.TYPE_2));
            int key = window.rkey();
            SendWorkRequest bind = a.wr(WrOpcode.BIND_MW, 1).mw(window).mwRkey(MemoryWindow.incRkey(key));
            bind.mwBind(new MwBind().mr(a.mr).addr(a.mr.addr()).length(64).mwAccessFlags(AccessFlags.REMOTE_READ));
            refused("with a bind", builder, bind, a.operation(b, 2, 0, list));
            Seen.equal("rkey() of the window after a batch that was refused", key, window.rkey());
        }
    }

    private void refused(String what, SendBuilder builder, SendWorkRequest... batch) {
        Seen.errno("complete of a batch " + what, Errno.EINVAL, Gathered.complete(builder, batch));
        Seen.equal("posted() of a batch " + what, 0, builder.posted());
        a.nothing("of a batch " + what);
    }

    private static boolean overridesPostBuilt(QueuePair qp) {
        for (Class<?> c = qp.getClass(); c != QueuePair.class; c = c.getSuperclass()) {
            if (Stream.of(c.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals("postBuilt"))) {
                return true;
            }
        }
        return false;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.BuilderRig.BUILDER;
import static io.verbs4j.compat.kit.BuilderRig.BUILT;
import static io.verbs4j.compat.kit.BuilderRig.POSTED;
import static io.verbs4j.compat.kit.MaskedRig.AT;

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

/**
 * R21 again: requests of a batch that need more than memory on both sides. Each batch has two, to check that neither
 * gets the other's values.
 */
interface BuiltRules {
    @Rule(
            id = "R21.11",
            since = 3,
            says = "each request of a batch has immediate data of its own",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_send_imm, ibv_wr_rdma_write_imm)",
            needs = {Capability.RC, Capability.IMMEDIATE})
    default void r2111Immediate(Rig rig) {
        rig.start();
        SendBuilder builder = rig.a.qp.builder();
        for (int opcode : new int[] {WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE_WITH_IMM}) {
            boolean sends = opcode == WrOpcode.SEND_WITH_IMM;
            if (sends ? rig.has(Capability.SEND) : rig.has(Capability.RDMA_WRITE)) {
                rig.b.recv(1, 0, 100);
                rig.b.recv(2, 0, 100);
                Gathered.post(
                        builder,
                        rig.a.request(opcode, rig.b, 3, 4096, rig.a.sge(0, 20)).immData(0xcafebabe),
                        rig.a.request(opcode, rig.b, 4, 8192, rig.a.sge(0, 30)).immData(7));
                immediate(rig, 1, sends ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM, 20, 0xcafebabe);
                immediate(rig, 2, sends ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM, 30, 7);
                rig.a.next(3, WcStatus.SUCCESS);
                rig.a.next(4, WcStatus.SUCCESS);
                rig.b.memory.holds(sends ? 0 : 8192, rig.a.memory, 0, 30);
            }
        }
    }

    private static void immediate(Rig rig, long wrId, int opcode, int length, int data) {
        WorkCompletion wc = rig.b.next(wrId, WcStatus.SUCCESS);
        Seen.opcode(wc, opcode);
        Seen.equal("byteLen of " + wrId, length, wc.byteLen());
        Seen.check((wc.wcFlags() & WcFlags.WITH_IMM) != 0, "wcFlags lacks WITH_IMM");
        Seen.equal("immData of " + wrId, Seen.hex(data), Seen.hex(wc.immData()));
    }

    @Rule(
            id = "R21.12",
            since = 3,
            says = "each atomic operation of a batch has its own operands, and gets what was there",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_atomic_cmp_swp, ibv_wr_atomic_fetch_add)",
            needs = {Capability.RC, Capability.ATOMICS})
    default void r2112Atomics(Rig rig) {
        rig.start();
        rig.b.memory.buffer.putLong(AT, 40).putLong(AT + 8, 0x0102_0304_0506_0708L);
        Gathered.post(
                rig.a.qp.builder(),
                rig.a
                        .to(rig.b, AT, rig.a.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, rig.a.sge(0, 8)))
                        .compareAdd(2),
                rig.a
                        .to(rig.b, AT, rig.a.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 2, rig.a.sge(8, 8)))
                        .compareAdd(42)
                        .swap(-5),
                rig.a
                        .to(rig.b, AT + 8, rig.a.wr(WrOpcode.ATOMIC_CMP_AND_SWP, 3, rig.a.sge(16, 8)))
                        .compareAdd(42)
                        .swap(1));
        Seen.opcode(rig.a.next(1, WcStatus.SUCCESS), WcOpcode.FETCH_ADD);
        Seen.opcode(rig.a.next(2, WcStatus.SUCCESS), WcOpcode.COMP_SWAP);
        rig.a.next(3, WcStatus.SUCCESS);
        Seen.equal("the value that fetch and add returned", 40L, rig.a.memory.buffer.getLong(0));
        Seen.equal("the value that compare and swap returned", 42L, rig.a.memory.buffer.getLong(8));
        Seen.equal("the memory after both", -5L, rig.b.memory.buffer.getLong(AT));
        Seen.equal(
                "the memory after a compare and swap that did not match",
                Seen.hex(0x0102_0304_0506_0708L),
                Seen.hex(rig.b.memory.buffer.getLong(AT + 8)));
    }

    @Rule(
            id = "R21.13",
            since = 3,
            says = "a builder binds windows, each to its own part, and takes them back, here and at the peer",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_bind_mw, ibv_wr_local_inv, ibv_wr_send_inv)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.TYPE_2_WINDOWS})
    default void r2113Windows(Rig rig) {
        rig.start();
        SendBuilder builder = rig.b.qp.builder();
        MemoryWindow[] mw = {rig.opened(rig.b.pd.allocMw(MwType.TYPE_2)), rig.opened(rig.b.pd.allocMw(MwType.TYPE_2))};
        MwBind bind = new MwBind().mr(rig.b.mr).mwAccessFlags(AccessFlags.REMOTE_WRITE);
        builder.start();
        for (int i = 0; i < 2; i++) {
            bind.addr(rig.b.mr.addr() + 1000L * i).length(100);
            Gathered.add(builder, binding(rig, i, mw[i], bind));
        }
        bind.mr(null).length(0); // its values were copied
        Seen.errno("complete of a batch of 2", 0, builder.complete());
        for (int i = 0; i < 2; i++) {
            Seen.opcode(rig.b.next(i, WcStatus.SUCCESS), WcOpcode.BIND_MW);
        }
        for (int i = 0; i < 2; i++) {
            rig.a.post(rig.a
                    .wr(WrOpcode.RDMA_WRITE, 10 + i, rig.a.sge(3000 * i, 100))
                    .remoteAddr(rig.b.mr.addr() + 1000L * i)
                    .rkey(mw[i].rkey()));
            rig.a.next(10 + i, WcStatus.SUCCESS);
            rig.b.memory.holds(1000 * i, rig.a.memory, 3000 * i, 100);
        }
        if (rig.has(Capability.SEND) && rig.has(Capability.SEND_WITH_INV)) {
            takenByMessage(rig, mw[1].rkey());
        }
        int key = mw[0].rkey();
        bind.mr(rig.b.mr).addr(rig.b.mr.addr()).length(100);
        Gathered.post(builder, rig.b.wr(WrOpcode.LOCAL_INV, 21).invalidateRkey(key), binding(rig, 22, mw[0], bind));
        Seen.opcode(rig.b.next(21, WcStatus.SUCCESS), WcOpcode.LOCAL_INV);
        rig.b.next(22, WcStatus.SUCCESS);
        rig.a.post(rig.a
                .to(rig.b, 0, rig.a.wr(WrOpcode.RDMA_WRITE, 23, rig.a.sge(0, 100)))
                .rkey(key));
        rig.a.next(23, WcStatus.REM_ACCESS_ERR);
    }

    private static SendWorkRequest binding(Rig rig, long wrId, MemoryWindow mw, MwBind bind) {
        return rig.b
                .wr(WrOpcode.BIND_MW, wrId)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(bind);
    }

    private static void takenByMessage(Rig rig, int key) {
        rig.b.recv(31, 8000, 100);
        SendWorkRequest wr =
                rig.a.wr(WrOpcode.SEND_WITH_INV, 30, rig.a.sge(100, 20)).invalidateRkey(key);
        Gathered.post(rig.a.qp.builder(), wr);
        rig.a.next(30, WcStatus.SUCCESS);
        WorkCompletion wc = rig.b.next(31, WcStatus.SUCCESS);
        Seen.check((wc.wcFlags() & WcFlags.WITH_INV) != 0, "wcFlags lacks WITH_INV");
        Seen.equal("invalidatedRkey", Seen.hex(key), Seen.hex(wc.invalidatedRkey()));
    }

    @Rule(
            id = "R21.14",
            since = 3,
            says = "a builder gives memory to keys, piece by piece, and reads into it with invalidation",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.regMr and readWithInv",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.FAST_REGISTER})
    default void r2114Keys(KeyRig rig) {
        int writes = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        rig.startWithKey(true);
        SendBuilder builder = rig.b.qp.builder();
        Gathered.post(builder, rig.register(1, MemoryWindow.incRkey(rig.key.rkey()), writes));
        Seen.opcode(rig.b.next(1, WcStatus.SUCCESS), WcOpcode.REG_MR);
        rig.works(2, rig.key.rkey());
        int next = MemoryWindow.incRkey(rig.key.rkey());
        Gathered.post(
                builder, rig.b.wr(WrOpcode.LOCAL_INV, 3).invalidateRkey(rig.key.rkey()), rig.register(4, next, writes));
        rig.b.next(3, WcStatus.SUCCESS);
        rig.b.next(4, WcStatus.SUCCESS);
        rig.works(5, next);
        if (rig.has(Capability.READ_WITH_INV)) {
            rig.startWithKey(false);
            int number = MemoryWindow.incRkey(rig.key.rkey());
            Gathered.post(
                    rig.a.qp.builder(),
                    rig.register(6, number, AccessFlags.LOCAL_WRITE),
                    rig.readInto(7, number, rig.length()));
            rig.a.next(6, WcStatus.SUCCESS);
            WorkCompletion wc = rig.a.next(7, WcStatus.SUCCESS);
            Seen.equal("invalidatedRkey", Seen.hex(number), Seen.hex(wc.invalidatedRkey()));
            Seen.holds("the data read", rig.joined(), 0, rig.b.memory, 300, rig.length());
        }
    }

    @Rule(
            id = "R21.15",
            since = 3,
            says = "each datagram of a batch has its own address, and must have one",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_set_ud_addr)",
            needs = {Capability.UD, Capability.SEND})
    default void r2115Datagrams(DatagramRig rig) {
        rig.startUd();
        QueuePair first = rig.b.qp;
        rig.b.recv(1, 0, 2000);
        rig.b.qp = rig.b.anotherQp();
        rig.b.toInit(rig.b.qp);
        rig.b.toRtr(rig.b.qp, rig.b, 0, 0);
        rig.b.recv(2, 4096, 2000);
        AddressHandle ah = rig.toB();
        SendBuilder builder = rig.a.qp.builder();
        Gathered.post(builder, rig.datagram(3, ah, 200).remoteQpn(first.qpNum()), rig.datagram(4, ah, 300));
        rig.a.next(3, WcStatus.SUCCESS);
        rig.a.next(4, WcStatus.SUCCESS);
        for (int i = 0; i < 2; i++) { // from two queue pairs, so in any order
            WorkCompletion wc = rig.b.next();
            boolean one = wc.wrId() == 1;
            Seen.equal("byteLen of receive " + wc.wrId(), one ? 240 : 340, wc.byteLen());
            rig.b.memory.holds(one ? 40 : 4136, rig.a.memory, 0, one ? 200 : 300);
        }
        int answer = Gathered.complete(builder, rig.a.wr(WrOpcode.SEND, 5, rig.a.sge(0, 10)));
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
    default void r2116Xrc(XrcRig rig) {
        rig.startXrc();
        SharedReceiveQueue other = rig.xrcSrq(rig.b.pd, rig.domain, rig.b.cq);
        Seen.errno("postRecv", 0, rig.srq.postRecv(rig.b.receive(1, 0, 100)));
        Seen.errno("postRecv", 0, other.postRecv(rig.b.receive(2, 1000, 100)));
        SendBuilder builder = rig.a.qp.builder();
        Gathered.post(
                builder,
                rig.a.wr(WrOpcode.SEND, 3, rig.a.sge(0, 60)).remoteSrqn(other.srqNum()),
                rig.a.wr(WrOpcode.SEND, 4, rig.a.sge(9, 50)).remoteSrqn(rig.srq.srqNum()));
        rig.a.next(3, WcStatus.SUCCESS);
        rig.a.next(4, WcStatus.SUCCESS);
        Seen.equal("byteLen", 60, rig.b.next(2, WcStatus.SUCCESS).byteLen());
        Seen.equal("byteLen", 50, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        rig.b.memory.holds(1000, rig.a.memory, 0, 60);
        rig.b.memory.holds(0, rig.a.memory, 9, 50);
        int answer = Gathered.complete(builder, rig.a.wr(WrOpcode.SEND, 5, rig.a.sge(0, 10)));
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
    default void r2117Masked(MaskedRig rig) {
        rig.start();
        for (int width : rig.widths()) {
            rig.b.memory.buffer.putLong(AT, 0).putLong(AT + 8, 0);
            long all = width == Long.BYTES ? -1L : 0xffff_ffffL;
            number(rig, AT, width, 0xff00 & all);
            number(rig, AT + 8, width, 0xffff & all);
            Gathered.post(
                    rig.a.qp.builder(),
                    rig.masked(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 1, width)
                            .compareAdd(0x0f00)
                            .compareAddMask(0x0f00)
                            .swap(0xff)
                            .swapMask(0x0f),
                    rig.masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 2, width)
                            .remoteAddr(rig.b.mr.addr() + AT + 8)
                            .compareAdd(1)
                            .compareAddMask(0x80));
            Seen.opcode(rig.a.next(1, WcStatus.SUCCESS), WcOpcode.MASKED_COMP_SWAP);
            Seen.opcode(rig.a.next(2, WcStatus.SUCCESS), WcOpcode.MASKED_FETCH_ADD);
            Seen.equal("the memory after the swap", Seen.hex(0xff0f), Seen.hex(number(rig, AT, width)));
            Seen.equal("the memory after the sum", Seen.hex(0xff00), Seen.hex(number(rig, AT + 8, width)));
        }
    }

    private static void number(Rig rig, int offset, int width, long value) {
        if (width == Long.BYTES) {
            rig.b.memory.buffer.putLong(offset, value);
        } else {
            rig.b.memory.buffer.putInt(offset, (int) value);
        }
    }

    private static long number(Rig rig, int offset, int width) {
        return width == Long.BYTES
                ? rig.b.memory.buffer.getLong(offset)
                : Integer.toUnsignedLong(rig.b.memory.buffer.getInt(offset));
    }

    @Rule(
            id = "R21.18",
            since = 3,
            says = "each atomic write of a batch has its own value",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_atomic_write)",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ATOMIC_WRITE})
    default void r2118AtomicWrite(RequestRig rig) {
        rig.start();
        Gathered.post(
                rig.a.qp.builder(), rig.atomicWrite(1, AT, 0x0102_0304_0506_0708L), rig.atomicWrite(2, AT + 8, -2));
        Seen.opcode(rig.a.next(1, WcStatus.SUCCESS), WcOpcode.ATOMIC_WRITE);
        rig.a.next(2, WcStatus.SUCCESS);
        Seen.equal("the first value", Seen.hex(0x0102_0304_0506_0708L), Seen.hex(rig.b.memory.buffer.getLong(AT)));
        Seen.equal("the second value", Seen.hex(-2), Seen.hex(rig.b.memory.buffer.getLong(AT + 8)));
    }

    @Rule(
            id = "R21.19",
            since = 3,
            says = "each flush of a batch has its own range and level",
            look = {BUILT, POSTED},
            man = BUILDER + " (ibv_wr_flush)",
            needs = {Capability.RC, Capability.FLUSH})
    default void r2119Flush(RequestRig rig) {
        rig.startFlushing(AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_GLOBAL);
        SendBuilder builder = rig.a.qp.builder();
        Gathered.post(
                builder, rig.flush(1, 100, 50, FlushLevel.RANGE), rig.flush(2, 0, Side.BYTES + 1L, FlushLevel.MR));
        Seen.opcode(rig.a.next(1, WcStatus.SUCCESS), WcOpcode.FLUSH);
        rig.a.next(2, WcStatus.SUCCESS);
        Gathered.post(builder, rig.flush(3, 1, Side.BYTES, FlushLevel.RANGE));
        rig.a.next(3, WcStatus.REM_ACCESS_ERR);
    }

    @Rule(
            id = "R21.20",
            since = 3,
            says = "a no-op of a batch completes in its turn",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.nop",
            needs = {Capability.RC, Capability.NOP})
    default void r2120Nop(Rig rig) {
        rig.start();
        rig.b.ready(2, 4096, 100);
        Gathered.post(
                rig.a.qp.builder(),
                rig.a.wr(WrOpcode.NOP, 1),
                rig.a.operation(rig.b, 2, 4096, 4096, 100),
                rig.a.wr(WrOpcode.NOP, 3));
        Seen.opcode(rig.a.next(1, WcStatus.SUCCESS), WcOpcode.NOP);
        rig.a.next(2, WcStatus.SUCCESS);
        Seen.opcode(rig.a.next(3, WcStatus.SUCCESS), WcOpcode.NOP);
    }

    @Rule(
            id = "R21.21",
            since = 3,
            says = "waits of a batch have their own queue and count, and what lets others begin has its own queue pair",
            look = {BUILT, POSTED},
            man = "the Javadoc of SendBuilder.cqeWait and sendEnable",
            needs = {Capability.RC, Capability.CROSS_CHANNEL})
    default void r2121Channel(ChannelRig rig) {
        rig.startPairs(QpCreateFlags.CROSS_CHANNEL);
        rig.a.createFlags = QpCreateFlags.MANAGED_SEND;
        rig.a.qp = rig.a.anotherQp();
        rig.b.qp = rig.b.anotherQp();
        Side.connect(rig.a, rig.b);
        for (int i = 1; i <= 3; i++) {
            rig.b.ready(i, 4096 * i, 100);
            rig.a.post(rig.a.operation(rig.b, i, 4096 * i, 4096 * i, 100));
        }
        Gathered.post(
                rig.c.qp.builder(),
                rig.enables(WrOpcode.SEND_ENABLE, 11, rig.a.qp, 2),
                rig.waits(12, 1),
                rig.waits(13, 1));
        Seen.opcode(rig.c.next(11, WcStatus.SUCCESS), WcOpcode.SEND_ENABLE);
        Seen.opcode(rig.c.next(12, WcStatus.SUCCESS), WcOpcode.CQE_WAIT);
        rig.c.next(13, WcStatus.SUCCESS);
        rig.a.next(1, WcStatus.SUCCESS);
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.nothing("of the third request of a managed send queue with two enabled");
    }

    @Rule(
            id = "R21.22",
            since = 3,
            says = "each message of a batch tells by itself whether it is solicited",
            look = {BUILT, POSTED},
            man = "ibv_req_notify_cq(3) (solicited_only), and " + BUILDER,
            needs = {Capability.RC, Capability.SEND, Capability.COMPLETION_EVENTS})
    default void r2122Solicited(Rig rig) {
        rig.start(s -> s.withChannel = true);
        SendBuilder builder = rig.a.qp.builder();
        Seen.errno("reqNotify", 0, rig.b.cq.reqNotify(true));
        batch(rig, builder, 0, 0);
        Seen.check(
                rig.b.channel.getEvent(rig.kit.quiet().toNanos(), TimeUnit.NANOSECONDS) == null,
                "unexpected event for a batch without a solicited message");
        batch(rig, builder, 0, SendFlags.SOLICITED);
        CompletionQueue cq = rig.b.channel.getEvent(rig.kit.patience().toNanos(), TimeUnit.NANOSECONDS);
        Seen.check(cq == rig.b.cq, "no event although the last message of a batch was solicited");
        cq.ackEvents(1);
    }

    private static void batch(Rig rig, SendBuilder builder, int... flags) {
        SendWorkRequest[] batch = new SendWorkRequest[flags.length];
        for (int i = 0; i < flags.length; i++) {
            rig.b.ready(i, 0, 100);
            batch[i] = rig.a.operation(rig.b, i, 0, 0, 100).sendFlags(SendFlags.SIGNALED | flags[i]);
        }
        Gathered.post(builder, batch);
        for (int i = 0; i < flags.length; i++) {
            rig.a.next(i, WcStatus.SUCCESS);
        }
    }

    @Rule(
            id = "R21.23",
            since = 3,
            says = "an override of postBuilt posts a whole batch or nothing of it, and a refused bind changes no key",
            look = BUILT,
            man = BUILDER,
            needs = Capability.RC)
    default void r2123AllOrNothing(Rig rig) {
        rig.start();
        Assumptions.assumeTrue(overridesPostBuilt(rig.a.qp), "the provider posts batches as lists of work requests");
        SendBuilder builder = rig.a.qp.builder();
        ScatterGatherElement[] list =
                new ScatterGatherElement[rig.a.context.queryDevice().maxSge() + 1];
        Arrays.setAll(list, i -> rig.a.sge(0, 1));
        for (int at = 0; at < 4; at++) {
            SendWorkRequest[] batch = new SendWorkRequest[4];
            Arrays.setAll(batch, i -> rig.a.operation(rig.b, i, 0, 0, 100));
            batch[at] = rig.a.operation(rig.b, at, 0, list);
            refused(rig, "whose request " + at + " of 4 was refused", builder, batch);
        }
        if (rig.has(Capability.TYPE_2_WINDOWS)) {
            MemoryWindow window = rig.opened(rig.a.pd.allocMw(MwType.TYPE_2));
            int key = window.rkey();
            SendWorkRequest bind = rig.a.wr(WrOpcode.BIND_MW, 1).mw(window).mwRkey(MemoryWindow.incRkey(key));
            bind.mwBind(
                    new MwBind().mr(rig.a.mr).addr(rig.a.mr.addr()).length(64).mwAccessFlags(AccessFlags.REMOTE_READ));
            refused(rig, "with a bind", builder, bind, rig.a.operation(rig.b, 2, 0, list));
            Seen.equal("rkey() of the window after a batch that was refused", key, window.rkey());
        }
    }

    private static void refused(Rig rig, String what, SendBuilder builder, SendWorkRequest... batch) {
        Seen.errno("complete of a batch " + what, Errno.EINVAL, Gathered.complete(builder, batch));
        Seen.equal("posted() of a batch " + what, 0, builder.posted());
        rig.a.nothing("of a batch " + what);
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

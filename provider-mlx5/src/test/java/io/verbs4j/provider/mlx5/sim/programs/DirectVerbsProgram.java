/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.BufferAllocator;
import io.verbs4j.mlx5dv.ClockInfo;
import io.verbs4j.mlx5dv.LagPort;
import io.verbs4j.mlx5dv.Mlx5ContextFlags;
import io.verbs4j.mlx5dv.Mlx5ContextMask;
import io.verbs4j.mlx5dv.Mlx5CqFlags;
import io.verbs4j.mlx5dv.Mlx5CqInitAttr;
import io.verbs4j.mlx5dv.Mlx5CqRing;
import io.verbs4j.mlx5dv.Mlx5CqeFormat;
import io.verbs4j.mlx5dv.Mlx5DeviceAttr;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5QpCreateFlags;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.mlx5dv.Mlx5QpMask;
import io.verbs4j.mlx5dv.Mlx5QpRings;
import io.verbs4j.mlx5dv.Mlx5SrqMask;
import io.verbs4j.mlx5dv.Mlx5SrqRing;
import io.verbs4j.mlx5dv.Uar;
import io.verbs4j.mlx5dv.UarType;
import io.verbs4j.mlx5dv.Var;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A program for a simulated device: runs one case of mlx5dv by name, on the data path that the second argument names.
 * Prints {@code done} and the name.
 */
// Longer than 500 lines because it is a list of independent cases, which a test names in the arguments of one program.
public final class DirectVerbsProgram {
    private static final Map<String, Consumer<Context>> CASES = new HashMap<>();

    static {
        CASES.put("queries", DirectVerbsProgram::queries);
        CASES.put("rings", DirectVerbsProgram::rings);
        CASES.put("allocators", DirectVerbsProgram::allocators);
        CASES.put("brokenAllocators", DirectVerbsProgram::brokenAllocators);
        CASES.put("clock", DirectVerbsProgram::clock);
        CASES.put("completionQueues", DirectVerbsProgram::completionQueues);
        CASES.put("queuePairs", DirectVerbsProgram::queuePairs);
        CASES.put("pages", DirectVerbsProgram::pages);
        CASES.put("lacking", DirectVerbsProgram::lacking);
        CASES.put("closed", DirectVerbsProgram::closed);
        CASES.put("paths", DirectVerbsProgram::paths);
        CASES.put("bondedPorts", DirectVerbsProgram::bondedPorts);
        CASES.put("examples", DcCases::examples);
        CASES.put("dcStates", DcCases::states);
        CASES.put("dcRefusals", DcCases::refusals);
        CASES.put("dcByHand", DcCases::byHand);
        CASES.put("dcTraffic", DcTrafficCases::all);
        CASES.put("dcWrongKey", DcTrafficCases::wrongKey);
        CASES.put("dcManyTargets", DcTrafficCases::manyTargets);
        CASES.put("dcNoAddress", DcTrafficCases::noAddress);
        CASES.put("dcWrongAddress", DcTrafficCases::wrongAddress);
    }

    private DirectVerbsProgram() {}

    public static void main(String... args) {
        System.setProperty("io.verbs4j.mlx5.path", args[1]);
        Cases.run(args[0], name -> {
            Context context = SimulatedDevice.open("mlx5_0");
            CASES.get(name).accept(context);
            context.close();
            assertThat(Simulator.violations()).as("%s", Simulator.message()).isZero();
        });
    }

    static void refused(int errno, String part, ThrowingCallable body) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).as("%s", e).isEqualTo(errno))
                .hasMessageContaining(part);
    }

    // ---- cases

    private static void queries(Context context) {
        assertThat(Mlx5Dv.isSupported(context.device())).isTrue();
        assertThat(Mlx5Dv.isSupported(new Device("x", 0, 1, 0) {})).isFalse();
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        assertThat(dv.context()).isSameAs(context);
        Mlx5DeviceAttr nothing = dv.queryDevice(0);
        assertThat(nothing.compMask()).isZero();
        assertThat(nothing.version()).isZero();
        assertThat(nothing.flags() & Mlx5ContextFlags.CQE_V1).isNotZero();
        assertThat(nothing.flags() & Mlx5ContextFlags.CQE_128B_PAD).isNotZero();
        assertThat(nothing.has(Mlx5ContextMask.DYN_BFREGS)).isFalse();
        assertThat(nothing.maxDynamicBfregs()).isZero();
        assertThat(nothing.hcaCoreClock()).isZero();
        long all = -1; // unknown bits are not answered
        Mlx5DeviceAttr attr = dv.queryDevice(all);
        assertThat(attr.has(Mlx5ContextMask.DYN_BFREGS | Mlx5ContextMask.CQE_COMPRESSION))
                .isTrue();
        assertThat(attr.maxDynamicBfregs()).isEqualTo(2 * 1022);
        assertThat(attr.cqeCompression().maxNum()).isZero();
        assertThat(attr.stridingRq().supportedQpTypes()).isZero();
        assertThat(attr.maxClockInfoUpdateNanos()).isEqualTo(1L << 40);
        assertThat(NativeMemory.getNetLong(attr.hcaCoreClock())).isNotNegative();
        // The device has neither bonded ports nor metadata: both are absent, and read as 0.
        assertThat(attr.has(Mlx5ContextMask.REG_C0)).isFalse();
        assertThat(attr.regC0().value()).isZero();
        assertThat(attr.dciStreams().maxLogConcurrent()).isEqualTo(attr.has(Mlx5ContextMask.DCI_STREAMS) ? 5 : 0);
        assertThat(attr.compMask() & ~((Mlx5ContextMask.OOO_RECV_WRS << 1) - 1)).isZero();
    }

    private static void rings(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        try (ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(100);
                SharedReceiveQueue srq = pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(30).maxSge(1)));
                QueuePair qp = context.createQpEx(attributes(pd, cq))) {
            Mlx5CqRing c = dv.completionQueue(cq);
            assertThat(c.cqeCount()).isEqualTo(128);
            assertThat(c.cqeSize()).isEqualTo(64);
            assertThat(c.buf()).isNotZero();
            assertThat(c.dbrec()).isNotZero();
            assertThat(c.cqn()).isPositive();
            Mlx5QpRings q = dv.queuePair(qp, 0);
            assertThat(q.sq().stride()).isEqualTo(64);
            assertThat(q.sq().wqeCount()).isGreaterThanOrEqualTo(16);
            assertThat(q.rq().wqeCount()).isEqualTo(16);
            assertThat(q.bfReg()).isNotZero();
            assertThat(q.has(Mlx5QpMask.RAW_QP_HANDLES)).isFalse();
            assertThat(q.uarMmapOffset()).isZero(); // not requested
            q = dv.queuePair(qp, -1);
            assertThat(q.has(Mlx5QpMask.RAW_QP_HANDLES | Mlx5QpMask.UAR_MMAP_OFFSET))
                    .isTrue();
            assertThat(q.uarMmapOffset()).isNotZero();
            assertThat(q.tirn() + q.tisn() + q.rqn() + q.sqn()).isZero(); // not a raw packet queue pair
            Mlx5SrqRing s = dv.sharedReceiveQueue(srq, Mlx5SrqMask.SRQN);
            assertThat(s.stride()).isEqualTo(32);
            assertThat(s.srqn()).isPositive();
            s = dv.sharedReceiveQueue(srq, 0);
            assertThat(s.has(Mlx5SrqMask.SRQN)).isFalse();
            assertThat(s.srqn()).isZero(); // not requested
            assertThat(dv.pdNumber(pd)).isPositive();
            refused(Errno.EINVAL, "null", () -> dv.queuePair(null, 0));
        }
    }

    private static QpInitAttrEx attributes(ProtectionDomain pd, CompletionQueue cq) {
        return new QpInitAttrEx()
                .pd(pd)
                .sendCq(cq)
                .recvCq(cq)
                .qpType(QpType.RC)
                .cap(new QpCap().maxSendWr(16).maxRecvWr(16).maxSendSge(1).maxRecvSge(1));
    }

    /** Returns what it is asked for, and records it. */
    private static final class Arena implements BufferAllocator {
        final List<Long> given = new ArrayList<>();
        final List<Long> taken = new ArrayList<>();
        final Map<Long, Long> raw = new HashMap<>();

        @Override
        public synchronized long allocate(long size) {
            long base = NativeMemory.allocate(size + 4096);
            long address = base + 4095 & -4096;
            raw.put(address, base);
            given.add(address);
            return address;
        }

        @Override
        public synchronized void free(long address) {
            taken.add(address);
            NativeMemory.free(raw.remove(address));
        }

        boolean holds(long address) {
            return given.contains(address);
        }
    }

    private static void allocators(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        assertThat(dv.bufferAllocator()).isNull();
        refused(Errno.EINVAL, "null", () -> dv.bufferAllocator(null));
        Arena first = new Arena();
        Arena second = new Arena();
        ProtectionDomain pd = context.allocPd();
        dv.bufferAllocator(first);
        assertThat(dv.bufferAllocator()).isSameAs(first);
        CompletionQueue cq = context.createCq(100);
        long cqRing = dv.completionQueue(cq).buf();
        assertThat(first.holds(cqRing)).isTrue();
        QueuePair qp = context.createQpEx(attributes(pd, cq));
        Mlx5QpRings rings = dv.queuePair(qp, 0);
        assertThat(first.holds(rings.rq().buf())).isTrue();
        assertThat(first.holds(rings.dbrec() & -4096)).isTrue();
        assertThat(first.taken).isEmpty();
        dv.bufferAllocator(second);
        CompletionQueue other = context.createCq(100);
        long otherRing = dv.completionQueue(other).buf();
        assertThat(second.holds(otherRing)).isTrue();
        System.gc(); // functions that C has pointers to must stay
        qp.close();
        assertThat(first.taken).containsExactly(rings.rq().buf());
        cq.close();
        assertThat(first.taken).containsExactly(rings.rq().buf(), cqRing);
        assertThat(second.taken).isEmpty();
        other.close();
        assertThat(second.taken).contains(otherRing);
        pd.close();
        context.close();
        assertThat(first.raw).isEmpty();
        assertThat(second.raw).isEmpty();
    }

    private static void brokenAllocators(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        List<Throwable> told = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, t) -> told.add(t));
        dv.bufferAllocator(new BufferAllocator() {
            @Override
            public long allocate(long size) {
                throw new IllegalStateException("no more");
            }

            @Override
            public void free(long address) {
                throw new AssertionError("nothing was allocated");
            }
        });
        assertThatThrownBy(() -> context.createCq(10)).isInstanceOf(VerbsException.class);
        assertThat(told).hasSize(1);
        assertThat(told.get(0)).hasMessage("no more");
        List<Long> back = new ArrayList<>();
        dv.bufferAllocator(new BufferAllocator() {
            @Override
            public long allocate(long size) {
                return 4096 + 64; // not a whole page, and never touched
            }

            @Override
            public void free(long address) {
                back.add(address);
            }
        });
        assertThatThrownBy(() -> context.createCq(10)).isInstanceOf(VerbsException.class);
        assertThat(back).containsExactly(4096L + 64);
        assertThat(told.get(1)).hasMessageContaining("page-aligned");
        dv.bufferAllocator(new Arena());
        context.createCq(10).close();
    }

    private static void clock(Context context) {
        ClockInfo info = context.vendor(Mlx5Dv.class).clockInfo();
        assertThat(info.mult()).isEqualTo(1);
        assertThat(info.shift()).isZero();
        assertThat(info.mask()).isEqualTo(-1);
        assertThat(info.toNanos(123_456_789)).isEqualTo(123_456_789);
    }

    private static void completionQueues(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        boolean java = System.getProperty("io.verbs4j.mlx5.path").equals("java");
        ByteBuffer memory = ByteBuffer.allocateDirect(8192);
        for (int kind = 0; kind < 3; kind++) {
            Mlx5CqInitAttr attr = new Mlx5CqInitAttr().cqeSize(kind == 0 ? 64 : 128);
            if (kind == 2) {
                attr.flags(Mlx5CqFlags.CQE_PAD);
            }
            Object mine = new Object();
            CompletionQueue cq = dv.createCq(60, mine, null, 0, attr);
            assertThat(cq.cqe()).isEqualTo(63);
            assertThat(cq.userContext()).isSameAs(mine);
            assertThat(dv.completionQueue(cq).cqeSize()).isEqualTo(attr.cqeSize());
            exchange(context, cq, memory);
            cq.close();
            refused(Errno.EINVAL, "closed", () -> dv.completionQueue(cq));
        }
        refused(Errno.EINVAL, "null", () -> dv.createCq(1, null, null, 0, null));
        refused(Errno.EINVAL, "cqe", () -> dv.createCq(0, null, null, 0, new Mlx5CqInitAttr()));
        refused(Errno.EINVAL, "64 or 128", () -> dv.createCq(1, null, null, 0, new Mlx5CqInitAttr().cqeSize(96)));
        Mlx5CqInitAttr compressed = new Mlx5CqInitAttr().cqeCompression(Mlx5CqeFormat.HASH);
        // Java refuses this; on the other path libmlx5 reports that the device does not support it.
        refused(java ? Errno.EOPNOTSUPP : Errno.EINVAL, "", () -> dv.createCq(1, null, null, 0, compressed));
        Mlx5CqInitAttr unknown = new Mlx5CqInitAttr();
        unknown.compMask(1L << 40);
        refused(Errno.EOPNOTSUPP, "0x10000000000", () -> dv.createCq(1, null, null, 0, unknown));
        // A queue in use cannot be closed.
        CompletionQueue used = dv.createCq(10, null, null, 0, new Mlx5CqInitAttr().cqeSize(64));
        ProtectionDomain pd = context.allocPd();
        QueuePair qp = context.createQpEx(attributes(pd, used));
        refused(Errno.EBUSY, "queue pair", used::close);
        qp.close();
        used.close();
        pd.close();
    }

    /**
     * Sends messages between two queue pairs of one completion queue; some are small enough to arrive inside a
     * completion.
     */
    private static void exchange(Context context, CompletionQueue cq, ByteBuffer memory) {
        try (ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE);
                QueuePair a = context.createQpEx(attributes(pd, cq));
                QueuePair b = context.createQpEx(attributes(pd, cq))) {
            Mlx5Rig.connect(context, a, b.qpNum());
            Mlx5Rig.connect(context, b, a.qpNum());
            sends(mr, memory, a, b, cq);
        }
    }

    private static void sends(MemoryRegion mr, ByteBuffer memory, QueuePair a, QueuePair b, CompletionQueue cq) {
        WorkCompletion[] wc = {new WorkCompletion(), new WorkCompletion()};
        for (int length = 1; length < 150; length += 7) {
            for (int i = 0; i < length; i++) {
                memory.put(i, (byte) (length + i)).put(4096 + i, (byte) 0);
            }
            assertThat(b.postRecv(new RecvWorkRequest().sgList(ScatterGatherElement.of(mr, 4096, 200))))
                    .isZero();
            assertThat(a.postSend(new SendWorkRequest()
                            .opcode(WrOpcode.SEND)
                            .sendFlags(SendFlags.SIGNALED)
                            .sgList(ScatterGatherElement.of(mr, 0, length))))
                    .isZero();
            Simulator.device_sim_pump(-1);
            assertThat(cq.poll(2, wc)).isEqualTo(2);
            assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc[1].status()).isEqualTo(WcStatus.SUCCESS);
            for (int i = 0; i < length; i++) {
                assertThat(memory.get(4096 + i)).isEqualTo((byte) (length + i));
            }
        }
    }

    private static void queuePairs(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        ByteBuffer memory = ByteBuffer.allocateDirect(8192);
        int[] flags = {
            0,
            Mlx5QpCreateFlags.DISABLE_SCATTER_TO_CQE,
            Mlx5QpCreateFlags.ALLOW_SCATTER_TO_CQE,
            Mlx5QpCreateFlags.PACKET_BASED_CREDIT_MODE
        };
        try (ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE);
                CompletionQueue cq = context.createCq(64)) {
            for (int flag : flags) {
                Mlx5QpInitAttr with = new Mlx5QpInitAttr().createFlags(flag);
                QpInitAttrEx attr = attributes(pd, cq);
                try (QueuePair a = dv.createQp(attr, with);
                        QueuePair b = dv.createQp(attributes(pd, cq), with)) {
                    assertThat(attr.cap().maxInlineData()).isPositive(); // unchanged
                    assertThat(a.qpType()).isEqualTo(QpType.RC);
                    refused(Errno.EBUSY, "queue pair", pd::close);
                    Mlx5Rig.connect(context, a, b.qpNum());
                    Mlx5Rig.connect(context, b, a.qpNum());
                    sends(mr, memory, a, b, cq);
                    assertThat(dv.queuePair(a, 0).sq().buf()).isNotZero();
                }
            }
            refused(Errno.EINVAL, "null", () -> dv.createQp(null, new Mlx5QpInitAttr()));
            refused(Errno.EINVAL, "null", () -> dv.createQp(attributes(pd, cq), null));
            refused(
                    Errno.EINVAL,
                    "streams",
                    () -> dv.createQp(attributes(pd, cq), new Mlx5QpInitAttr().dciStreams(1, 1)));
            refused(
                    Errno.EINVAL,
                    "sendCq",
                    () -> dv.createQp(attributes(pd, cq).sendCq(null), new Mlx5QpInitAttr().createFlags(0)));
            refused(
                    Errno.EOPNOTSUPP,
                    "the driver",
                    () -> dv.createQp(
                            attributes(pd, cq), new Mlx5QpInitAttr().createFlags(Mlx5QpCreateFlags.TUNNEL_OFFLOADS)));
            refused(
                    Errno.EINVAL,
                    "the driver",
                    () -> dv.createQp(attributes(pd, cq), new Mlx5QpInitAttr().createFlags(1 << 30)));
            Mlx5QpInitAttr unknown = new Mlx5QpInitAttr();
            unknown.compMask(1L << 40);
            refused(Errno.EOPNOTSUPP, "mask", () -> dv.createQp(attributes(pd, cq), unknown));
            QpInitAttrEx tooMuch = attributes(pd, cq);
            tooMuch.cap().maxRecvSge(1 << 28);
            refused(Errno.EINVAL, "maxRecvSge", () -> dv.createQp(tooMuch, new Mlx5QpInitAttr().createFlags(0)));
        }
    }

    private static void pages(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        try (Uar bf = dv.allocUar(UarType.BF);
                Uar nc = dv.allocUar(UarType.NC);
                Uar same = dv.allocUar(UarType.NC)) {
            assertThat(bf.regAddress() - bf.baseAddress()).isBetween(0x800L, 0xfffL);
            assertThat(bf.mmapOffset()).isNotZero();
            assertThat(bf.pageId()).isNotEqualTo(nc.pageId());
            assertThat(same.pageId()).isEqualTo(nc.pageId());
            refused(Errno.EBUSY, "register page=3", context::close);
        }
        Uar closed = dv.allocUar(UarType.BF);
        closed.close();
        closed.close();
        refused(Errno.EINVAL, "closed", closed::regAddress);
        refused(Errno.EINVAL, "UarType", () -> dv.allocUar(7));
        List<Var> vars = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Var var = dv.allocVar(0);
            assertThat(var.pageId()).isEqualTo(i);
            assertThat(var.length()).isEqualTo(4096);
            NativeMemory.putInt(var.address() + 4092, i);
            assertThat(NativeMemory.getInt(var.address() + 4092)).isEqualTo(i);
            vars.add(var);
        }
        refused(Errno.ENOMEM, "no more", () -> dv.allocVar(0));
        refused(Errno.EINVAL, "VarFlags", () -> dv.allocVar(8));
        refused(Errno.EBUSY, "virtio doorbell page=16", context::close);
        vars.forEach(Var::close);
        vars.forEach(Var::close);
        refused(Errno.EINVAL, "closed", vars.get(0)::address);
        dv.allocVar(0).close();
    }

    /** Checks lag ports without bonded ports, and UDP source ports. */
    private static void paths(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        try (ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(10);
                AddressHandle ah = pd.createAh(Mlx5Rig.path(context));
                QueuePair qp = context.createQpEx(attributes(pd, cq))) {
            assertThat(dv.queryDevice(-1).has(Mlx5ContextMask.NUM_LAG_PORTS)).isFalse();
            refused(Errno.EOPNOTSUPP, "the driver", () -> dv.queryLagPort(qp));
            refused(Errno.EOPNOTSUPP, "the driver", () -> dv.modifyLagPort(qp, 1));
            refused(Errno.EOPNOTSUPP, "the driver", () -> dv.modifyUdpSport(qp, 50_000)); // not before RTS
            Mlx5Rig.connect(context, qp, qp.qpNum());
            dv.modifyUdpSport(qp, 50_000);
            dv.mapAhToQp(ah, qp.qpNum());
            refused(Errno.EINVAL, "qpNum", () -> dv.mapAhToQp(ah, 1 << 24));
            refused(Errno.EINVAL, "", () -> dv.resetDciStream(qp, 0)); // not an initiator
            refused(Errno.EINVAL, "streamId", () -> dv.resetDciStream(qp, -1));
        }
    }

    private static void bondedPorts(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        try (ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(10);
                QueuePair qp = context.createQpEx(attributes(pd, cq))) {
            assertThat(dv.queryDevice(Mlx5ContextMask.NUM_LAG_PORTS).numLagPorts())
                    .isEqualTo(2);
            refused(Errno.EOPNOTSUPP, "the driver", () -> dv.modifyLagPort(qp, 1)); // not before RTS
            Mlx5Rig.connect(context, qp, qp.qpNum());
            LagPort before = dv.queryLagPort(qp);
            assertThat(before.active()).isEqualTo(before.configured());
            dv.modifyLagPort(qp, 3 - before.configured());
            assertThat(dv.queryLagPort(qp)).isEqualTo(new LagPort(3 - before.active(), 3 - before.active()));
            assertThatThrownBy(() -> dv.modifyLagPort(qp, 3)).isInstanceOf(VerbsException.class);
        }
    }

    /** With rdma-core 33, functions added later are reported by name. */
    private static void lacking(Context context) {
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        try (ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(10);
                QueuePair qp = context.createQpEx(attributes(pd, cq));
                AddressHandle ah = pd.createAh(Mlx5Rig.path(context))) {
            refused(Errno.ENOSYS, "mlx5dv_dci_stream_id_reset", () -> dv.resetDciStream(qp, 0));
            refused(Errno.ENOSYS, "rdma-core 37", () -> dv.resetDciStream(qp, 0));
            refused(Errno.ENOSYS, "mlx5dv_map_ah_to_qp", () -> dv.mapAhToQp(ah, qp.qpNum()));
            refused(Errno.ENOSYS, "rdma-core 36", () -> dv.mapAhToQp(ah, qp.qpNum()));
            // The library has these, but the device does not support them.
            refused(Errno.EOPNOTSUPP, "the driver", () -> dv.modifyUdpSport(qp, 1));
            Mlx5DeviceAttr attr = dv.queryDevice(-1);
            assertThat(attr.has(Mlx5ContextMask.SIGNATURE_OFFLOAD)).isFalse();
            assertThat(attr.signature()).isEqualTo(new Mlx5DeviceAttr.Signature(0, 0, 0, 0));
            assertThat(attr.has(Mlx5ContextMask.DCI_STREAMS)).isFalse();
            assertThat(attr.dciStreams().maxLogConcurrent()).isZero();
            assertThat(attr.has(Mlx5ContextMask.OOO_RECV_WRS)).isFalse();
            assertThat(attr.outOfOrderRecvWrs()).isEqualTo(new Mlx5DeviceAttr.OutOfOrderRecvWrs(0, 0, 0, 0, 0));
            assertThat(attr.maxDynamicBfregs()).isPositive();
            refused(Errno.EOPNOTSUPP, "the driver", () -> dv.allocUar(UarType.NC_DEDICATED));
        }
    }

    private static void closed(Context context) {
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(10);
        QueuePair qp = context.createQpEx(attributes(pd, cq));
        Mlx5Dv dv = context.vendor(Mlx5Dv.class);
        try (Context other = SimulatedDevice.open("mlx5_0")) {
            refused(
                    Errno.EINVAL,
                    "another context",
                    () -> other.vendor(Mlx5Dv.class).queuePair(qp, 0));
            refused(
                    Errno.EINVAL,
                    "another context",
                    () -> other.vendor(Mlx5Dv.class).pdNumber(pd));
        }
        refused(Errno.EINVAL, "must be 1 to 255", () -> dv.modifyLagPort(qp, 0));
        refused(Errno.EINVAL, "udpSport", () -> dv.modifyUdpSport(qp, 0x10000));
        qp.close();
        refused(Errno.EINVAL, "closed", () -> dv.queuePair(qp, 0));
        refused(Errno.EINVAL, "closed", () -> dv.queryLagPort(qp));
        refused(Errno.EINVAL, "closed", () -> dv.modifyUdpSport(qp, 5));
        cq.close();
        refused(Errno.EINVAL, "closed", () -> dv.completionQueue(cq));
        pd.close();
        refused(Errno.EINVAL, "closed", () -> dv.pdNumber(pd));
        context.close();
        refused(Errno.EINVAL, "closed", () -> dv.queryDevice(0));
        refused(Errno.EINVAL, "closed", dv::clockInfo);
        refused(Errno.EINVAL, "closed", () -> dv.allocUar(UarType.BF));
        refused(Errno.EINVAL, "closed", () -> dv.bufferAllocator(new Arena()));
        refused(Errno.EINVAL, "", () -> dv.createCq(1, null, null, 0, new Mlx5CqInitAttr()));
        refused(Errno.EINVAL, "closed", () -> context.vendor(Mlx5Dv.class));
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ReregFlags;
import io.verbs4j.RingAllocator;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Programs for a simulated device: regions whose addresses differ from those of their memory, used as targets of RDMA
 * and receives and as data to send; device memory; domains. The arguments are the cases, separated by commas, and the
 * data path.
 */
// Longer than 500 lines because one process runs several cases, which share the simulated device and its memory.
public final class MemoryPlacementProgram {
    private static final int SIZE = 1 << 16;
    private static final int PAGE = 4096;
    private static final int SMALL = 24; // travels inside a completion if the queue pair allows it
    private static final int LARGE = 300;
    private static final int PROT_NONE = 0;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int LOCAL = AccessFlags.LOCAL_WRITE;
    private static final Map<String, Consumer<Mlx5Rig>> CASES = new HashMap<>();

    static {
        CASES.put("deviceMemory", MemoryPlacementProgram::deviceMemory);
        CASES.put("copies", MemoryPlacementProgram::copies);
        CASES.put("zeroBased", MemoryPlacementProgram::zeroBased);
        CASES.put("iova", MemoryPlacementProgram::iova);
        CASES.put("descriptor", MemoryPlacementProgram::descriptor);
        CASES.put("nothing", MemoryPlacementProgram::nothing);
        CASES.put("onDemand", MemoryPlacementProgram::onDemand);
        CASES.put("implicit", MemoryPlacementProgram::implicit);
        CASES.put("domain", MemoryPlacementProgram::domain);
        CASES.put("allocators", MemoryPlacementProgram::allocators);
        CASES.put("multicast", MemoryPlacementProgram::multicast);
        CASES.put("told", MemoryPlacementProgram::told);
    }

    private static final ByteBuffer MEMORY =
            ByteBuffer.allocateDirect(SIZE + PAGE).alignedSlice(PAGE);
    private static final WorkCompletion[] WC = {new WorkCompletion()};

    private MemoryPlacementProgram() {}

    public static void main(String... args) {
        Cases.run(args[0], name -> {
            try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", args[1], QpType.RC, MEMORY)) {
                CASES.get(name).accept(rig);
                Simulator.requireNoViolation();
            }
        });
    }

    // ---- single requests

    private static int status(CompletionQueue cq) {
        Simulator.pump();
        assertThat(cq.poll(1, WC)).isEqualTo(1);
        return WC[0].status();
    }

    private static ScatterGatherElement piece(MemoryRegion mr, long addr, int length) {
        return new ScatterGatherElement().lkey(mr.lkey()).addr(addr).length(length);
    }

    private static int remote(Mlx5Rig rig, int opcode, MemoryRegion target, long addr, int length) {
        assertThat(rig.qp.postSend(new SendWorkRequest()
                        .opcode(opcode)
                        .sendFlags(SendFlags.SIGNALED)
                        .remoteAddr(addr)
                        .rkey(target.rkey())
                        .sgList(piece(rig.mr, rig.mr.addr(), length))))
                .isZero();
        return status(rig.cq);
    }

    /** Sends from the rig's memory to a place. */
    private static int receive(Mlx5Rig rig, MemoryRegion into, long addr, int length) {
        assertThat(rig.peer.postRecv(new RecvWorkRequest().sgList(piece(into, addr, length))))
                .isZero();
        assertThat(rig.qp.postSend(new SendWorkRequest()
                        .opcode(WrOpcode.SEND)
                        .sendFlags(SendFlags.SIGNALED)
                        .sgList(piece(rig.mr, rig.mr.addr(), length))))
                .isZero();
        int status = status(rig.peerCq);
        rig.cq.poll(1, WC);
        return status;
    }

    /** Sends from a place to the end of the rig's memory. */
    private static int send(Mlx5Rig rig, MemoryRegion from, long addr, int length, int flags) {
        assertThat(rig.peer.postRecv(new RecvWorkRequest().sgList(piece(rig.mr, rig.mr.addr() + SIZE - LARGE, LARGE))))
                .isZero();
        int error = rig.qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED | flags)
                .sgList(piece(from, addr, length)));
        if (error != 0) {
            rig.reconnect(); // which drops the receive
            return -error;
        }
        int status = status(rig.cq);
        rig.peerCq.poll(1, WC);
        return status;
    }

    private static void fill(int first) {
        for (int i = 0; i < LARGE; i++) {
            MEMORY.put(i, (byte) (first + i));
        }
    }

    private static void requireSame(ByteBuffer seen, int at, int first, int length) {
        for (int i = 0; i < length; i++) {
            assertThat(seen.get(at + i)).as("byte " + i).isEqualTo((byte) (first + i));
        }
    }

    /**
     * Writes to a region of at least a page, and reads from it, in every way; {@code seen} returns its current content.
     */
    private static void use(
            Mlx5Rig rig, MemoryRegion mr, java.util.function.Supplier<ByteBuffer> seen, boolean inline) {
        long end = mr.addr() + mr.length();
        fill(1);
        assertThat(remote(rig, WrOpcode.RDMA_WRITE, mr, mr.addr(), LARGE)).isZero();
        requireSame(seen.get(), 0, 1, LARGE);
        fill(2);
        assertThat(remote(rig, WrOpcode.RDMA_WRITE, mr, end - 1, 1)).isZero();
        requireSame(seen.get(), (int) mr.length() - 1, 2, 1);
        for (int length : new int[] {SMALL, LARGE, 1, 5}) {
            for (int from = 0; from < 4; from++) {
                fill(length + from);
                assertThat(receive(rig, mr, mr.addr() + 512 + from, length)).isZero();
                requireSame(seen.get(), 512 + from, length + from, length);
            }
        }
        fill(77);
        assertThat(remote(rig, WrOpcode.RDMA_WRITE, mr, mr.addr(), LARGE)).isZero();
        fill(0);
        assertThat(remote(rig, WrOpcode.RDMA_READ, mr, mr.addr() + 1, SMALL)).isZero();
        requireSame(MEMORY, 0, 78, SMALL);
        assertThat(send(rig, mr, mr.addr(), LARGE, 0)).isZero();
        requireSame(MEMORY, SIZE - LARGE, 77, LARGE);
        assertThat(send(rig, mr, mr.addr() + 1, 8, SendFlags.INLINE)).isEqualTo(inline ? 0 : -Errno.EINVAL);
        if (inline) {
            requireSame(MEMORY, SIZE - LARGE, 78, 8);
        }
        rig.reconnect();
        assertThat(remote(rig, WrOpcode.RDMA_WRITE, mr, end, 1)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        rig.reconnect();
        refused(Errno.EOPNOTSUPP, "register a new one", () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, LOCAL));
    }

    // ---- kinds of regions

    private static void deviceMemory(Mlx5Rig rig) {
        try (DeviceMemory dm = rig.context.allocDm(new AllocDmAttr().length(3 * PAGE))) {
            ByteBuffer copy = ByteBuffer.allocateDirect(2 * PAGE);
            try (MemoryRegion mr = rig.pd.regDmMr(dm, 64, 2 * PAGE, Mlx5Rig.ACCESS | AccessFlags.ZERO_BASED)) {
                assertThat(mr.addr()).isZero();
                use(
                        rig,
                        mr,
                        () -> {
                            assertThat(dm.copyFrom(copy, 64)).isZero();
                            return copy;
                        },
                        false);
            }
            refused(
                    Errno.EOPNOTSUPP,
                    "MW_BIND",
                    () -> rig.pd.regDmMr(dm, 0, 64, LOCAL | AccessFlags.MW_BIND | AccessFlags.ZERO_BASED));
            refused(Errno.EINVAL, "ZERO_BASED", () -> rig.pd.regDmMr(dm, 0, 64, LOCAL));
        }
    }

    /** In C, offsets that wrap refer to other memory. */
    private static void copies(Mlx5Rig rig) {
        DeviceMemory dm = rig.context.allocDm(new AllocDmAttr().length(256));
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        assertThat(dm.copyTo(-4, buffer)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(Long.MIN_VALUE, buffer)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyFrom(buffer, Long.MAX_VALUE - 3)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyFrom(buffer, 256 - 60)).isEqualTo(Errno.EFAULT);
        assertThat(dm.copyTo(0, null)).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyTo(0, ByteBuffer.allocate(64))).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyFrom(buffer.asReadOnlyBuffer(), 0)).isEqualTo(Errno.EINVAL);
        assertThat(dm.copyTo(256, buffer.slice(0, 0))).isZero();
        for (int i = 0; i < 64; i++) {
            buffer.put(i, (byte) i);
        }
        buffer.position(4).limit(60);
        assertThat(dm.copyTo(100, buffer.asReadOnlyBuffer())).isZero();
        ByteBuffer back = ByteBuffer.allocateDirect(56);
        assertThat(dm.copyFrom(back, 100)).isZero();
        assertThat(back).isEqualTo(buffer);
        dm.close();
        assertThat(dm.copyTo(0, buffer)).isEqualTo(Errno.EINVAL);
    }

    private static void zeroBased(Mlx5Rig rig) {
        ByteBuffer pages =
                ByteBuffer.allocateDirect(3 * PAGE).alignedSlice(PAGE).slice(0, 2 * PAGE);
        try (MemoryRegion mr = rig.pd.regMr(pages, Mlx5Rig.ACCESS | AccessFlags.ZERO_BASED)) {
            assertThat(mr.addr()).isZero();
            use(rig, mr, () -> pages, true);
        }
        refused(Errno.EINVAL, "page", () -> rig.pd.regMr(pages.slice(8, 100), LOCAL | AccessFlags.ZERO_BASED));
        refused(
                Errno.EOPNOTSUPP,
                "register a new one",
                () -> rig.mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, LOCAL | AccessFlags.ZERO_BASED));
    }

    private static void iova(Mlx5Rig rig) {
        ByteBuffer pages =
                ByteBuffer.allocateDirect(4 * PAGE).alignedSlice(PAGE).slice(8, 2 * PAGE);
        RegMrAttrEx attr = new RegMrAttrEx()
                .addr(NativeMemory.address(pages))
                .length(2 * PAGE)
                .iova(0xfff0_0000_0008L)
                .access(Mlx5Rig.ACCESS)
                .keepAlive(pages);
        try (MemoryRegion mr = rig.pd.regMrEx(attr)) {
            assertThat(mr.addr()).isEqualTo(0xfff0_0000_0008L);
            use(rig, mr, () -> pages, true);
        }
        try (MemoryRegion plain = rig.pd.regMrEx(attr.iova(attr.addr()))) {
            assertThat(plain.addr()).isEqualTo(attr.addr());
            assertThat(send(rig, plain, plain.addr(), 8, SendFlags.INLINE)).isZero();
        }
        refused(Errno.EINVAL, "ZERO_BASED", () -> rig.pd.regMrEx(attr.access(LOCAL | AccessFlags.ZERO_BASED)));
    }

    private static void descriptor(Mlx5Rig rig) {
        int fd = MemoryErrnosProgram.file(3 * PAGE);
        long map = Libc.mmap(0, 3 * PAGE, Libc.PROT_READ_WRITE, Libc.MAP_SHARED, fd, 0);
        ByteBuffer seen = ByteBuffer.allocateDirect(2 * PAGE);
        try (MemoryRegion mr = rig.pd.regMrEx(new RegMrAttrEx()
                .fd(fd)
                .fdOffset(PAGE / 2)
                .iova(7 * PAGE + PAGE / 2)
                .length(2 * PAGE)
                .access(Mlx5Rig.ACCESS))) {
            Libc.close(fd); // the region keeps the file's memory
            use(
                    rig,
                    mr,
                    () -> {
                        NativeMemory.copy(map + PAGE / 2, NativeMemory.address(seen), 2 * PAGE);
                        return seen;
                    },
                    false);
        }
        Libc.munmap(map, 3 * PAGE);
    }

    private static void nothing(Mlx5Rig rig) {
        try (MemoryRegion none = rig.pd.allocNullMr();
                MemoryRegion again = rig.pd.allocNullMr()) {
            assertThat(none.addr()).isZero();
            assertThat(none.length()).isEqualTo(-1);
            assertThat(again.lkey()).isEqualTo(none.lkey());
            assertThat(receive(rig, none, 0, SMALL)).isZero();
            assertThat(receive(rig, none, 0x1234_5678_9abcL, LARGE)).isZero();
            fill(1);
            assertThat(remote(rig, WrOpcode.RDMA_WRITE, rig.mr, rig.mr.addr() + SIZE - LARGE, LARGE))
                    .isZero();
            assertThat(send(rig, none, 77, LARGE, 0)).isZero();
            for (int i = 0; i < LARGE; i++) {
                assertThat(MEMORY.get(SIZE - LARGE + i)).isZero();
            }
            assertThat(send(rig, none, 0, 8, SendFlags.INLINE)).isEqualTo(-Errno.EINVAL);
        }
    }

    /** Returns an address that stays inaccessible; unmapped memory could soon belong to someone else. */
    private static long nobodys() {
        return Libc.mmap(0, SIZE, PROT_NONE, PRIVATE_ANONYMOUS, -1, 0);
    }

    /** A region registered by address: nothing has checked whether there is memory. */
    private static void onDemand(Mlx5Rig rig) {
        int access = Mlx5Rig.ACCESS | AccessFlags.ON_DEMAND;
        ByteBuffer pages =
                ByteBuffer.allocateDirect(3 * PAGE).alignedSlice(PAGE).slice(0, 2 * PAGE);
        long at = NativeMemory.address(pages);
        try (MemoryRegion mr = rig.pd.regMr(at, 2 * PAGE, access, pages)) {
            use(rig, mr, () -> pages, false);
        }
        try (MemoryRegion mr = rig.pd.regMr(pages, access)) {
            assertThat(send(rig, mr, at, 8, SendFlags.INLINE)).isZero();
        }
        long nobodys = nobodys();
        try (MemoryRegion nowhere = rig.pd.regMr(nobodys, PAGE, access)) {
            assertThat(send(rig, nowhere, nobodys, 8, SendFlags.INLINE)).isEqualTo(-Errno.EINVAL);
            assertThat(receive(rig, nowhere, nobodys, SMALL)).isEqualTo(WcStatus.LOC_PROT_ERR);
            rig.reconnect();
        }
        refused(
                Errno.EINVAL,
                "ON_DEMAND",
                () -> rig.pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, piece(rig.mr, rig.mr.addr(), 1)));
        refused(Errno.EOPNOTSUPP, "advice", () -> rig.pd.adviseMr(3, 0, piece(rig.mr, rig.mr.addr(), 1)));
        refused(Errno.EOPNOTSUPP, "flags", () -> rig.pd.adviseMr(0, 2, piece(rig.mr, rig.mr.addr(), 1)));
    }

    /** One key for all memory, including what is mapped later; a request to unmapped memory fails, on either side. */
    private static void implicit(Mlx5Rig rig) {
        try (MemoryRegion all = rig.pd.regMr(0, -1, Mlx5Rig.ACCESS | AccessFlags.ON_DEMAND)) {
            assertThat(all.addr()).isZero();
            assertThat(all.length()).isEqualTo(-1);
            ByteBuffer later = ByteBuffer.allocateDirect(2 * LARGE);
            long at = NativeMemory.address(later);
            fill(1);
            assertThat(remote(rig, WrOpcode.RDMA_WRITE, all, at, LARGE)).isZero();
            requireSame(later, 0, 1, LARGE);
            fill(2);
            assertThat(receive(rig, all, at + LARGE, LARGE)).isZero();
            requireSame(later, LARGE, 2, LARGE);
            assertThat(receive(rig, all, at, SMALL)).isZero();
            requireSame(later, 0, 2, SMALL);
            fill(0);
            assertThat(remote(rig, WrOpcode.RDMA_READ, all, at + LARGE, SMALL)).isZero();
            requireSame(MEMORY, 0, 2, SMALL);
            assertThat(send(rig, all, at + LARGE, LARGE, 0)).isZero();
            requireSame(MEMORY, SIZE - LARGE, 2, LARGE);
            assertThat(send(rig, all, at, 8, SendFlags.INLINE)).isEqualTo(-Errno.EINVAL);
            rig.pd.adviseMr(AdviseMrAdvice.PREFETCH, AdviseMrFlags.FLUSH, piece(all, at, LARGE));
            requireSame(later, LARGE, 2, SMALL); // the advice has no effect on it
            assertThat(remote(rig, WrOpcode.RDMA_WRITE, all, nobodys(), 8)).isEqualTo(WcStatus.REM_OP_ERR);
            rig.reconnect();
            assertThat(receive(rig, all, nobodys(), SMALL)).isEqualTo(WcStatus.LOC_PROT_ERR);
            rig.reconnect();
        }
        refused(Errno.EINVAL, "needs addr 0", () -> rig.pd.regMr(PAGE, -1, AccessFlags.ON_DEMAND));
        refused(Errno.EINVAL, "with ON_DEMAND", () -> rig.pd.regMr(0, -1, Mlx5Rig.ACCESS));
    }

    // ---- domains

    /** Objects of a parent domain go with objects of its domain, and with no others. */
    private static void domain(Mlx5Rig rig) {
        try (ThreadDomain td = rig.context.allocTd(new TdInitAttr());
                ParentDomain parent = rig.context.allocParentDomain(
                        new ParentDomainInitAttr().pd(rig.pd).td(td));
                ProtectionDomain other = rig.context.allocPd();
                MemoryRegion ofParent = parent.regMr(MEMORY, Mlx5Rig.ACCESS);
                MemoryRegion ofOther = other.regMr(MEMORY, Mlx5Rig.ACCESS)) {
            try (QueuePair qp = parent.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null))) {
                Mlx5Rig.connect(rig.context, qp, qp.qpNum());
                for (MemoryRegion mr : new MemoryRegion[] {rig.mr, ofParent}) {
                    for (int flags : new int[] {0, SendFlags.INLINE}) {
                        fill(3);
                        assertThat(write(qp, mr, flags)).isZero();
                        assertThat(status(rig.cq)).isZero();
                        requireSame(MEMORY, SIZE / 2, 3, 8);
                    }
                }
                assertThat(write(rig.qp, ofParent, SendFlags.INLINE)).isZero();
                assertThat(status(rig.cq)).isZero();
                assertThat(write(qp, ofOther, SendFlags.INLINE)).isEqualTo(Errno.EINVAL);
            }
            try (QueuePair qp = parent.createQp(Mlx5Rig.attr(QpType.UD, rig.cq, null));
                    AddressHandle ofPd = rig.pd.createAh(rig.path());
                    AddressHandle ofDomain = parent.createAh(rig.path());
                    AddressHandle wrong = other.createAh(rig.path())) {
                Mlx5Rig.connect(rig.context, qp, 0);
                assertThat(datagram(qp, ofPd, qp.qpNum(), rig.mr)).isZero();
                assertThat(status(rig.cq)).isZero();
                assertThat(datagram(qp, ofDomain, qp.qpNum(), rig.mr)).isZero();
                assertThat(status(rig.cq)).isZero();
                assertThat(datagram(qp, wrong, qp.qpNum(), rig.mr)).isEqualTo(Errno.EINVAL);
            }
            refused(
                    Errno.EINVAL,
                    "parent domain",
                    () -> rig.context.allocParentDomain(new ParentDomainInitAttr().pd(parent)));
        }
    }

    private static int write(QueuePair qp, MemoryRegion mr, int flags) {
        return qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED | flags)
                .remoteAddr(mr.addr() + SIZE / 2)
                .rkey(mr.rkey())
                .sgList(piece(mr, mr.addr(), 8)));
    }

    private static int datagram(QueuePair qp, AddressHandle ah, int to, MemoryRegion mr) {
        return qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED)
                .ah(ah)
                .remoteQpn(to)
                .remoteQkey(Mlx5Rig.QKEY)
                .sgList(piece(mr, mr.addr(), 8)));
    }

    /** An allocator that returns anything a program may return. */
    private static final class Any implements RingAllocator {
        private long answer;
        private int freed;

        @Override
        public long alloc(ParentDomain pd, Object pdContext, long size, long alignment, long resourceType) {
            if (answer == 0) {
                throw new IllegalStateException("thrown on purpose");
            }
            return answer;
        }

        @Override
        public void free(ParentDomain pd, Object pdContext, long addr, long resourceType) {
            freed++;
            throw new IllegalStateException("thrown on purpose");
        }
    }

    /**
     * If an allocator throws, or returns an invalid or unaligned address, the queue is not created, and nothing else
     * happens.
     */
    private static void allocators(Mlx5Rig rig) {
        StringBuilder told = new StringBuilder();
        Thread.currentThread().setUncaughtExceptionHandler((thread, problem) -> told.append(problem));
        Any any = new Any();
        ByteBuffer good = ByteBuffer.allocateDirect(SIZE).alignedSlice(PAGE);
        try (ParentDomain parent = rig.context.allocParentDomain(
                new ParentDomainInitAttr().pd(rig.pd).allocators(any))) {
            for (long answer : new long[] {0, nobodys(), NativeMemory.address(good) + 8}) {
                any.answer = answer;
                refused(Errno.ENOMEM, "allocator", () -> parent.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null)));
            }
            assertThat(any.freed).isEqualTo(2); // the unusable memory was returned
            assertThat(told.toString()).contains("thrown on purpose", "can't be written", "not a multiple of");
            Thread.currentThread().setUncaughtExceptionHandler(null);
            any.answer = RingAllocator.USE_DEFAULT;
            QueuePair qp = parent.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null));
            Mlx5Rig.connect(rig.context, qp, qp.qpNum());
            assertThat(write(qp, rig.mr, 0)).isZero();
            assertThat(status(rig.cq)).isZero();
            qp.close();
            assertThat(any.freed).isEqualTo(2); // the driver's own memory is not the program's
            // Other failures are not mistaken for the allocator's.
            refused(Errno.EINVAL, "maxSendWr", () -> {
                var attr = Mlx5Rig.attr(QpType.RC, rig.cq, null);
                attr.cap().maxSendWr(1 << 20);
                parent.createQp(attr);
            });
        }
        try (ParentDomain without = rig.context.allocParentDomain(
                        new ParentDomainInitAttr().pd(rig.pd).allocators(null));
                QueuePair qp = without.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null))) {
            assertThat(qp.qpNum()).isPositive();
        }
    }

    // ---- special queue pairs

    private static int delivered(Mlx5Rig rig, int flags) {
        Gid group = Gid.of(0xff0e_0000_0000_0000L, 0x1234);
        QpInitAttrEx attr =
                QpInitAttrEx.of(rig.pd, Mlx5Rig.attr(QpType.UD, rig.cq, null)).createFlags(flags);
        try (QueuePair sender = rig.context.createQpEx(attr);
                QueuePair listener = rig.pd.createQp(Mlx5Rig.attr(QpType.UD, rig.peerCq, null));
                AddressHandle ah = rig.pd.createAh(multicast(rig, group))) {
            for (QueuePair qp : new QueuePair[] {sender, listener}) {
                Mlx5Rig.connect(rig.context, qp, 0);
                qp.attachMcast(group, 0);
                assertThat(qp.postRecv(
                                new RecvWorkRequest().wrId(99).sgList(piece(rig.mr, rig.mr.addr() + SIZE / 2, 100))))
                        .isZero();
            }
            assertThat(datagram(sender, ah, 0xffffff, rig.mr)).isZero();
            Simulator.pump();
            assertThat(rig.peerCq.poll(1, WC)).isEqualTo(1); // always delivered to others
            int count = 0;
            while (rig.cq.poll(1, WC) == 1) {
                count += WC[0].wrId() == 99 ? 1 : 0;
            }
            sender.detachMcast(group, 0);
            listener.detachMcast(group, 0);
            return count;
        }
    }

    private static io.verbs4j.AhAttr multicast(Mlx5Rig rig, Gid group) {
        io.verbs4j.AhAttr path = rig.path();
        path.grh().dgid(group);
        return path;
    }

    private static void multicast(Mlx5Rig rig) {
        assertThat(delivered(rig, 0)).isEqualTo(1);
        assertThat(delivered(rig, QpCreateFlags.LOW_LATENCY)).isEqualTo(1);
        assertThat(delivered(rig, QpCreateFlags.BLOCK_SELF_MCAST_LB)).isZero();
        assertThat(delivered(rig, QpCreateFlags.BLOCK_SELF_MCAST_LB | QpCreateFlags.LOW_LATENCY))
                .isZero();
        assertThat(delivered(rig, 1 << 30)).isEqualTo(1); // a hint, which may be unknown
        for (int flag : new int[] {1, 1 << 5, 1 << 27}) {
            refused(Errno.EOPNOTSUPP, "createFlags", () -> delivered(rig, flag));
        }
        int cross = QpCreateFlags.CROSS_CHANNEL; // such queue pairs are created in another way
        if ((rig.context.queryDeviceEx().qpCreateFlags() & cross) == 0) {
            refused(Errno.EOPNOTSUPP, "createFlags", () -> delivered(rig, cross));
        } else {
            assertThat(delivered(rig, cross)).isEqualTo(1);
            assertThat(delivered(rig, cross | QpCreateFlags.BLOCK_SELF_MCAST_LB))
                    .isZero();
        }
    }

    private static void told(Mlx5Rig rig) {
        DeviceAttrEx attr = rig.context.queryDeviceEx();
        long all = QpCreateSendOps.SEND | QpCreateSendOps.RDMA_READ | QpCreateSendOps.ATOMIC_CMP_AND_SWP;
        assertThat(attr.sendOpsRc() & all).isEqualTo(all);
        assertThat(attr.sendOps(QpType.RC)).isEqualTo(attr.sendOpsRc());
        assertThat(attr.sendOpsUc() & all).isEqualTo(QpCreateSendOps.SEND);
        long own = QpCreateSendOps.NOP
                | QpCreateSendOps.CQE_WAIT
                | QpCreateSendOps.SEND_ENABLE
                | QpCreateSendOps.RECV_ENABLE;
        assertThat(attr.sendOpsUd() & ~own).isEqualTo(QpCreateSendOps.SEND | QpCreateSendOps.SEND_WITH_IMM);
        assertThat(attr.sendOpsXrcSend() & all).isEqualTo(all);
        for (int bit = 0; bit < Long.SIZE; bit++) {
            long op = 1L << bit;
            QpInitAttrEx qp = QpInitAttrEx.of(rig.pd, Mlx5Rig.attr(QpType.RC, rig.cq, null))
                    .sendOpsFlags(op);
            if ((attr.sendOpsRc() & op) != 0) {
                rig.context.createQpEx(qp).close();
            } else {
                refused(Errno.EOPNOTSUPP, "sendOpsFlags", () -> rig.context.createQpEx(qp));
            }
        }
        int remote = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
        assertThat(attr.qpAccessFlags()).isEqualTo(AccessFlags.LOCAL_WRITE | remote);
        assertThat(attr.has(DeviceAttrEx.DEVICE_TRAITS) && attr.has(DeviceAttrEx.INTERNAL_PORTS))
                .isTrue();
        assertThat(attr.deviceTraits() | attr.internalPorts()).isZero();
        int cross = QpCreateFlags.CROSS_CHANNEL | QpCreateFlags.MANAGED_SEND | QpCreateFlags.MANAGED_RECV;
        int packets = QpCreateFlags.SCATTER_FCS | QpCreateFlags.CVLAN_STRIPPING;
        assertThat(rig.context.queryContext().hasVerb(ContextSlot.CREATE_WQ)).isTrue();
        assertThat(attr.qpCreateFlags() & ~cross).isEqualTo(QpCreateFlags.BLOCK_SELF_MCAST_LB | packets);
        assertThat(attr.qpCreateFlags() & cross).isIn(0, cross);
        assertThat(attr.maxDmSize()).isEqualTo(1 << 17);
        ByteBuffer pages =
                ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE).slice(0, PAGE);
        for (int bit = 0; bit < 20; bit++) {
            int access = LOCAL | 1 << bit;
            if ((attr.mrAccessFlags() & 1 << bit) != 0) {
                rig.pd.regMr(pages, access).close();
            } else if (1 << bit != AccessFlags.MW_BIND) { // the kernel grants it even if nothing can be bound
                refused(Errno.EOPNOTSUPP, "access", () -> rig.pd.regMr(pages, access));
            }
        }
        for (int bit = 20; bit < 30; bit++) {
            rig.pd.regMr(pages, LOCAL | 1 << bit).close();
        }
    }
}

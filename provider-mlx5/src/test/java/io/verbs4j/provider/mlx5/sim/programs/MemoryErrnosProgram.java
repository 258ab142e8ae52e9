/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RingAllocator;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcExFlags;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A program that does the same as {@code memory.c} and prints it in the same words. The argument is the data path. */
public final class MemoryErrnosProgram {
    private static final int PAGE = 4096;
    private static final String[] KINDS = {"?", "QP", "RWQ", "DBR", "SRQ", "CQ"};

    private MemoryErrnosProgram() {}

    public static void main(String... args) {
        try (Context context = Mlx5Rig.open("mlx5_0", args[0]);
                ProtectionDomain pd = context.allocPd();
                ProtectionDomain other = context.allocPd()) {
            deviceMemory(context, pd, context.queryDeviceEx().maxDmSize());
            descriptors(pd);
            regions(pd, other, ByteBuffer.allocateDirect(1 << 16).alignedSlice(PAGE));
            domains(context);
        }
        Simulator.requireNoViolation();
    }

    static void told(String name, long value) {
        System.out.println(name + " " + value);
    }

    private static <T> T made(String name, Supplier<T> maker) {
        try {
            T object = maker.get();
            told(name, 0);
            return object;
        } catch (VerbsException e) {
            told(name, e.errno());
            return null;
        }
    }

    private static void done(String name, Runnable body) {
        made(name, () -> {
            body.run();
            return null;
        });
    }

    private static void close(String name, VerbsObject object) {
        done(name, object::close);
    }

    private static void deviceMemory(Context context, ProtectionDomain pd, long most) {
        made("dm.long", () -> context.allocDm(new AllocDmAttr().length(most + 1)));
        made("dm.alignment", () -> context.allocDm(new AllocDmAttr().length(200).logAlignReq(13)));
        DeviceMemory dm = made(
                "dm.alloc", () -> context.allocDm(new AllocDmAttr().length(200).logAlignReq(6)));
        made("dm.noMore", () -> context.allocDm(new AllocDmAttr().length(most).logAlignReq(6)));
        ByteBuffer bytes = ByteBuffer.allocateDirect(200);
        told("dm.to", dm.copyTo(0, bytes));
        told("dm.from", dm.copyFrom(bytes.slice(0, 4), 196));
        told("dm.offset", dm.copyTo(2, bytes.slice(0, 4)));
        told("dm.length", dm.copyTo(0, bytes.slice(0, 6)));
        told("dm.beyond", dm.copyTo(196, bytes.slice(0, 8)));
        MemoryRegion mr =
                made("dm.region", () -> pd.regDmMr(dm, 8, 64, AccessFlags.ZERO_BASED | AccessFlags.LOCAL_WRITE));
        told("dm.region.length", mr.length());
        close("dm.busy", dm);
        close("dm.region.close", mr);
        done("dm.export", () -> dm.exportDmabufFd().close());
        close("dm.free", dm);
    }

    /** Returns the descriptor of a file of zeros without a name. */
    static int file(int size) {
        try {
            Path path = Files.createTempFile("memories", "");
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
                    Scratch name = new Scratch(path.toString().length() + 1)) {
                file.setLength(size);
                NativeMemory.putString(name.address(), path.toString().getBytes(StandardCharsets.UTF_8));
                return Libc.open(name.address(), Libc.O_RDWR, 0);
            } finally {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void descriptors(ProtectionDomain pd) {
        int fd = file(3 * PAGE);
        descriptor(pd, "fd.good", 4096, 8192, 0x10000, fd);
        descriptor(pd, "fd.inPage", 4096 + 8, 100, 0x10008, fd);
        descriptor(pd, "fd.otherPlaceInPage", 4096 + 8, 100, 0x10000, fd);
        descriptor(pd, "fd.beyond", 4096, 8193, 0x10000, fd);
        descriptor(pd, "fd.none", 0, 4096, 0, 999);
        Libc.close(fd);
    }

    private static void descriptor(ProtectionDomain pd, String name, long offset, long length, long iova, int fd) {
        RegMrAttrEx attr = new RegMrAttrEx()
                .fd(fd)
                .fdOffset(offset)
                .length(length)
                .iova(iova)
                .access(AccessFlags.LOCAL_WRITE);
        MemoryRegion mr = made(name, () -> pd.regMrEx(attr));
        if (mr != null) {
            Check.require(mr.addr() == iova && mr.length() == length && mr.lkey() != 0, "another region: " + mr);
            mr.close();
        }
    }

    private static void regions(ProtectionDomain pd, ProtectionDomain other, ByteBuffer memory) {
        long at = NativeMemory.address(memory);
        RegMrAttrEx attr = new RegMrAttrEx()
                .addr(at)
                .length(8192)
                .iova(0)
                .access(AccessFlags.LOCAL_WRITE)
                .keepAlive(memory);
        close("iova.close", made("iova.zero", () -> pd.regMrEx(attr)));
        made("iova.otherPlaceInPage", () -> pd.regMrEx(attr.addr(at + 8).length(100)));
        ByteBuffer pages = memory.slice(0, 8192);
        close(
                "relaxed.close",
                made("relaxed", () -> pd.regMr(pages, AccessFlags.LOCAL_WRITE | AccessFlags.RELAXED_ORDERING)));
        MemoryRegion mr = made("onDemand", () -> pd.regMr(pages, AccessFlags.LOCAL_WRITE | AccessFlags.ON_DEMAND));
        ScatterGatherElement sge =
                new ScatterGatherElement().addr(at).length(8192).lkey(mr.lkey());
        for (int advice = 0; advice < 3; advice++) {
            int one = advice;
            done("advise", () -> pd.adviseMr(one, AdviseMrFlags.FLUSH, sge));
        }
        done("advise.otherDomain", () -> other.adviseMr(0, 0, sge));
        sge.length(8193);
        done("advise.beyond", () -> pd.adviseMr(0, 0, sge));
        sge.lkey(0xdead00);
        done("advise.noKey", () -> pd.adviseMr(0, 0, sge));
        close("onDemand.close", mr);
        MemoryRegion none = made("null", pd::allocNullMr);
        told("null.addr", none.addr());
        told("null.length", none.length());
        told("null.lkey", none.lkey());
        close("null.close", none);
    }

    /** Reports each request for memory; the addresses come from one piece of memory. */
    private static final class Arena implements RingAllocator {
        private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20).alignedSlice(PAGE);
        private final Object context = new Object();
        private long used;
        private int answer;

        @Override
        public long alloc(ParentDomain pd, Object pdContext, long size, long alignment, long resourceType) {
            Check.require(pd != null && pdContext == context, "another domain or context");
            System.out.println("alloc " + size + " " + alignment + " " + kind(resourceType));
            if (answer != 0) {
                return answer == 1 ? 0 : USE_DEFAULT;
            }
            used = (used + alignment - 1) / alignment * alignment;
            long at = NativeMemory.address(memory) + used;
            NativeMemory.putLong(at, -1); // no ring starts with this value
            used += size;
            return at;
        }

        @Override
        public void free(ParentDomain pd, Object pdContext, long addr, long resourceType) {
            Check.require(pd != null && pdContext == context, "another domain or context");
            System.out.println("free " + kind(resourceType));
        }

        private static String kind(long type) {
            return type >>> 32 == 1 && (int) type < KINDS.length ? KINDS[(int) type] : "?";
        }
    }

    private static void domains(Context context) {
        ProtectionDomain pd = context.allocPd();
        ThreadDomain td = made("td", () -> context.allocTd(new TdInitAttr()));
        Arena arena = new Arena();
        ParentDomainInitAttr attr =
                new ParentDomainInitAttr().pd(pd).td(td).allocators(arena).pdContext(arena.context);
        ParentDomain parent = made("parent", () -> context.allocParentDomain(attr));
        close("td.busy", td);
        close("pd.busy", pd);
        CqInitAttrEx cqAttr =
                new CqInitAttrEx().cqe(100).wcFlags(WcExFlags.STANDARD).parentDomain(parent);
        CompletionQueue cq = made("cq", () -> context.createCqEx(cqAttr));
        SharedReceiveQueue srq = made(
                "srq",
                () -> parent.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(16).maxSge(1))));
        QueuePair qp = made("qp", () -> parent.createQp(qpAttr(cq)));
        close("parent.busy", parent);
        close("qp.close", qp);
        close("srq.close", srq);
        arena.answer = 1;
        made("qp.noMemory", () -> parent.createQp(qpAttr(cq)));
        made("cq.noMemory", () -> context.createCqEx(cqAttr));
        arena.answer = 2;
        qp = made("qp.default", () -> parent.createQp(qpAttr(cq)));
        close("qp.default.close", qp);
        close("cq.close", cq);
        close("parent.close", parent);
        close("td.close", td);
        close("pd.close", pd);
    }

    private static QpInitAttr qpAttr(CompletionQueue cq) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(16)
                        .maxRecvWr(16)
                        .maxSendSge(3)
                        .maxRecvSge(3)
                        .maxInlineData(64));
    }
}

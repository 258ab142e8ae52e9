/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TdInitAttr;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.natives.memory.NativeMemory;
import java.nio.ByteBuffer;

/**
 * A program for the guest that requests zero-based regions, regions with an iova, on-demand memory, and everything else
 * that the kernel's device lacks. Prints each answer on a line.
 */
public final class KernelMemoryProgram {
    private static final int PAGE = 4096;
    private static final int SIZE = 2 * PAGE;
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer source = ByteBuffer.allocateDirect(SIZE);
    private final MemoryRegion mr;

    private KernelMemoryProgram(Context context) {
        this.context = context;
        pd = context.allocPd();
        cq = context.createCq(64);
        mr = pd.regMr(source, ACCESS);
        qp = pd.createQp(attr(QpType.RC));
        KernelReadingProgram.connect(context, qp);
    }

    private QpInitAttr attr(int type) {
        return new QpInitAttr()
                .qpType(type)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap()
                        .maxSendWr(8)
                        .maxRecvWr(8)
                        .maxSendSge(1)
                        .maxRecvSge(1)
                        .maxInlineData(32));
    }

    public static void main(String... args) {
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().equals("rxe0"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no rxe0: " + Verbs.report()));
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
            KernelMemoryProgram all = new KernelMemoryProgram(context);
            all.told();
            all.regions();
            all.onDemand();
            all.lacking();
            all.qp.close();
            all.mr.close();
            all.cq.close();
            all.pd.close();
        }
        System.out.println("the end");
    }

    private static void answer(String name, Runnable call) {
        try {
            call.run();
            System.out.println("answer " + name + " yes");
        } catch (VerbsException e) {
            System.out.println("answer " + name + " " + e.getMessage().split(": ", 3)[1] + " | " + e.getMessage());
        }
    }

    private void told() {
        DeviceAttrEx attr = context.queryDeviceEx();
        System.out.println("answer access " + AccessFlags.toString(attr.mrAccessFlags()));
        System.out.println("answer flags " + attr.has(DeviceAttrEx.QP_CREATE_FLAGS) + " " + attr.qpCreateFlags());
        System.out.println("answer ud " + QpCreateSendOps.toString(attr.sendOpsUd()));
        System.out.println("answer xrc " + attr.sendOpsXrcSend());
    }

    private int status() {
        WorkCompletion[] wc = {new WorkCompletion()};
        KernelReadingProgram.until(() -> cq.poll(1, wc) == 1);
        return wc[0].status();
    }

    private static ScatterGatherElement piece(MemoryRegion of, long addr, int length) {
        return new ScatterGatherElement().lkey(of.lkey()).addr(addr).length(length);
    }

    private static void require(boolean holds, String what) {
        KernelReadingProgram.require(holds, what);
    }

    /** Writes to its first and last bytes, sends from it, plain and inline, and receives into it. */
    private void use(String name, MemoryRegion region, ByteBuffer memory) {
        for (int i = 0; i < 8; i++) {
            source.put(i, (byte) (i + name.length()));
        }
        for (long at : new long[] {0, SIZE - 8}) {
            require(
                    qp.postSend(new SendWorkRequest()
                                    .opcode(WrOpcode.RDMA_WRITE)
                                    .sendFlags(SendFlags.SIGNALED)
                                    .remoteAddr(region.addr() + at)
                                    .rkey(region.rkey())
                                    .sgList(piece(mr, mr.addr(), 8)))
                            == 0,
                    name + ": a write was refused");
            int status = status();
            require(status == 0, name + ": " + WcStatus.toString(status));
            require(memory.slice((int) at, 8).equals(source.slice(0, 8)), name + ": other bytes at " + at);
        }
        for (int flags : new int[] {0, SendFlags.INLINE}) {
            memory.putLong(16, 0);
            require(
                    qp.postRecv(new RecvWorkRequest().sgList(piece(region, region.addr() + 16, 8))) == 0,
                    name + ": a receive was refused");
            int error = qp.postSend(new SendWorkRequest()
                    .opcode(WrOpcode.SEND)
                    .sendFlags(SendFlags.SIGNALED | flags)
                    .sgList(piece(region, region.addr(), 8)));
            require(error == 0, name + ": a send was refused with " + error);
            for (int i = 0; i < 2; i++) {
                require(status() == 0, name + ": the send or its receive has failed");
            }
            require(memory.slice(16, 8).equals(source.slice(0, 8)), name + ": other bytes arrived");
        }
    }

    private void regions() {
        ByteBuffer pages =
                ByteBuffer.allocateDirect(SIZE + PAGE).alignedSlice(PAGE).slice(0, SIZE);
        answer("zeroBased", () -> {
            try (MemoryRegion region = pd.regMr(pages, ACCESS | AccessFlags.ZERO_BASED)) {
                require(region.addr() == 0, "it begins at " + region.addr());
                use("zeroBased", region, pages);
            }
        });
        RegMrAttrEx attr = new RegMrAttrEx()
                .addr(NativeMemory.address(pages))
                .length(SIZE)
                .iova(0x123_4567_8000L)
                .access(ACCESS)
                .keepAlive(pages);
        answer("iova", () -> {
            try (MemoryRegion region = pd.regMrEx(attr)) {
                use("iova", region, pages);
            }
        });
        answer("otherPlaceInPage", () -> pd.regMrEx(attr.iova(8)));
        for (int bit = 20; bit < 30; bit++) {
            pd.regMr(pages, ACCESS | 1 << bit).close();
        }
        answer("unknownRight", () -> pd.regMr(pages, ACCESS | 1 << 15));
        answer(
                "dmabuf",
                () -> pd.regMrEx(new RegMrAttrEx().fd(0).fdOffset(0).iova(0).length(PAGE)));
    }

    private void onDemand() {
        ByteBuffer pages =
                ByteBuffer.allocateDirect(SIZE + PAGE).alignedSlice(PAGE).slice(0, SIZE);
        int access = ACCESS | AccessFlags.ON_DEMAND;
        answer("onDemand", () -> {
            try (MemoryRegion region = pd.regMr(NativeMemory.address(pages), SIZE, access, pages);
                    ProtectionDomain other = context.allocPd()) {
                use("onDemand", region, pages);
                ScatterGatherElement all = piece(region, region.addr(), SIZE);
                for (int advice = AdviseMrAdvice.PREFETCH; advice <= AdviseMrAdvice.PREFETCH_NO_FAULT; advice++) {
                    int one = advice;
                    answer(
                            "advise " + AdviseMrAdvice.toString(advice),
                            () -> pd.adviseMr(one, AdviseMrFlags.FLUSH, all));
                }
                answer("advise otherDomain", () -> other.adviseMr(0, AdviseMrFlags.FLUSH, all));
                all.lkey(region.lkey() ^ 0x40000);
                answer("advise noKey", () -> pd.adviseMr(0, AdviseMrFlags.FLUSH, all));
            }
        });
        answer("implicit", () -> pd.regMr(0, -1, access));
        answer("advise notOnDemand", () -> pd.adviseMr(0, AdviseMrFlags.FLUSH, piece(mr, mr.addr(), 8)));
    }

    private void lacking() {
        answer("null", pd::allocNullMr);
        answer("td", () -> context.allocTd(new TdInitAttr()));
        answer("parent", () -> context.allocParentDomain(new ParentDomainInitAttr().pd(pd)));
        answer("dm", () -> context.allocDm(new AllocDmAttr().length(64)));
        answer(
                "blockLoopback",
                () -> context.createQpEx(
                                QpInitAttrEx.of(pd, attr(QpType.UD)).createFlags(QpCreateFlags.BLOCK_SELF_MCAST_LB))
                        .close());
        answer(
                "lowLatency",
                () -> context.createQpEx(QpInitAttrEx.of(pd, attr(QpType.RC)).createFlags(QpCreateFlags.LOW_LATENCY))
                        .close());
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A program for the guest that uses librxe's extended completion queues on the kernel's device. The same messages are
 * polled as in level 1 and one by one, with the same results; unsupported options are refused.
 */
public final class KernelReadingProgram {
    private static final int LENGTH = 64;
    private static final int MESSAGES = 20;

    private KernelReadingProgram() {}

    public static void main(String... args) {
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().equals("rxe0"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no rxe0: " + Verbs.report()));
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
            refusals(context);
            List<String> plain = messages(context, context.createCq(64));
            CqInitAttrEx attr = new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD);
            List<String> read = messages(context, context.createCqEx(attr));
            List<String> single = messages(context, context.createCqEx(attr.flags(CqCreateFlags.SINGLE_THREADED)));
            require(plain.equals(read) && plain.equals(single), plain + "\n" + read + "\n" + single);
            plain.forEach(System.out::println);
        }
        System.out.println("the kernel's completions are read one by one");
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    private static void refused(int errno, Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            require(e.errno() == errno, "errno " + e.errno() + " and not " + errno + ": " + e);
            System.out.println("refused: " + e.getMessage());
            return;
        }
        throw new IllegalStateException("not refused with " + errno);
    }

    /** The device has no clock, and cannot drop completions silently. */
    private static void refusals(Context context) {
        for (long stamp : new long[] {WcExFlags.COMPLETION_TIMESTAMP, WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK}) {
            refused(
                    Errno.EOPNOTSUPP,
                    () -> context.createCqEx(new CqInitAttrEx().cqe(8).wcFlags(stamp)));
        }
        refused(
                Errno.EOPNOTSUPP,
                () -> context.createCqEx(new CqInitAttrEx().cqe(8).flags(CqCreateFlags.IGNORE_OVERRUN)));
    }

    private static List<String> messages(Context context, CompletionQueue queue) {
        List<String> told = new ArrayList<>();
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        try (CompletionQueue cq = queue;
                ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
                QueuePair qp = pd.createQp(new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(8).maxRecvWr(8).maxSendSge(1).maxRecvSge(1)))) {
            connect(context, qp);
            for (int i = 0; i < MESSAGES; i++) {
                require(
                        qp.postRecv(new RecvWorkRequest()
                                        .wrId(100 + i)
                                        .sgList(ScatterGatherElement.of(mr, 1024, LENGTH)))
                                == 0,
                        "a receive was refused");
                require(
                        qp.postSend(new SendWorkRequest()
                                        .wrId(i)
                                        .opcode(i % 2 == 0 ? WrOpcode.SEND : WrOpcode.SEND_WITH_IMM)
                                        .immData(i)
                                        .sendFlags(SendFlags.SIGNALED)
                                        .sgList(ScatterGatherElement.of(mr, 0, LENGTH)))
                                == 0,
                        "a send was refused");
                List<String> two = new ArrayList<>();
                until(() -> {
                    take(cq, two);
                    require(two.size() <= 2, "too many: " + two + " after " + told);
                    return two.size() == 2;
                });
                two.sort(null); // the order of the two is random
                told.addAll(two);
            }
            if (cq.wcFlags() != 0) {
                inTheMidst(cq, qp, mr);
            }
        }
        return told;
    }

    /** The reader holds the device's lock, so no other call may reach it. */
    private static void inTheMidst(CompletionQueue cq, QueuePair qp, MemoryRegion mr) {
        require(
                qp.postSend(new SendWorkRequest()
                                .opcode(WrOpcode.RDMA_WRITE)
                                .sendFlags(SendFlags.SIGNALED)
                                .remoteAddr(mr.addr())
                                .rkey(mr.rkey())
                                .sgList(ScatterGatherElement.of(mr, 0, LENGTH)))
                        == 0,
                "a write was refused");
        until(() -> cq.startPoll(null) == 0);
        require(cq.startPoll(null) == Errno.EBUSY, "a second start");
        require(cq.poll(1, new WorkCompletion[] {new WorkCompletion()}) == -Errno.EBUSY, "poll while reading");
        refused(Errno.EBUSY, qp::close);
        refused(Errno.EBUSY, () -> cq.resize(100));
        require(cq.readOpcode() == WcOpcode.RDMA_WRITE, WcOpcode.toString(cq.readOpcode()));
        require(cq.endPoll() == 0, "endPoll");
    }

    static void until(BooleanSupplier done) {
        long start = System.nanoTime();
        while (!done.getAsBoolean()) {
            require(System.nanoTime() - start < 120_000_000_000L, "no completion arrives");
            Thread.onSpinWait();
        }
    }

    private static void take(CompletionQueue cq, List<String> told) {
        if (cq.wcFlags() == 0) {
            WorkCompletion[] wc = {new WorkCompletion()};
            while (cq.poll(1, wc) == 1) {
                WorkCompletion c = wc[0];
                told.add(text(c.wrId(), c.status(), c.opcode(), c.byteLen(), c.wcFlags(), c.immData()));
            }
            return;
        }
        int answer = cq.startPoll(null);
        require(answer == 0 || answer == Errno.ENOENT, "startPoll " + answer);
        if (answer != 0) {
            return;
        }
        while (answer == 0) {
            told.add(text(
                    cq.wrId(), cq.status(), cq.readOpcode(), cq.readByteLen(), cq.readWcFlags(), cq.readImmData()));
            answer = cq.nextPoll();
        }
        require(answer == Errno.ENOENT && cq.endPoll() == 0, "nextPoll " + answer);
    }

    private static String text(long wrId, int status, int opcode, int length, int flags, int immediate) {
        String start = wrId + " " + WcStatus.toString(status) + " " + WcOpcode.toString(opcode);
        if ((opcode & WcOpcode.RECV) == 0) {
            return start;
        }
        boolean hasImmediate = (flags & WcFlags.WITH_IMM) != 0;
        return start + " " + length + (hasImmediate ? " immediate " + immediate : "");
    }

    static void connect(Context context, QueuePair qp) {
        connect(context, qp, AccessFlags.REMOTE_WRITE);
    }

    /** Connects the queue pair to itself, with these access rights. */
    static void connect(Context context, QueuePair qp, int access) {
        int index = 0;
        while (!context.queryGid(1, index).isIpv4Mapped()) {
            index++;
        }
        Gid gid = context.queryGid(1, index);
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(access));
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(new AhAttr()
                        .isGlobal(true)
                        .portNum(1)
                        .grh(new GlobalRoute().dgid(gid).sgidIndex(index).hopLimit(64)))
                .destQpNum(qp.qpNum())
                .rqPsn(0)
                .pathMtu(Mtu.MTU_1024)
                .maxDestRdAtomic(1)
                .minRnrTimer(1));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }
}

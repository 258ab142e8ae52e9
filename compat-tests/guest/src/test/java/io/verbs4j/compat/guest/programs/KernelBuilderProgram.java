/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.programs;

import static io.verbs4j.compat.guest.programs.KernelReadingProgram.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A program for the guest that posts to the kernel's device through librxe's builder and through post_send, mixed, and
 * checks what the device reports about it beforehand. Prints a line for each finished part.
 */
public final class KernelBuilderProgram {
    private static final long BUILT = QpCreateSendOps.ATOMIC_WRITE | QpCreateSendOps.FLUSH;
    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.FLUSH_GLOBAL;
    private static final int DEPTH = 8;
    private static final int AT = 2048;
    private static final long VALUE = 0x1122_3344_5566_7788L;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final CompletionQueue receives;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
    private final MemoryRegion mr;
    private final MemoryRegion unwritten;
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final long has;

    private KernelBuilderProgram(Context context) {
        this.context = context;
        pd = context.allocPd();
        cq = context.createCq(64);
        receives = context.createCq(64);
        has = context.queryDeviceEx().sendOpsRc() & BUILT;
        boolean flushes = (has & QpCreateSendOps.FLUSH) != 0;
        mr = pd.regMr(memory, AccessFlags.LOCAL_WRITE | (flushes ? RIGHTS : AccessFlags.REMOTE_WRITE));
        unwritten = pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.REMOTE_READ);
    }

    public static void main(String... args) {
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().equals("rxe0"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no rxe0: " + Verbs.report()));
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
            KernelBuilderProgram all = new KernelBuilderProgram(context);
            System.out.println("built " + QpCreateSendOps.toString(all.has));
            all.creation();
            if ((all.has & QpCreateSendOps.ATOMIC_WRITE) != 0) {
                all.inOrder();
                all.wrongKeys(all.atomicWrite(1), "atomic write");
            }
            if ((all.has & QpCreateSendOps.FLUSH) != 0) {
                all.wrongKeys(all.flush(1), "flush");
            }
            all.unwritten.close();
            all.mr.close();
            all.cq.close();
            all.receives.close();
            all.pd.close();
        }
        System.out.println("the end");
    }

    private QpInitAttrEx attr() {
        return QpInitAttrEx.of(
                pd,
                new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(receives)
                        .cap(new QpCap()
                                .maxSendWr(DEPTH)
                                .maxRecvWr(DEPTH)
                                .maxSendSge(1)
                                .maxRecvSge(1)
                                .maxInlineData(32)));
    }

    private QueuePair connected(QueuePair qp) {
        KernelReadingProgram.connect(
                context, qp, (has & QpCreateSendOps.FLUSH) != 0 ? RIGHTS : AccessFlags.REMOTE_WRITE);
        return qp;
    }

    private SendWorkRequest request(int opcode, long id) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(id)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(mr.addr() + AT)
                .rkey(mr.rkey());
    }

    private SendWorkRequest atomicWrite(long id) {
        return request(WrOpcode.ATOMIC_WRITE, id).atomicWriteValue(VALUE + id);
    }

    private SendWorkRequest flush(long id) {
        return request(WrOpcode.FLUSH, id)
                .flushType(FlushType.GLOBAL)
                .flushLevel(FlushLevel.RANGE)
                .flushLength(64);
    }

    private void post(QueuePair qp, SendWorkRequest first) {
        SendWorkRequest[] bad = {null};
        int errno = qp.postSend(first, bad);
        require(errno == 0, "postSend: " + errno + " at " + bad[0] + ": " + qp.explain(first));
    }

    private void next(long id, int opcode, int status) {
        KernelReadingProgram.until(() -> cq.poll(1, wc) == 1);
        require(
                wc[0].wrId() == id && wc[0].status() == status && (status != 0 || wc[0].opcode() == opcode),
                "completion " + wc[0].wrId() + " " + WcStatus.toString(wc[0].status()) + " "
                        + WcOpcode.toString(wc[0].opcode()) + ", not " + id + " " + WcOpcode.toString(opcode));
    }

    /**
     * Creating a queue pair fails for operations that the driver lacks; posting fails for operations that were not
     * requested.
     */
    private void creation() {
        for (long bit : new long[] {QpCreateSendOps.ATOMIC_WRITE, QpCreateSendOps.FLUSH}) {
            try (QueuePair qp = context.createQpEx(attr().sendOpsFlags(bit))) {
                require((has & bit) != 0, "made for " + QpCreateSendOps.toString(bit));
                connected(qp);
                SendWorkRequest other = bit == QpCreateSendOps.FLUSH ? atomicWrite(1) : flush(1);
                require(qp.postSend(other) == Errno.EOPNOTSUPP, "posted what was not named");
                require(qp.explain(other).contains("supports only "), qp.explain(other));
            } catch (VerbsException e) {
                require(e.errno() == Errno.EOPNOTSUPP && (has & bit) == 0, e.getMessage());
            }
        }
        try (QueuePair qp = connected(context.createQpEx(attr()))) {
            if ((has & QpCreateSendOps.FLUSH) == 0) {
                require(qp.postSend(flush(1)) == Errno.EOPNOTSUPP, "a flush was posted");
            }
            if ((has & QpCreateSendOps.ATOMIC_WRITE) == 0) {
                require(qp.postSend(atomicWrite(1)) == Errno.EOPNOTSUPP, "an atomic write was posted");
            }
        }
        System.out.println("creation done");
    }

    /** Posts both kinds in one list, several times around the queue, by postSend and by the header's builder. */
    private void inOrder() {
        boolean flushes = (has & QpCreateSendOps.FLUSH) != 0;
        try (QueuePair qp = connected(pd.createQp(attr().toBase()))) {
            SendBuilder builder = qp.builder();
            for (int round = 0; round < 100; round++) {
                memory.putLong(0, -round);
                memory.putLong(AT, 0);
                memory.putLong(AT + 8, 0);
                require(qp.postRecv(new RecvWorkRequest().wrId(9)) == 0, "a receive was refused");
                SendWorkRequest write = request(WrOpcode.RDMA_WRITE, 1).sgList(ScatterGatherElement.of(mr, 0, 8));
                SendWorkRequest atomic = atomicWrite(2).remoteAddr(mr.addr() + AT + 8);
                SendWorkRequest send = request(WrOpcode.SEND, 4);
                if (round % 2 == 0) {
                    post(qp, write.next(atomic.next(flushes ? flush(3).next(send) : send)));
                } else {
                    builder.start();
                    builder.write(1, SendFlags.SIGNALED, mr.rkey(), mr.addr() + AT, mr.lkey(), mr.addr(), 8);
                    builder.atomicWrite(2, SendFlags.SIGNALED, mr.rkey(), mr.addr() + AT + 8, VALUE + 2);
                    if (flushes) {
                        builder.flush(
                                3, SendFlags.SIGNALED, mr.rkey(), mr.addr() + AT, 64, FlushType.GLOBAL, FlushLevel.MR);
                    }
                    builder.send(4, SendFlags.SIGNALED);
                    int errno = builder.complete();
                    require(errno == 0, "complete: " + errno);
                }
                took(flushes);
                require(memory.getLong(AT) == -round && memory.getLong(AT + 8) == VALUE + 2, "the memory differs");
            }
            require(qp.postSend(atomicWrite(1).remoteAddr(mr.addr() + 4)) == Errno.EINVAL, "4 is not a multiple of 8");
        }
        System.out.println("in order, " + (flushes ? "with flushes" : "without flushes"));
    }

    private void took(boolean flushes) {
        next(1, WcOpcode.RDMA_WRITE, WcStatus.SUCCESS);
        next(2, WcOpcode.ATOMIC_WRITE, WcStatus.SUCCESS);
        if (flushes) {
            next(3, WcOpcode.FLUSH, WcStatus.SUCCESS);
        }
        next(4, WcOpcode.SEND, WcStatus.SUCCESS);
        KernelReadingProgram.until(() -> receives.poll(1, wc) == 1);
        require(wc[0].wrId() == 9 && wc[0].status() == WcStatus.SUCCESS, "the receive: " + wc[0]);
    }

    /** Uses a foreign key, and a region without the access right. */
    private void wrongKeys(SendWorkRequest wr, String name) {
        for (int key : new int[] {mr.rkey() ^ 0x5500, unwritten.rkey()}) {
            try (QueuePair qp = connected(pd.createQp(attr().toBase()))) {
                post(qp, wr.rkey(key).remoteAddr(unwritten.addr()));
                KernelReadingProgram.until(() -> cq.poll(1, wc) == 1);
                // It is its own peer, whose error may flush the queue before the answer arrives.
                int status = wc[0].status();
                require(
                        wc[0].wrId() == 1 && (status == WcStatus.REM_ACCESS_ERR || status == WcStatus.WR_FLUSH_ERR),
                        name + " by a wrong key: " + WcStatus.toString(status));
                qp.modify(new QpAttr().qpState(QpState.ERR));
            }
        }
        System.out.println(name + " by wrong keys fails");
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A program for a simulated device: posts more than the queue has room for. Accepted requests are executed, refused
 * ones are not, and polling completions makes room again. Argument: the data path.
 */
public final class FullSendQueueProgram {
    private static final int TARGET = 1 << 12;
    private static final int BEYOND = 2;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * TARGET).order(ByteOrder.nativeOrder());
    private final Context context;
    private final ProtectionDomain pd;
    private final MemoryRegion mr;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final int room;
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private int next;

    private FullSendQueueProgram(String path) {
        context = Mlx5Rig.open("mlx5_0", path);
        pd = context.allocPd();
        mr = pd.regMr(memory, Mlx5Rig.ACCESS);
        cq = context.createCq(255);
        QpInitAttr attr = new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(4).maxSendSge(1).maxInlineData(16));
        qp = pd.createQp(attr);
        room = attr.cap().maxSendWr();
        Mlx5Rig.connect(context, qp, qp.qpNum());
    }

    public static void main(String... args) {
        FullSendQueueProgram test = new FullSendQueueProgram(args[0]);
        for (int flags : new int[] {SendFlags.SIGNALED, SendFlags.SIGNALED | SendFlags.INLINE}) {
            for (int round = 0; round < 3; round++) {
                test.oneByOne(flags);
                test.asList(flags);
            }
        }
        test.unsignaled();
        test.leadingBack(SendFlags.SIGNALED, SendFlags.SIGNALED);
        test.leadingBack(SendFlags.SIGNALED | SendFlags.INLINE, SendFlags.SIGNALED);
        test.leadingBack(SendFlags.SIGNALED | SendFlags.INLINE, SendFlags.SIGNALED | SendFlags.FENCE);
        test.built();
        QpWalk.reset(test.qp);
        Mlx5Rig.connect(test.context, test.qp, test.qp.qpNum());
        test.oneByOne(SendFlags.SIGNALED);
        Simulator.requireNoViolation();
        require(Simulator.device_sim_count(Simulator.KEY_ERRORS) == 0, Simulator.message());
        System.out.println("full queue of " + test.room + ": " + test.next + " requests");
    }

    /** Returns a write of a distinct number to a distinct place. */
    private SendWorkRequest write(int flags) {
        int id = next++;
        int at = id % (TARGET / Long.BYTES) * Long.BYTES;
        memory.putLong(at, id + 1);
        memory.putLong(TARGET + at, 0);
        return new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .wrId(id)
                .sendFlags(flags)
                .remoteAddr(mr.addr() + TARGET + at)
                .rkey(mr.rkey())
                .sgList(ScatterGatherElement.of(mr, at, Long.BYTES));
    }

    private void oneByOne(int flags) {
        int first = next;
        for (int i = 0; i < room + BEYOND; i++) {
            int error = qp.postSend(write(flags));
            require(error == (i < room ? 0 : Errno.ENOMEM), "post " + i + " of " + room + ": " + error);
        }
        expect(first, 1);
    }

    private void asList(int flags) {
        int first = next;
        SendWorkRequest head = write(flags);
        SendWorkRequest last = head;
        SendWorkRequest beyond = null;
        for (int i = 1; i < room + BEYOND; i++) {
            SendWorkRequest wr = write(flags);
            last.next(wr);
            last = wr;
            beyond = i == room ? wr : beyond;
        }
        SendWorkRequest[] bad = {null};
        int error = qp.postSend(head, bad);
        require(error == Errno.ENOMEM && bad[0] == beyond, "a list: " + error);
        expect(first, 1);
    }

    private void unsignaled() {
        int first = next;
        for (int i = 0; i < room; i++) {
            require(qp.postSend(write(i == room - 1 ? SendFlags.SIGNALED : 0)) == 0, "unsignaled " + i);
        }
        require(qp.postSend(write(0)) == Errno.ENOMEM, "an unsignaled one too many");
        Simulator.pump();
        require(qp.postSend(write(0)) == Errno.ENOMEM, "one too many, before the completion is polled");
        next--;
        expect(first, room);
    }

    /** Posts cyclic lists of one and two requests. */
    private void leadingBack(int flags, int flagsOfSecond) {
        SendWorkRequest one = write(flags);
        SendWorkRequest two = write(flagsOfSecond);
        for (SendWorkRequest next : new SendWorkRequest[] {one, two}) {
            one.next(next);
            two.next(one);
            SendWorkRequest[] bad = {null};
            int error = qp.postSend(one, bad);
            require(error == Errno.ENOMEM && (bad[0] == one || bad[0] == two), "a list without an end: " + error);
            Simulator.pump();
            for (int i = 0; i < room; i++) {
                require(cq.poll(1, wc) == 1 && wc[0].status() == WcStatus.SUCCESS, "no completion of " + i);
            }
            require(cq.poll(1, wc) == 0, "more completions than the queue has room for");
        }
    }

    private void built() {
        int first = next;
        SendBuilder builder = qp.builder();
        for (int i = 0; i < room + BEYOND; i++) {
            SendWorkRequest wr = write(SendFlags.SIGNALED);
            ScatterGatherElement e = wr.sgList()[0];
            builder.start();
            builder.write(wr.wrId(), wr.sendFlags(), wr.rkey(), wr.remoteAddr(), e.lkey(), e.addr(), e.length());
            int error = builder.complete();
            require(error == (i < room ? 0 : Errno.ENOMEM), "built " + i + " of " + room + ": " + error);
        }
        expect(first, 1);
    }

    /**
     * Checks that of the requests from {@code first} on, as many were executed as the queue has room for, one in
     * {@code each} with a completion.
     */
    private void expect(int first, int each) {
        Simulator.pump();
        for (int i = each - 1; i < room; i += each) {
            require(cq.poll(1, wc) == 1, "no completion of " + i);
            require(wc[0].wrId() == first + i, "completion of " + wc[0].wrId() + ", not of " + (first + i));
            require(wc[0].status() == WcStatus.SUCCESS, WcStatus.toString(wc[0].status()));
        }
        require(cq.poll(1, wc) == 0, "a completion of a refused request");
        for (int id = first; id < next; id++) {
            long got = memory.getLong(TARGET + id % (TARGET / Long.BYTES) * Long.BYTES);
            require(got == (id < first + room ? id + 1 : 0), "of request " + (id - first) + " there is " + got);
        }
    }
}

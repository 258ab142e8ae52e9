/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqAttr;
import io.verbs4j.WqInitAttr;
import io.verbs4j.WqState;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.mlx5dv.steering.Steering;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Sends UDP frames from another device to this one, and creates queue pairs here. Closing the rig closes what it
 * opened.
 */
final class SteeringRig implements AutoCloseable {
    static final long MAC = 0x02_00_00_00_00_09L;

    private static final int SLOTS = 64;
    private static final int SIZE = 256;
    static final int LENGTH = 74;
    private static final int PORT = 36;
    private static final int RECEIVES = 8;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SLOTS * SIZE);
    final Context context = opened(SimulatedDevice.open("mlx5_0"));
    final Steering steering = context.vendor(Steering.class);
    final ProtectionDomain pd = opened(context.allocPd());
    private final MemoryRegion mr = opened(pd.regMr(memory, AccessFlags.LOCAL_WRITE));
    private final Context sending = opened(SimulatedDevice.open("mlx5_1"));
    final Steering sendSteering = sending.vendor(Steering.class);
    private final ProtectionDomain sendPd = opened(sending.allocPd());
    private final MemoryRegion sendMr = opened(sendPd.regMr(memory, AccessFlags.LOCAL_WRITE));
    private final CompletionQueue sends = opened(sending.createCq(64));
    private final QueuePair sender = opened(queuePair(sendPd, sends));
    private int slots = 1;

    <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    /** Closes what was opened, last first. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            DevxRig.close(opened.pop());
        }
    }

    CompletionQueue completions() {
        return opened(context.createCqEx(new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD | WcExFlags.FLOW_TAG)));
    }

    QueuePair queuePair(CompletionQueue cq) {
        return queuePair(pd, cq);
    }

    private static QueuePair queuePair(ProtectionDomain pd, CompletionQueue cq) {
        QueuePair qp = pd.createQp(new QpInitAttr()
                .qpType(QpType.RAW_PACKET)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(16).maxSendSge(1).maxRecvWr(16).maxRecvSge(1)));
        QpWalk.of(QpType.RAW_PACKET).ready(qp);
        return qp;
    }

    private RecvWorkRequest receive() {
        return new RecvWorkRequest().wrId(slots).sgList(sge(mr, slots++, SIZE));
    }

    private static ScatterGatherElement sge(MemoryRegion mr, int slot, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + (long) slot * SIZE)
                .length(length)
                .lkey(mr.lkey());
    }

    /** Returns a queue pair with a few receives. */
    QueuePair receiver(CompletionQueue cq) {
        QueuePair qp = opened(queuePair(cq));
        for (int i = 0; i < RECEIVES; i++) {
            qp.postRecvOrThrow(receive());
        }
        return qp;
    }

    /** Returns a work queue with a few receives. */
    WorkQueue workQueue(CompletionQueue cq) {
        WorkQueue wq = opened(
                context.createWq(new WqInitAttr().maxWr(16).maxSge(1).pd(pd).cq(cq)));
        wq.modify(new WqAttr().wqState(WqState.RDY));
        for (int i = 0; i < RECEIVES; i++) {
            Check.require(wq.postRecv(receive()) == 0, "a receive was refused");
        }
        return wq;
    }

    /** Returns a TIR that delivers frames to a work queue. */
    DevxObject tir(WorkQueue wq) {
        Devx devx = context.vendor(Devx.class);
        Mailbox out = new Mailbox(16);
        opened(devx.createObject(new Mailbox(16).opcode(DevxOpcode.ALLOC_TRANSPORT_DOMAIN), out));
        return opened(devx.createObject(
                new Mailbox(0x110)
                        .opcode(DevxOpcode.CREATE_TIR)
                        .put(0x100 + 0xe8, 24, wq.wqNum())
                        .put(0x100 + 0x128, 24, out.get(0x48, 24)),
                new Mailbox(16)));
    }

    /** One or several counters of packets. */
    final class Counter {
        final DevxObject object;
        private final int number;

        Counter(int bulk) {
            Mailbox out = new Mailbox(16);
            object = opened(context.vendor(Devx.class)
                    .createObject(
                            new Mailbox(16)
                                    .opcode(DevxOpcode.ALLOC_FLOW_COUNTER)
                                    .put(0x78, 8, bulk),
                            out));
            number = out.getInt(0x40, 32);
        }

        /** Returns the count of one of several counters, by its offset. */
        long packets(int offset) {
            Mailbox out = new Mailbox(16 + 16 * (offset + 1));
            Mailbox in = new Mailbox(32).opcode(DevxOpcode.QUERY_FLOW_COUNTER).put(0xe0, 32, number);
            object.query(offset == 0 ? in : in.put(0xd0, 16, offset + 1), out);
            return out.get(0x80 + offset * 128, 64);
        }
    }

    /** Sends a frame to {@link #MAC}, and waits until it has left. */
    void send(int port) {
        send(MAC, port);
    }

    void send(long mac, int port) {
        ByteBuffer frame = memory.duplicate().limit(SIZE);
        frame.putLong(mac << 16);
        frame.position(6).putInt(0x0200_0000).putShort((short) 1).putShort((short) 0x0800);
        frame.putInt(0x4500_003c).putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.putInt(0x0a00_0001).putInt(0x0a00_0009);
        frame.putShort((short) 1234).putShort((short) port).putShort((short) 40).putShort((short) 0);
        sender.postSendOrThrow(new SendWorkRequest()
                .wrId(port)
                .opcode(WrOpcode.SEND)
                .sendFlags(SendFlags.SIGNALED | SendFlags.IP_CSUM)
                .sgList(sge(sendMr, 0, LENGTH)));
        next(sends);
    }

    static WorkCompletion next(CompletionQueue cq) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (cq.poll(1, wc, WorkCompletion.SIZE) == 0) {
            Check.require(System.nanoTime() < end, "no completion");
            Thread.onSpinWait();
        }
        Check.require(wc[0].status() == WcStatus.SUCCESS, WcStatus.toString(wc[0].status()));
        return wc[0];
    }

    /** Checks that the frame to a port has arrived with a tag. */
    void arrived(CompletionQueue cq, int port, int tag) {
        Check.equal(tag, arrived(cq, port, 0, LENGTH), "tag");
    }

    /** Checks the same with {@code more} bytes in front of UDP, and returns the tag. */
    int arrived(CompletionQueue cq, int port, int more, int length) {
        WorkCompletion wc = next(cq);
        Check.equal(length, wc.byteLen(), "length");
        Check.equal(port, memory.getShort((int) wc.wrId() * SIZE + PORT + more), "port");
        return wc.flowTag();
    }

    /** Checks that nothing else has arrived of what was sent before a frame that has. */
    static void none(CompletionQueue cq) {
        Check.require(cq.poll(1, new WorkCompletion[] {new WorkCompletion()}) == 0, "an unexpected frame arrived");
    }
}

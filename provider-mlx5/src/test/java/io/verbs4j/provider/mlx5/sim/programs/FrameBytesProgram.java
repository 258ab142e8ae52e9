/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WqState;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A program for two simulated devices that send frames to each other: posts the same random frames, segmented requests
 * and receives through libmlx5 on one and through Java on the other, some of them by a builder. Compares each byte of
 * the rings, the doorbell records and the registers, and each completion. Arguments: the number of requests, and a
 * seed.
 *
 * <p>If a header wraps to the beginning of the ring, libmlx5 writes the data 32 bytes too far; if a header ends with
 * the ring, libmlx5 writes inline data behind the ring. Such requests are left out here.
 */
public final class FrameBytesProgram {
    private static final int MEMORY = 1 << 16;
    private static final int RECEIVED = 1 << 15;
    private static final int SLOT = 2048;
    private static final int OPTIONS = 10; // words behind an IPv4 or TCP header
    private static final int RECORDS = 8;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
    private final FrameRig ours = new FrameRig("mlx5_1", "java", memory);
    private final FrameRig theirs = new FrameRig("mlx5_0", "native", memory);
    private final BuiltPosts built = new BuiltPosts(ours.qp);
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final WorkCompletion[] other = {new WorkCompletion()};
    private final Random random;
    private int received;
    private int segmented;
    private int checked;
    private int queued;

    private FrameBytesProgram(long seed) {
        random = new Random(seed);
    }

    public static void main(String... args) {
        int count = Integer.parseInt(args[0]);
        FrameBytesProgram test = new FrameBytesProgram(Long.parseLong(args[1]));
        require(!test.ours.qp.getClass().equals(test.theirs.qp.getClass()), "both have the same data path");
        require(test.ours.qp.qpNum() == test.theirs.qp.qpNum(), "numbers differ");
        require(test.ours.mr.lkey() == test.theirs.mr.lkey(), "keys differ");
        test.headers();
        test.begin();
        for (int i = 0; i < count; i++) {
            test.step(i);
        }
        require(Simulator.device_sim_check_idle() == 0, "work without a doorbell: " + Simulator.message());
        Simulator.requireNoViolation();
        assertThat(test.segmented).isGreaterThan(count / 20);
        assertThat(test.checked).isBetween(count / 20, test.received);
        assertThat(test.queued).isGreaterThan(count / 20);
        test.ours.close();
        test.theirs.close();
        System.out.println("same " + count + ", " + test.received + " frames");
    }

    // ---- both

    private void same(String what, int ours, int theirs) {
        require(ours == theirs, what + ": " + ours + ", libmlx5 " + theirs);
    }

    private void compare() {
        RequestBytesProgram.compareSends(ours.ibvQp(), theirs.ibvQp(), true);
        DvObjects.Qp a = DvObjects.qp(ours.ibvQp());
        DvObjects.Qp b = DvObjects.qp(theirs.ibvQp());
        same("receives", a.rqCount() * a.rqStride(), b.rqCount() * b.rqStride());
        RequestBytesProgram.compare("receive ring", a.rqBuf(), b.rqBuf(), a.rqCount() * a.rqStride());
        DvObjects.Wq c = ours.workRing();
        DvObjects.Wq d = theirs.workRing();
        same("receives of the work queue", c.count() * c.stride(), d.count() * d.stride());
        RequestBytesProgram.compare("ring of the work queue", c.buf(), d.buf(), c.count() * c.stride());
        RequestBytesProgram.compare("doorbell record of the work queue", c.dbrec(), d.dbrec(), RECORDS);
    }

    /** Segmented requests with headers of each length, which no device reads. */
    private void headers() {
        for (int length = 14; length <= FrameRig.MOST_HEADER; length++) {
            for (FrameRig rig : new FrameRig[] {ours, theirs}) {
                rig.ready();
                for (int i = 0; i < 3; i++) {
                    int flags = SendFlags.SIGNALED | (i == 1 ? SendFlags.INLINE : SendFlags.IP_CSUM);
                    SendWorkRequest wr = new SendWorkRequest()
                            .wrId(i)
                            .opcode(WrOpcode.TSO)
                            .sendFlags(flags)
                            .mss(200 + i)
                            .tsoHeader(rig.element(i, length))
                            .sgList(rig.element(7, 30), rig.element(100, 1 + length / 4));
                    same("post", rig.qp.postSend(wr), 0);
                }
            }
            compare();
            ours.reset();
            theirs.reset();
        }
        compare();
    }

    /** Posts receives before the queue pair may receive; the device learns of them when it may. */
    private void begin() {
        for (FrameRig rig : new FrameRig[] {ours, theirs}) {
            same("receive", rig.qp.postRecv(receive(rig, 1, new Random(3))), 0);
        }
        compare();
        ours.ready();
        theirs.ready();
        compare();
        ours.workQueue(WqState.RDY);
        theirs.workQueue(WqState.RDY);
        compare();
    }

    private void step(int id) {
        if (random.nextInt(100) == 0) {
            ours.renewWorkQueue();
            theirs.renewWorkQueue();
        }
        int receives = random.nextInt(4);
        long seed = random.nextLong();
        for (int i = 0; i < receives; i++) {
            long one = seed + i;
            RecvWorkRequest own = receive(ours, id * 4L + i, new Random(one));
            RecvWorkRequest its = receive(theirs, id * 4L + i, new Random(one));
            if ((one & 1) == 0) {
                same("receive", ours.qp.postRecv(own), theirs.qp.postRecv(its));
            } else {
                same("receive", ours.wq.postRecv(own), theirs.wq.postRecv(its));
            }
        }
        fill(new Random(seed));
        int header = random.nextInt(4) == 0 ? putSegmentHeader() : 0;
        boolean cuts = header != 0 && header <= theirs.roomForHeader();
        segmented += cuts ? 1 : 0;
        int n = cuts ? 1 : 1 + random.nextInt(3);
        SendWorkRequest own =
                cuts ? segmented(ours, header, new Random(seed), id) : list(ours, n, new Random(seed), id);
        SendWorkRequest its =
                cuts ? segmented(theirs, header, new Random(seed), id) : list(theirs, n, new Random(seed), id);
        int error = cuts || random.nextBoolean() ? ours.qp.postSend(own) : built.post(own);
        same("post", error, theirs.qp.postSend(its));
        same("post", error, 0);
        compare();
        Simulator.pump();
        while (poll(ours.sends, theirs.sends) || receivedOne(random.nextBoolean())) {
            // the next request
        }
        compare();
        Simulator.requireNoViolation();
    }

    private RecvWorkRequest receive(FrameRig rig, long id, Random r) {
        ScatterGatherElement[] list = new ScatterGatherElement[1 + r.nextInt(3)];
        for (int i = 0; i < list.length; i++) {
            list[i] =
                    rig.element(RECEIVED + r.nextInt(RECEIVED - SLOT), r.nextInt(10) == 0 ? 0 : 1000 + r.nextInt(1000));
        }
        list[0].length(SLOT);
        return new RecvWorkRequest().wrId(id).sgList(list);
    }

    // ---- sending

    /** Fills the slots with UDP frames: some for the queue pair, some for the work queue, some with wrong checksums. */
    private void fill(Random r) {
        for (int slot = 0; slot < 4; slot++) {
            ByteBuffer to = memory.duplicate().position(slot * SLOT);
            to.put(r.nextBoolean() ? FrameRig.TO_QP : FrameRig.TO_WQ);
            to.put(new byte[] {2, 0, 0, 0, 0, 1}).putShort((short) 0x0800);
            to.putInt(0x4500_0000 | length(slot) - 14)
                    .putInt(0)
                    .put((byte) 64)
                    .put((byte) 17)
                    .putShort((short) 0);
            to.putInt(0x0a00_0001).putInt(0x0a00_0009);
            to.putShort((short) 1234)
                    .putShort((short) 4000)
                    .putShort((short) (length(slot) - 34))
                    .putShort((short) 0);
            while (to.position() < (slot + 1) * SLOT) {
                to.put((byte) r.nextInt());
            }
        }
    }

    /** Returns the length of the frame in a slot: the first can be inline. */
    private static int length(int slot) {
        return 60 + slot * 300;
    }

    private SendWorkRequest list(FrameRig rig, int n, Random r, long id) {
        SendWorkRequest head = null;
        for (int i = 0; i < n; i++) {
            int slot = r.nextInt(4);
            boolean inline = slot == 0 && r.nextBoolean();
            int flags = SendFlags.SIGNALED
                    | (inline ? SendFlags.INLINE : 0)
                    | (r.nextInt(4) == 0 ? SendFlags.FENCE : 0)
                    | (r.nextInt(4) == 0 ? SendFlags.SOLICITED : 0)
                    | (r.nextInt(3) != 0 ? SendFlags.IP_CSUM : 0);
            head = new SendWorkRequest()
                    .wrId(id * 8 + i)
                    .opcode(WrOpcode.SEND)
                    .sendFlags(flags)
                    .sgList(pieces(rig, slot * SLOT, length(slot), r))
                    .next(head);
        }
        return head;
    }

    private static ScatterGatherElement[] pieces(FrameRig rig, int from, int length, Random r) {
        ScatterGatherElement[] list = new ScatterGatherElement[1 + r.nextInt(FrameRig.MOST_SGE)];
        int at = from;
        int left = length;
        for (int i = 0; i < list.length; i++) {
            int n = i == list.length - 1 ? left : r.nextInt(left + 1);
            list[i] = rig.element(at, n);
            at += n;
            left -= n;
        }
        return list;
    }

    /** Writes a TCP header with options to the first slot, and returns its length. */
    private int putSegmentHeader() {
        int ip = 5 + random.nextInt(OPTIONS + 1);
        int tcp = 5 + random.nextInt(OPTIONS + 1);
        int length = 14 + 4 * ip + 4 * tcp;
        if (length > FrameRig.MOST_HEADER) {
            return 0;
        }
        ByteBuffer to = memory.duplicate().position(12);
        to.putShort((short) 0x0800);
        to.putInt(0x4000_0000 | ip << 24).putInt(0).put((byte) 64).put((byte) 6).putShort((short) 0);
        to.putInt(0x0a00_0001).putInt(0x0a00_0009);
        to.put(new byte[4 * (ip - 5)]);
        to.putShort((short) 1234).putShort((short) 80).putInt(random.nextInt()).putInt(0);
        to.putShort((short) (tcp << 12 | 0x18)).putShort((short) 1000).putInt(0);
        to.put(new byte[4 * (tcp - 5)]);
        return length;
    }

    private SendWorkRequest segmented(FrameRig rig, int header, Random r, long id) {
        return new SendWorkRequest()
                .wrId(id * 8)
                .opcode(WrOpcode.TSO)
                .sendFlags(SendFlags.SIGNALED | (r.nextBoolean() ? SendFlags.IP_CSUM : 0))
                .mss(500 + r.nextInt(500))
                .tsoHeader(rig.element(0, header))
                .sgList(pieces(rig, SLOT, 1 + r.nextInt(1500), r));
    }

    // ---- completions

    private boolean poll(CompletionQueue a, CompletionQueue b) {
        int got = a.poll(1, wc, WorkCompletion.SIZE);
        same("completions", got, b.poll(1, other, WorkCompletion.SIZE));
        if (got != 1) {
            return false;
        }
        same("status", wc[0].status(), other[0].status());
        same("id", (int) wc[0].wrId(), (int) other[0].wrId());
        same("number", wc[0].qpNum(), other[0].qpNum());
        if (wc[0].status() == WcStatus.SUCCESS) {
            same("opcode", wc[0].opcode(), other[0].opcode());
            same("flags", wc[0].wcFlags(), other[0].wcFlags());
            if (wc[0].opcode() == WcOpcode.RECV) {
                same("length", wc[0].byteLen(), other[0].byteLen());
                same("tag", wc[0].flowTag(), other[0].flowTag());
                same("VLAN", wc[0].cvlan(), other[0].cvlan());
                note(wc[0].wcFlags(), wc[0].flowTag());
            }
        }
        return true;
    }

    private void note(int flags, int tag) {
        received++;
        checked += (flags & WcFlags.IP_CSUM_OK) != 0 ? 1 : 0;
        queued += tag != 0x11 ? 1 : 0;
    }

    private boolean receivedOne(boolean byPoll) {
        CompletionQueue a = ours.receives;
        CompletionQueue b = theirs.receives;
        if (byPoll) {
            return poll(a, b);
        }
        int answer = a.startPoll(null);
        same("start", answer, b.startPoll(null));
        if (answer != 0) {
            return false;
        }
        same("status", a.status(), b.status());
        same("id", (int) a.wrId(), (int) b.wrId());
        same("number", a.readQpNum(), b.readQpNum());
        if (a.status() == WcStatus.SUCCESS) {
            same("opcode", a.readOpcode(), b.readOpcode());
            same("length", a.readByteLen(), b.readByteLen());
            same("flags", a.readWcFlags(), b.readWcFlags());
            same("tag", a.readFlowTag(), b.readFlowTag());
            same("VLAN", a.readCvlan(), b.readCvlan());
            note(a.readWcFlags(), a.readFlowTag());
        }
        a.endPoll();
        b.endPoll();
        return true;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for a simulated device: takes the completions of the same requests in four ways: as in level 1, from an
 * ordinary and from an extended queue; with time stamps; and one by one. All must report the same, and the stamps must
 * be those of the device's steps. Arguments: the data path, and the nanoseconds that a tick of the device's clock
 * takes.
 */
public final class PollingWaysProgram {
    private static final long STAMPS = WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;
    private static final int VENDOR = 0x5a;
    private static final int LENGTH = 40;
    private static final int TARGET = 1024;
    private static final int IMMEDIATE = 0x12345678;

    /** How completions are taken. */
    private enum Way {
        PLAIN,
        EXTENDED,
        STAMPED,
        ONE_BY_ONE
    }

    private final Way way;
    private final Mlx5Rig rig;
    private final long tick;
    private final CompletionQueue[] queues;
    private final WorkCompletion[] wc = new WorkCompletion[8];
    private final List<String> seen = new ArrayList<>();
    private int stamps;

    private PollingWaysProgram(Way way, String path, int type, long tick) {
        this.way = way;
        this.tick = tick;
        rig = new Mlx5Rig("mlx5_0", path, type, ByteBuffer.allocateDirect(4096), c -> queue(way, c));
        queues = new CompletionQueue[] {rig.cq, rig.peerCq};
        for (int i = 0; i < wc.length; i++) {
            wc[i] = new WorkCompletion();
        }
    }

    static CompletionQueue queue(Way way, Context context) {
        return way == Way.PLAIN
                ? context.createCq(256)
                : context.createCqEx(new CqInitAttrEx().cqe(256).wcFlags(WcExFlags.STANDARD | STAMPS));
    }

    public static void main(String... args) {
        long tick = Long.parseLong(args[1]);
        for (int type : new int[] {QpType.RC, QpType.UC, QpType.UD}) {
            List<String> first = null;
            for (Way way : Way.values()) {
                PollingWaysProgram one = new PollingWaysProgram(way, args[0], type, tick);
                try (Mlx5Rig all = one.rig) {
                    one.run(all);
                }
                first = first == null ? one.seen : first;
                require(
                        first.equals(one.seen),
                        QpType.toString(type) + ", " + way + ": " + one.seen + "\n  " + Way.PLAIN + ": " + first);
                boolean stamped = way == Way.STAMPED || way == Way.ONE_BY_ONE;
                require(
                        one.stamps
                                == (stamped
                                        ? first.stream()
                                                .filter(s -> s.contains("success"))
                                                .count()
                                        : 0),
                        way + ": " + one.stamps + " stamps");
            }
            first.forEach(line -> System.out.println(QpType.toString(type) + " " + line));
        }
        Simulator.requireNoViolation();
        System.out.println("four ways report the same");
    }

    private void run(Mlx5Rig r) {
        boolean datagrams = r.qp.qpType() == QpType.UD;
        int id = 0;
        for (int round = 0; round < 40; round++) {
            for (int opcode = 0; opcode <= WrOpcode.ATOMIC_FETCH_AND_ADD; opcode++) {
                boolean send = opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM;
                if (send || !datagrams && (r.qp.qpType() == QpType.RC || opcode <= WrOpcode.RDMA_WRITE_WITH_IMM)) {
                    one(id++, opcode, send);
                }
            }
        }
        if (r.qp.qpType() == QpType.RC) {
            // A failing request puts the queue pair into error, and flushes what was posted behind it.
            int error = WcStatus.REM_OP_ERR | VENDOR << 8;
            require(Simulator.device_sim_fault(r.qp.qpNum(), Simulator.ERROR, error, 1) == 0, "no such fault");
            SendWorkRequest bad = request(id, WrOpcode.RDMA_WRITE);
            require(r.qp.postSend(bad.next(request(id + 1, WrOpcode.RDMA_WRITE))) == 0, "a post was refused");
            steps();
        }
    }

    private RecvWorkRequest receive(int id) {
        return new RecvWorkRequest().wrId(1000 + id).sgList(ScatterGatherElement.of(rig.mr, TARGET, 200));
    }

    private SendWorkRequest request(int id, int opcode) {
        boolean atomic = opcode >= WrOpcode.ATOMIC_CMP_AND_SWP;
        return new SendWorkRequest()
                .wrId(id)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(rig.mr.addr() + 512)
                .rkey(rig.mr.rkey())
                .immData(IMMEDIATE + id)
                .sgList(ScatterGatherElement.of(rig.mr, 0, atomic ? Long.BYTES : LENGTH));
    }

    private void one(int id, int opcode, boolean send) {
        if (send || opcode == WrOpcode.RDMA_WRITE_WITH_IMM) {
            require(rig.peer.postRecv(receive(id)) == 0, "a receive was refused");
        }
        SendWorkRequest wr = request(id, opcode);
        if (rig.qp.qpType() == QpType.UD) {
            try (var ah = rig.pd.createAh(rig.path())) {
                wr.ah(ah).remoteQpn(rig.peer.qpNum()).remoteQkey(Mlx5Rig.QKEY);
                require(rig.qp.postSend(wr) == 0, "a post was refused");
            }
        } else {
            require(rig.qp.postSend(wr) == 0, "a post was refused");
        }
        steps();
    }

    /** Works step by step: completions within a step have the time of its beginning. */
    private void steps() {
        long now = Simulator.device_sim_clock();
        boolean busy = way == Way.ONE_BY_ONE && seen.size() % 3 == 0;
        Simulator.device_sim_clock_busy(busy ? 1 : 0); // the last read of the kernel's page is used meanwhile
        while (Simulator.device_sim_pump(1) == 1) {
            for (CompletionQueue cq : queues) {
                if (way == Way.ONE_BY_ONE) {
                    read(cq, now);
                } else {
                    poll(cq, now);
                }
            }
            now = Simulator.device_sim_clock();
        }
        Simulator.device_sim_clock_busy(0);
    }

    private void poll(CompletionQueue cq, long now) {
        int n = way == Way.STAMPED ? cq.poll(wc.length, wc, WorkCompletion.SIZE) : cq.poll(wc.length, wc);
        require(n >= 0, "poll returned " + n);
        for (int i = 0; i < n; i++) {
            WorkCompletion c = wc[i];
            if (c.compMask() != 0) {
                require(c.compMask() == 3, "mask " + c.compMask());
                stamp(now, c.completionTs(), c.completionWallclockNs());
            }
            boolean ok = c.status() == WcStatus.SUCCESS;
            tell(cq, c.wrId(), c.status(), c.qpNum(), ok ? 0 : c.vendorErr());
            if (ok) {
                more(c.opcode(), c.byteLen(), c.wcFlags(), c.immData(), c.srcQp(), c.slid(), c.sl(), c.dlidPathBits());
            }
        }
    }

    private void read(CompletionQueue cq, long now) {
        int answer = cq.startPoll(null);
        if (answer != 0) {
            require(answer == Errno.ENOENT, "startPoll returned " + answer);
            return;
        }
        do {
            boolean ok = cq.status() == WcStatus.SUCCESS;
            tell(cq, cq.wrId(), cq.status(), cq.readQpNum(), ok ? 0 : cq.readVendorErr());
            if (ok) {
                stamp(now, cq.readCompletionTs(), cq.readCompletionWallclockNs());
                require((cq.readOpcode() & WcOpcode.RECV) != 0 || cq.readWcFlags() == 0, "a send has flags");
                more(
                        cq.readOpcode(),
                        cq.readByteLen(),
                        cq.readWcFlags(),
                        cq.readImmData(),
                        cq.readSrcQp(),
                        cq.readSlid(),
                        cq.readSl(),
                        cq.readDlidPathBits());
            } else {
                require(cq.readCompletionTs() == 0 && cq.readCompletionWallclockNs() == 0, "an error has a timestamp");
            }
        } while ((answer = cq.nextPoll()) == 0);
        require(answer == Errno.ENOENT, "nextPoll returned " + answer);
        require(cq.endPoll() == 0, "endPoll");
    }

    private void stamp(long now, long ticks, long nanos) {
        require(ticks == now / tick, "stamp " + ticks + " at " + now);
        require(nanos == now, "time " + nanos + " at " + now);
        stamps++;
    }

    private void tell(CompletionQueue cq, long wrId, int status, int qpNum, int vendor) {
        require(qpNum == (cq == rig.cq ? rig.qp : rig.peer).qpNum(), "queue pair " + qpNum);
        seen.add(wrId + " " + WcStatus.toString(status) + " " + vendor);
    }

    /** Adds the fields that apply to completions of that kind. */
    private void more(int opcode, int length, int flags, int immediate, int srcQp, int slid, int sl, int bits) {
        StringBuilder text = new StringBuilder(WcOpcode.toString(opcode));
        boolean receive = (opcode & WcOpcode.RECV) != 0;
        if (receive || opcode != WcOpcode.SEND && opcode != WcOpcode.RDMA_WRITE) {
            text.append(' ').append(length);
        }
        if (receive) {
            text.append(' ').append(WcFlags.toString(flags));
            if ((flags & WcFlags.WITH_IMM) != 0) {
                text.append(' ').append(immediate - IMMEDIATE);
            }
        }
        if (receive && rig.qp.qpType() == QpType.UD) {
            require(srcQp == rig.qp.qpNum(), "from " + srcQp);
            text.append(" lid " + slid + " level " + sl + " bits " + bits);
        }
        seen.set(seen.size() - 1, seen.get(seen.size() - 1) + " " + text);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionReader;
import io.verbs4j.Context;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WaitingQueue;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.FlightRecorded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedEvent;

/**
 * A program for a simulated device: checks what the flight recorder records of failed requests, whichever way
 * completions are taken. Arguments: the data path, whether the program promises to use queues from one thread at a
 * time, and whether there is a recording.
 */
public final class FlightRecordingProgram {
    private static final String DEVICE = "mlx5_0";
    private static final int STALE = WcStatus.REM_OP_ERR;
    private static final long FAILS = 0x1_0000_0002L;
    private static final int FEW = 8;
    private static final List<Integer> STATUSES =
            List.of(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);

    private static boolean single;

    /** How completions are taken, and from which queues; a null {@code take} stands for a {@link WaitingQueue}. */
    private record Way(
            String name, Function<Context, CompletionQueue> queues, Function<CompletionQueue, List<Integer>> take) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final Way POLL = new Way("poll", FlightRecordingProgram::plain, cq -> poll(cq, FEW));
    private static final Way WAITING = new Way("waiting", FlightRecordingProgram::plain, null);
    private static final List<Way> WAYS = List.of(
            POLL,
            new Way("poll one", FlightRecordingProgram::plain, cq -> poll(cq, 1)),
            new Way("poll two", FlightRecordingProgram::plain, cq -> poll(cq, 2)),
            new Way("poll sized", FlightRecordingProgram::plain, FlightRecordingProgram::pollSized),
            new Way("extended", FlightRecordingProgram::extended, cq -> poll(cq, FEW)),
            new Way("extended sized", FlightRecordingProgram::extended, FlightRecordingProgram::pollSized),
            new Way("stamped", FlightRecordingProgram::stamped, cq -> poll(cq, FEW)),
            new Way("stamped sized", FlightRecordingProgram::stamped, FlightRecordingProgram::pollSized),
            new Way("starts", FlightRecordingProgram::extended, cq -> read(cq, 1)),
            new Way("starts stamped", FlightRecordingProgram::stamped, cq -> read(cq, 1)),
            new Way("nexts", FlightRecordingProgram::extended, cq -> read(cq, FEW)),
            new Way("nexts stamped", FlightRecordingProgram::stamped, cq -> read(cq, FEW)),
            new Way("reader", FlightRecordingProgram::extended, FlightRecordingProgram::byReader),
            WAITING);

    private FlightRecordingProgram() {}

    public static void main(String... args) throws Exception {
        single = Boolean.parseBoolean(args[1]);
        boolean recorded = Boolean.parseBoolean(args[2]);
        for (Way way : WAYS) {
            try (Mlx5Rig rig = new Mlx5Rig(DEVICE, args[0], QpType.RC, ByteBuffer.allocateDirect(4096), way.queues())) {
                if (!recorded) {
                    fails(rig, way, false);
                    continue;
                }
                Recorder.expect(rig, way, false);
                rig.reconnect();
                Recorder.expect(rig, way, true);
                rig.reconnect();
                Recorder.expectReceive(rig, way);
            }
        }
        System.out.println("recorded ok");
    }

    /** Code that needs the recorder's module. */
    private static final class Recorder {
        private Recorder() {}

        static void expect(Mlx5Rig rig, Way way, boolean kept) throws Exception {
            int[] qpNum = new int[1];
            List<RecordedEvent> events = FlightRecorded.of(() -> qpNum[0] = fails(rig, way, kept), "CompletionError");
            require(events.size() == 1, way + ", kept " + kept + ": " + events);
            same(events.get(0), FAILS, qpNum[0], WcStatus.REM_ACCESS_ERR, way);
        }

        /** A message longer than its receive: both ends fail. */
        static void expectReceive(Mlx5Rig rig, Way way) throws Exception {
            List<RecordedEvent> events = FlightRecorded.of(() -> failsToFit(rig, way), "CompletionError");
            require(events.size() == 2, way + ", receive: " + events);
            same(events.get(0), 8, rig.peer.qpNum(), WcStatus.LOC_LEN_ERR, way);
            same(events.get(1), 7, rig.qp.qpNum(), WcStatus.REM_INV_REQ_ERR, way);
        }

        private static void same(RecordedEvent event, long id, int qpNum, int status, Way way) {
            require(event.getLong("wrId") == id, way + ": " + event);
            require(event.getInt("qpNum") == qpNum, way + ": " + event);
            require(event.getString("status").equals(WcStatus.toString(status)), way + ": " + event);
            require(event.getString("device").equals(DEVICE), way + ": " + event);
        }
    }

    private static CompletionQueue plain(Context context) {
        return context.createCq(64);
    }

    /** Returns a queue without the fields that an event has. */
    private static CompletionQueue extended(Context context) {
        return queue(context, 0);
    }

    private static CompletionQueue stamped(Context context) {
        return queue(context, WcExFlags.COMPLETION_TIMESTAMP);
    }

    private static CompletionQueue queue(Context context, long flags) {
        CqInitAttrEx attr = new CqInitAttrEx().cqe(64).wcFlags(flags);
        return context.createCqEx(single ? attr.flags(CqCreateFlags.SINGLE_THREADED) : attr);
    }

    private static SendWorkRequest write(Mlx5Rig rig, long id) {
        return new SendWorkRequest()
                .wrId(id)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(rig.mr.addr())
                .rkey(rig.mr.rkey())
                .sgList(ScatterGatherElement.of(rig.mr, 0, 64));
    }

    /**
     * Posts four requests: one succeeds, one fails, and two are flushed. If they are {@code kept}, the binding takes
     * their completions before the program does.
     *
     * @return the queue pair's number
     */
    private static int fails(Mlx5Rig rig, Way way, boolean kept) {
        if (way.take() == null) {
            return failsInWaitingQueue(rig);
        }
        postAll(rig, rig.qp);
        if (kept) {
            rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null)).close();
        }
        taken(way.take().apply(rig.cq), way);
        return rig.qp.qpNum();
    }

    private static void postAll(Mlx5Rig rig, QueuePair qp) {
        for (long id = FAILS - 1; id <= FAILS + 2; id++) {
            SendWorkRequest wr = write(rig, id);
            require(qp.postSend(id == FAILS ? wr.rkey(0x7777) : wr) == 0, "a post was refused");
        }
        Simulator.pump();
    }

    private static int failsInWaitingQueue(Mlx5Rig rig) {
        List<Integer> statuses = new ArrayList<>();
        try (WaitingQueue waiting = new WaitingQueue(rig.context, 64);
                QueuePair qp = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, waiting.cq(), null))) {
            Mlx5Rig.connect(rig.context, qp, qp.qpNum());
            postAll(rig, qp);
            waiting.handle(wc -> statuses.add(wc.status()));
            taken(statuses, WAITING);
            return qp.qpNum();
        }
    }

    private static void taken(List<Integer> statuses, Way way) {
        require(statuses.equals(STATUSES), way + ": " + statuses);
    }

    private static void failsToFit(Mlx5Rig rig, Way way) {
        RecvWorkRequest receive = new RecvWorkRequest().wrId(8).sgList(ScatterGatherElement.of(rig.mr, 1024, 10));
        require(rig.peer.postRecv(receive) == 0, "a receive was refused");
        require(rig.qp.postSend(write(rig, 7).opcode(WrOpcode.SEND)) == 0, "a post was refused");
        Simulator.pump();
        Function<CompletionQueue, List<Integer>> take = way.take() == null ? POLL.take() : way.take();
        require(take.apply(rig.peerCq).equals(List.of(WcStatus.LOC_LEN_ERR)), way + ": the receive");
        require(take.apply(rig.cq).equals(List.of(WcStatus.REM_INV_REQ_ERR)), way + ": the send");
    }

    /** Returns failed completions from an earlier time, which must be ignored. */
    private static WorkCompletion[] stale() {
        WorkCompletion[] wc = new WorkCompletion[FEW];
        for (int i = 0; i < FEW; i++) {
            wc[i] = new WorkCompletion().status(STALE);
        }
        return wc;
    }

    private static List<Integer> poll(CompletionQueue cq, int most) {
        List<Integer> statuses = new ArrayList<>();
        int taken;
        do {
            WorkCompletion[] wc = stale();
            taken = cq.poll(most, wc);
            add(statuses, wc, taken);
        } while (taken > 0);
        return statuses;
    }

    private static List<Integer> pollSized(CompletionQueue cq) {
        List<Integer> statuses = new ArrayList<>();
        WorkCompletion[] wc = stale();
        add(statuses, wc, cq.poll(FEW, wc, WorkCompletion.SIZE));
        return statuses;
    }

    private static void add(List<Integer> statuses, WorkCompletion[] wc, int taken) {
        require(taken >= 0, "poll returned " + taken);
        for (int i = 0; i < taken; i++) {
            statuses.add(wc[i].status());
        }
    }

    /** Reads in turns of at most {@code most} completions. */
    private static List<Integer> read(CompletionQueue cq, int most) {
        List<Integer> statuses = new ArrayList<>();
        while (cq.startPoll(null) == 0) {
            int turn = 0;
            do {
                statuses.add(cq.status());
            } while (++turn < most && cq.nextPoll() == 0);
            require(cq.endPoll() == 0, "endPoll");
        }
        require(cq.startPoll(null) == Errno.ENOENT, "there is another completion");
        return statuses;
    }

    private static List<Integer> byReader(CompletionQueue cq) {
        List<Integer> statuses = new ArrayList<>();
        try (CompletionReader reader = cq.reader().start()) {
            while (reader.next()) {
                statuses.add(cq.status());
            }
        }
        return statuses;
    }
}

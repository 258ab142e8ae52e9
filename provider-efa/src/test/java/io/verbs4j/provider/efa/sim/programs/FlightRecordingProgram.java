/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.FlightRecorded;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;

/** Checks what the flight recorder records of failed requests, whichever way completions are taken. */
public final class FlightRecordingProgram {
    /** The status of a read with a wrong key, for which older releases have no name. */
    private static final int FAILED = WcStatus.REM_ACCESS_ERR;

    private static final List<Integer> STATUSES = List.of(WcStatus.SUCCESS, FAILED, FAILED, WcStatus.SUCCESS);

    private interface Way {
        List<Integer> take(CompletionQueue cq);
    }

    private FlightRecordingProgram() {}

    public static void main(String... args) throws Exception {
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            for (boolean extended : new boolean[] {false, true}) {
                record(rig, extended, cq -> poll(cq, false));
                record(rig, extended, cq -> poll(cq, true));
            }
            record(rig, true, cq -> read(cq, 1));
            record(rig, true, cq -> read(cq, 8));
        }
        System.out.println("recorded ok");
    }

    private static void record(EfaRig rig, boolean extended, Way way) throws Exception {
        try (CompletionQueue cq = extended
                        ? rig.context.createCqEx(new CqInitAttrEx().cqe(16)) // without the fields that an event has
                        : rig.context.createCq(16);
                QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(cq))) {
            EfaRig.ready(qp);
            List<RecordedEvent> events = FlightRecorded.of(() -> fails(rig, cq, qp, way), "CompletionError");
            Check.equal(2, events.size(), "events");
            for (int i = 0; i < 2; i++) {
                RecordedEvent event = events.get(i);
                Check.equal(2 + i, event.getLong("wrId"), "id");
                Check.equal(qp.qpNum(), event.getInt("qpNum"), "queue pair");
                Check.require(event.getString("status").equals(WcStatus.toString(FAILED)), "" + event);
                Check.require(event.getString("device").equals("efa_0"), "" + event);
            }
        }
    }

    private static void fails(EfaRig rig, CompletionQueue cq, QueuePair qp, Way way) {
        for (int id = 1; id <= 4; id++) {
            boolean wrong = id == 2 || id == 3;
            SendWorkRequest read = rig.send(id, rig.at(0, 8)).opcode(WrOpcode.RDMA_READ);
            read.remoteAddr(rig.mr.addr()).rkey(rig.mr.rkey() ^ (wrong ? 0x100 : 0));
            Check.equal(0, qp.postSend(read, null), "errno of a post");
            Simulator.pump(); // one after the other, since the device may complete them in another order
        }
        List<Integer> statuses = way.take(cq);
        Check.require(statuses.equals(STATUSES), "statuses " + statuses);
    }

    private static List<Integer> poll(CompletionQueue cq, boolean sized) {
        WorkCompletion[] wc = new WorkCompletion[8];
        for (int i = 0; i < wc.length; i++) {
            wc[i] = new WorkCompletion().status(WcStatus.REM_OP_ERR); // from an earlier time, and must be ignored
        }
        int taken = sized ? cq.poll(wc.length, wc, WorkCompletion.SIZE) : cq.poll(wc.length, wc);
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < taken; i++) {
            statuses.add(wc[i].status());
        }
        return statuses;
    }

    /** Reads in turns of at most {@code most} completions. */
    private static List<Integer> read(CompletionQueue cq, int most) {
        List<Integer> statuses = new ArrayList<>();
        while (cq.startPoll(null) == 0) {
            int turn = 0;
            do {
                statuses.add(cq.status());
            } while (++turn < most && cq.nextPoll() == 0);
            Check.equal(0, cq.endPoll(), "endPoll");
        }
        return statuses;
    }
}

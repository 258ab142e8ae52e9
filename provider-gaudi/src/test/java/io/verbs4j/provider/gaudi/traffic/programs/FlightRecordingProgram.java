/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QueuePair;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.FlightRecorded;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;

/** Checks what the flight recorder records of failed requests, whichever way completions are taken. */
public final class FlightRecordingProgram {
    private static final List<Integer> STATUSES =
            List.of(WcStatus.SUCCESS, WcStatus.GENERAL_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);

    private interface Way {
        List<Integer> take(CompletionQueue cq);
    }

    private FlightRecordingProgram() {}

    public static void main(String... args) throws Exception {
        record(cq -> poll(cq, false));
        record(cq -> poll(cq, true));
        record(cq -> read(cq, 1));
        record(cq -> read(cq, 8));
        Simulator.requireClean();
        System.out.println("recorded ok");
    }

    private static void record(Way way) throws Exception {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 16);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16);
                QueuePair qa = a.qp(7);
                QueuePair qb = b.qp(7)) {
            GaudiRig.connect(a, qa, b, qb);
            List<RecordedEvent> events = FlightRecorded.of(() -> fails(a, qa, b, way), "CompletionError");
            Check.equal(1, events.size(), "events");
            RecordedEvent event = events.get(0);
            Check.equal(2, event.getLong("wrId"), "id");
            Check.equal(qa.qpNum(), event.getInt("qpNum"), "queue pair");
            Check.require(event.getString("status").equals(WcStatus.toString(WcStatus.GENERAL_ERR)), "" + event);
            Check.require(event.getString("device").equals("hbl_0"), "" + event);
        }
    }

    /** Posts four requests: one succeeds, one targets missing memory, and two are flushed. */
    private static void fails(GaudiRig a, QueuePair qa, GaudiRig b, Way way) {
        GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8));
        GaudiRig.post(qa, a.write(2, 0, b.mr.addr() + GaudiRig.SIZE, 8));
        Simulator.pump();
        AsyncEvent event = a.context.getAsyncEvent(Patience.SECONDS, TimeUnit.SECONDS);
        Check.require(event != null, "no event");
        event.ack();
        GaudiRig.post(qa, a.write(3, 0, b.mr.addr(), 8));
        GaudiRig.post(qa, a.write(4, 0, b.mr.addr(), 8));
        List<Integer> statuses = way.take(a.cq);
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
        Check.equal(Errno.ENOENT, cq.startPoll(null), "startPoll");
        return statuses;
    }
}

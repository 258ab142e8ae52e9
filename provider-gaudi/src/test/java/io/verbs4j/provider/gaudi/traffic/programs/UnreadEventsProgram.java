/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.PollCqAttr;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.concurrent.TimeUnit;

/** Queue pairs break while events are read late or not at all: pending requests still complete, and only once. */
public final class UnreadEventsProgram {
    private static final int POLLS = 4096;
    private static final int NOBODY = 60;

    /** The simulator's number of the first queue pair of a context. */
    private static final int FIRST = 0x100;

    private final GaudiRig a;
    private final QueuePair qa;
    private final GaudiRig b;
    private final QueuePair qb;
    private final WorkCompletion[] wc = {new WorkCompletion()};

    private UnreadEventsProgram(GaudiRig a, QueuePair qa, GaudiRig b, QueuePair qb) {
        this.a = a;
        this.qa = qa;
        this.b = b;
        this.qb = qb;
    }

    private interface Body {
        void run(UnreadEventsProgram pair);
    }

    private static void with(Body body) {
        try (GaudiRig a = new GaudiRig(0, GaudiRig.INTERNAL, 16);
                GaudiRig b = new GaudiRig(1, GaudiRig.INTERNAL, 16);
                QueuePair qa = a.qp(7);
                QueuePair qb = b.qp(7)) {
            GaudiRig.connect(a, qa, b, qb);
            body.run(new UnreadEventsProgram(a, qa, b, qb));
        }
    }

    public static void main(String... args) {
        with(UnreadEventsProgram::pollsNotice);
        with(UnreadEventsProgram::soDoReaders);
        with(UnreadEventsProgram::ofTheReceiverToo);
        with(UnreadEventsProgram::whatIsWholeIsLeftAlone);
        with(p -> p.eventsThatComeLate(true));
        with(p -> p.eventsThatComeLate(false));
        with(UnreadEventsProgram::readAndLate);
        with(UnreadEventsProgram::setToErrMeanwhile);
        with(UnreadEventsProgram::brokenAgain);
        with(UnreadEventsProgram::goneMeanwhile);
        Simulator.requireClean();
        System.out.println("unread ok");
    }

    /** Polls an empty queue as often as it takes for queue pairs to be doubted. */
    private void idle() {
        for (int i = 0; i < POLLS; i++) {
            Check.equal(0, a.cq.poll(1, wc), "completions of poll " + i);
        }
    }

    private void breaks(long id) {
        GaudiRig.post(qa, a.write(id, 0, b.mr.addr() + GaudiRig.SIZE, 8));
        Simulator.pump();
    }

    private void completes(long id, int status, int syndrome) {
        Check.equal(syndrome, a.next(qa, id, status).vendorErr(), "vendorErr of " + id);
    }

    private static boolean readsEvent(GaudiRig of) {
        AsyncEvent event = of.context.getAsyncEvent(0, TimeUnit.NANOSECONDS);
        if (event != null) {
            event.ack();
        }
        return event != null;
    }

    private void anew() {
        GaudiRig.reset(qa);
        GaudiRig.reset(qb);
        a.initialise(qa);
        b.initialise(qb);
        GaudiRig.connect(a, qa, b, qb);
    }

    private void works(long id) {
        GaudiRig.post(qa, a.write(id, 0, b.mr.addr(), 8));
        a.done(qa, id);
        a.nothing();
    }

    private void pollsNotice() {
        GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8).sendFlags(0));
        GaudiRig.post(qa, a.write(2, 0, b.mr.addr(), 8));
        a.done(qa, 2);
        breaks(3);
        GaudiRig.post(qa, a.write(4, 0, b.mr.addr(), 8).sendFlags(0));
        idle();
        completes(3, WcStatus.GENERAL_ERR, 0x41);
        completes(4, WcStatus.WR_FLUSH_ERR, 0);
        GaudiRig.post(qa, a.write(5, 0, b.mr.addr(), 8));
        completes(5, WcStatus.WR_FLUSH_ERR, 0);
        Check.require(readsEvent(a), "no event");
        a.nothing();
        GaudiRig.post(qa, a.write(6, 0, b.mr.addr(), 8));
        completes(6, WcStatus.WR_FLUSH_ERR, 0);
        anew();
        works(7);
    }

    private void soDoReaders() {
        breaks(1);
        for (int i = 0; i < POLLS; i++) {
            Check.equal(Errno.ENOENT, a.cq.startPoll(new PollCqAttr()), "startPoll " + i);
        }
        Check.equal(0, a.cq.startPoll(new PollCqAttr()), "startPoll");
        Check.equal(1, a.cq.wrId(), "wrId");
        Check.equal(0x41, a.cq.readVendorErr(), "vendorErr");
        Check.equal(0, a.cq.endPoll(), "endPoll");
    }

    /** This queue pair is not at fault, so no reason is reported. */
    private void ofTheReceiverToo() {
        GaudiRig.post(qb, b.write(1, 0, a.mr.addr() + GaudiRig.SIZE, 8)); // breaks a's queue pair
        Simulator.pump();
        GaudiRig.post(qa, a.write(2, 0, b.mr.addr(), 8));
        idle();
        completes(2, WcStatus.WR_FLUSH_ERR, 0);
        a.nothing();
    }

    private void whatIsWholeIsLeftAlone() {
        GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8).sendFlags(0)); // has no completion of its own
        for (int i = 0; i < 3; i++) {
            idle();
        }
        works(2);
    }

    /** Late events describe what the queue pair was, whether or not that was noticed. */
    private void eventsThatComeLate(boolean noticed) {
        breaks(1);
        if (noticed) {
            idle();
            completes(1, WcStatus.GENERAL_ERR, 0x41);
        }
        anew();
        works(2);
        Check.require(readsEvent(a), "no event");
        works(3);
        breaks(4);
        Check.require(readsEvent(a), "no second event");
        completes(4, WcStatus.GENERAL_ERR, 0x41);
    }

    /**
     * One event was read in time and the next is late; an event that the device contradicts is believed unless one is
     * late.
     */
    private void readAndLate() {
        breaks(1);
        Check.require(readsEvent(a), "no event");
        completes(1, WcStatus.GENERAL_ERR, 0x41);
        anew();
        breaks(2);
        anew();
        Check.require(readsEvent(a), "no second event");
        works(3);
        Check.equal(0, Simulator.device_sim_async_event(0, EventType.QP_FATAL, FIRST), "event");
        Check.require(readsEvent(a), "no raised event");
        GaudiRig.post(qa, a.write(4, 0, b.mr.addr(), 8));
        completes(4, WcStatus.WR_FLUSH_ERR, 0);
    }

    private void setToErrMeanwhile() {
        breaks(1);
        GaudiRig.post(qa, a.write(2, 0, b.mr.addr(), 8));
        qa.modify(new QpAttr().qpState(QpState.ERR));
        completes(1, WcStatus.GENERAL_ERR, 0x41);
        completes(2, WcStatus.WR_FLUSH_ERR, 0);
        anew();
        Check.require(readsEvent(a), "no event");
        works(3);
    }

    private void brokenAgain() {
        breaks(1);
        anew();
        breaks(2);
        Check.require(readsEvent(a), "no event");
        completes(2, WcStatus.GENERAL_ERR, 0x41);
        Check.require(readsEvent(a), "no second event");
        a.nothing();
        Check.require(!readsEvent(a), "a third event");
        anew();
        works(3);
        breaks(4);
        Check.require(readsEvent(a), "no third event");
        completes(4, WcStatus.GENERAL_ERR, 0x41);
    }

    /** A destroyed queue pair with unreported requests does not keep others from being noticed. */
    private void goneMeanwhile() {
        for (int i = 0; i < 8; i++) {
            try (QueuePair other = a.qp(7)) {
                a.connect(other, NOBODY, b.gid(), GaudiRig.KEY, GaudiRig.KEY, 1);
                GaudiRig.post(other, a.write(i, 0, b.mr.addr(), 8));
                Simulator.pump();
            }
        }
        breaks(9);
        idle();
        completes(9, WcStatus.GENERAL_ERR, 0x41);
    }
}

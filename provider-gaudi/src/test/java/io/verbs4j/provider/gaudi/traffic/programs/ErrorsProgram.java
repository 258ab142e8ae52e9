/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.traffic.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PortState;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsObject;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.hbldv.HblDv;
import io.verbs4j.hbldv.HblGranularities;
import io.verbs4j.hbldv.HblMemIds;
import io.verbs4j.hbldv.HblPortExAttr;
import io.verbs4j.hbldv.HblWqArrays;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Checks how errors are reported, that nothing waits for events that cannot come, and that invalid requests do not
 * reach the device.
 */
public final class ErrorsProgram {
    private static final int PORT = GaudiRig.INTERNAL;
    private static final int DOWN = PortState.DOWN;
    private static final int NOBODY = 60;

    private ErrorsProgram() {}

    public static void main(String... args) {
        wrongKey();
        wrongPlace();
        noLongerThere();
        noAnswer();
        linkDown();
        byTheProgram();
        notTranslated();
        notThere();
        overrun();
        destroyed();
        ringsOfOtherKinds();
        Simulator.requireClean();
        System.out.println("errors ok");
    }

    private interface Body {
        void run(GaudiRig a, QueuePair qa, GaudiRig b, QueuePair qb);
    }

    /** Runs the body with two rigs, connected unless the body connects them itself. */
    private static void with(boolean connected, Body body) {
        try (GaudiRig a = new GaudiRig(0, PORT, 16);
                GaudiRig b = new GaudiRig(1, PORT, 16);
                QueuePair qa = a.qp(7);
                QueuePair qb = b.qp(7)) {
            if (connected) {
                GaudiRig.connect(a, qa, b, qb);
            }
            body.run(a, qa, b, qb);
        }
    }

    private static void event(GaudiRig of, int type, VerbsObject about) {
        AsyncEvent event = of.context.getAsyncEvent(Patience.SECONDS, TimeUnit.SECONDS);
        Check.require(event != null, "no event " + EventType.toString(type));
        Check.equal(type, event.eventType(), "event");
        Check.require(event.element() == about, "event about " + event.element());
        event.ack();
    }

    private static void flushed(GaudiRig of, QueuePair qp, long... ids) {
        for (long id : ids) {
            Check.equal(0, of.next(qp, id, WcStatus.WR_FLUSH_ERR).vendorErr(), "vendorErr");
        }
        of.nothing();
    }

    private static void failed(GaudiRig of, QueuePair qp, long id, int status, int syndrome) {
        Check.equal(syndrome, of.next(qp, id, status).vendorErr(), "vendorErr of " + id);
    }

    /** The received key differs from the expected one: both ends break, both report it, and both can start again. */
    private static void wrongKey() {
        with(false, (a, qa, b, qb) -> {
            a.connect(qa, qb.qpNum(), b.gid(), 1, 2, 7);
            b.connect(qb, qa.qpNum(), a.gid(), 3, 1, 7);
            Check.equal(Errno.EINVAL, qa.postSend(a.write(9, 0, b.mr.addr(), 8), null), "the key of regions");
            for (int i = 1; i <= 3; i++) {
                GaudiRig.post(qa, a.write(i, 0, b.mr.addr(), 8).rkey(2));
            }
            GaudiRig.post(qb, b.write(50, 0, a.mr.addr(), 8).rkey(1).sendFlags(0));
            Simulator.pump();
            a.nothing(); // until the event is read
            event(b, EventType.QP_FATAL, qb);
            event(a, EventType.QP_REQ_ERR, qa);
            failed(a, qa, 1, WcStatus.GENERAL_ERR, 0x41);
            flushed(a, qa, 2, 3);
            GaudiRig.post(qa, a.write(4, 0, b.mr.addr(), 8).rkey(2).sendFlags(0));
            flushed(a, qa, 4);
            b.next(qb, 50, WcStatus.WR_FLUSH_ERR);
            GaudiRig.post(qb, b.write(51, 0, a.mr.addr(), 8).rkey(1));
            flushed(b, qb, 51);
            GaudiRig.reset(qa);
            GaudiRig.reset(qb);
            a.initialise(qa);
            b.initialise(qb);
            GaudiRig.connect(a, qa, b, qb);
            GaudiRig.post(qa, a.write(6, 0, b.mr.addr(), 8));
            a.done(qa, 6);
        });
    }

    /** Covers an address that only the peer's process has, and one byte too many; earlier requests complete. */
    private static void wrongPlace() {
        with(true, (a, qa, b, qb) -> {
            GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8).sendFlags(0).next(a.write(2, 0, b.mr.addr(), 8)));
            GaudiRig.post(qa, a.write(3, 0, b.mr.addr() + GaudiRig.SIZE - 7, 8));
            Simulator.pump();
            event(a, EventType.QP_REQ_ERR, qa);
            a.done(qa, 2);
            failed(a, qa, 3, WcStatus.GENERAL_ERR, 0x41);
            a.nothing();
        });
        with(true, (a, qa, b, qb) -> {
            long host = b.context.vendor(HblDv.class).hostAddress(b.mr);
            GaudiRig.post(qa, a.write(1, 0, host, 8));
            Simulator.pump();
            event(a, EventType.QP_REQ_ERR, qa);
            failed(a, qa, 1, WcStatus.GENERAL_ERR, 0x41);
        });
    }

    /** Memory that the peer has deregistered is no longer accessible to the device. */
    private static void noLongerThere() {
        with(true, (a, qa, b, qb) -> {
            MemoryRegion mr =
                    b.pd.regMr(ByteBuffer.allocateDirect(4096), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
            GaudiRig.post(qa, a.write(1, 0, mr.addr(), 8));
            a.done(qa, 1);
            long there = mr.addr();
            mr.close();
            GaudiRig.post(qa, a.write(2, 0, there, 8));
            Simulator.pump();
            event(a, EventType.QP_REQ_ERR, qa);
            failed(a, qa, 2, WcStatus.GENERAL_ERR, 0x41);
        });
    }

    private static void noAnswer() {
        with(false, (a, qa, b, qb) -> {
            a.connect(qa, NOBODY, b.gid(), GaudiRig.KEY, GaudiRig.KEY, 1);
            GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8));
            Simulator.pump();
            event(a, EventType.QP_REQ_ERR, qa);
            failed(a, qa, 1, WcStatus.RETRY_EXC_ERR, 0x40);
        });
    }

    private static void linkDown() {
        with(true, (a, qa, b, qb) -> {
            Check.equal(0, Simulator.device_sim_port_state(1, PORT, DOWN), "port down");
            GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8));
            Simulator.pump();
            event(a, EventType.QP_REQ_ERR, qa);
            failed(a, qa, 1, WcStatus.RETRY_EXC_ERR, 0x40);
            Check.equal(0, Simulator.device_sim_port_state(1, PORT, PortState.ACTIVE), "port up");
        });
    }

    /** Moving to ERR flushes pending requests at once, without an event. */
    private static void byTheProgram() {
        with(true, (a, qa, b, qb) -> {
            GaudiRig.post(qa, a.write(1, 0, b.mr.addr(), 8));
            a.done(qa, 1);
            GaudiRig.post(qa, a.write(2, 0, b.mr.addr(), 8).sendFlags(0));
            GaudiRig.post(qa, a.write(3, 0, b.mr.addr(), 8));
            qa.modify(new QpAttr().qpState(QpState.ERR));
            flushed(a, qa, 2, 3);
            GaudiRig.post(qa, a.write(4, 0, b.mr.addr(), 8));
            flushed(a, qa, 4);
        });
    }

    /** An unregistered address does not reach the device, where it would break the queue pair. */
    private static void notTranslated() {
        with(true, (a, qa, b, qb) -> {
            long before = Simulator.device_sim_count(Simulator.DOORBELLS);
            SendWorkRequest wr = a.write(1, 0, b.mr.addr(), 8);
            long[] wrong = {
                b.mr.addr(),
                a.mr.addr() - 1,
                a.mr.addr() + GaudiRig.SIZE - 7,
                b.context.vendor(HblDv.class).hostAddress(b.mr)
            };
            for (long addr : wrong) {
                wr.sgList()[0].addr(addr);
                Check.equal(Errno.EINVAL, qa.postSend(wr, null), "a post of 0x" + Long.toHexString(addr));
            }
            ByteBuffer memory = ByteBuffer.allocateDirect(4096);
            MemoryRegion mr = a.pd.regMr(memory, 0);
            wr.sgList()[0].addr(mr.addr()).lkey(mr.lkey());
            GaudiRig.post(qa, wr);
            a.done(qa, 1);
            mr.close();
            Check.equal(Errno.EINVAL, qa.postSend(wr, null), "a post of deregistered memory");
            Check.equal(1, Simulator.device_sim_count(Simulator.DOORBELLS) - before, "doorbells");
            a.nothing();
        });
    }

    private static void notThere() {
        with(true, (a, qa, b, qb) -> {
            long before = Simulator.device_sim_count(Simulator.DOORBELLS);
            for (int opcode = WrOpcode.RDMA_WRITE_WITH_IMM; opcode <= WrOpcode.ATOMIC_WRITE; opcode++) {
                SendWorkRequest wr = a.write(1, 0, b.mr.addr(), 8).opcode(opcode);
                SendWorkRequest[] bad = {null};
                Check.equal(Errno.EOPNOTSUPP, qa.postSend(wr, bad), WrOpcode.toString(opcode));
                Check.require(bad[0] == wr, "badWr");
            }
            RecvWorkRequest receive = new RecvWorkRequest();
            RecvWorkRequest[] bad = {null};
            Check.equal(Errno.EOPNOTSUPP, qa.postRecv(receive, bad), "postRecv");
            Check.require(bad[0] == receive, "badWr");
            Check.equal(Errno.EOPNOTSUPP, a.cq.reqNotify(false), "reqNotify");
            Check.equal(0, Simulator.device_sim_count(Simulator.DOORBELLS) - before, "doorbells");
            a.nothing();
        });
    }

    /** More completions than there is room for: those present can be taken, then the overrun is reported. */
    private static void overrun() {
        try (GaudiRig a = new GaudiRig(0, PORT, 4);
                GaudiRig b = new GaudiRig(1, PORT, 4);
                QueuePair qa = a.qp(7);
                QueuePair qb = b.qp(7)) {
            GaudiRig.connect(a, qa, b, qb);
            for (int i = 0; i < 5; i++) {
                GaudiRig.post(qa, a.write(i, 0, b.mr.addr(), 8));
            }
            Simulator.pump();
            event(a, EventType.CQ_ERR, a.cq);
            for (int i = 0; i < 4; i++) {
                a.done(qa, i);
            }
            Check.equal(-Errno.EOVERFLOW, a.cq.poll(1, new WorkCompletion[] {new WorkCompletion()}), "poll");
        }
    }

    /** Pending requests of a destroyed queue pair are dropped, whether or not it reported an error. */
    private static void destroyed() {
        with(true, (a, qa, b, qb) -> {
            try (QueuePair other = a.qp(7)) {
                a.connect(other, NOBODY, b.gid(), 0, 0, 1);
                GaudiRig.post(other, a.write(1, 0, b.mr.addr(), 8).rkey(0));
                Simulator.pump();
                event(a, EventType.QP_REQ_ERR, other);
                GaudiRig.post(qa, a.write(2, 0, b.mr.addr(), 8));
            }
            a.done(qa, 2);
            a.nothing();
            QueuePair another = a.qp(7);
            a.connect(another, NOBODY, b.gid(), 0, 0, 1);
            GaudiRig.post(another, a.write(3, 0, b.mr.addr(), 8).rkey(0));
            Simulator.pump();
            another.close(); // its event was not read
            a.nothing();
        });
    }

    /**
     * Covers elements of 64 bytes and rings longer than the index byte; a ring in the device's memory cannot be posted
     * to.
     */
    private static void ringsOfOtherKinds() {
        for (int granularity : new int[] {HblGranularities.BYTES_32, HblGranularities.BYTES_64}) {
            try (GaudiRig a = new GaudiRig(prepared(0, HblMemIds.HOST, granularity), PORT, 16);
                    GaudiRig b = new GaudiRig(prepared(1, HblMemIds.HOST, granularity), PORT, 16);
                    QueuePair qa = a.qp(1000);
                    QueuePair qb = b.qp(1)) {
                GaudiRig.connect(a, qa, b, qb);
                for (int i = 0; i < 2500; i++) {
                    SendWorkRequest wr = a.write(i, 0, b.mr.addr(), 8);
                    GaudiRig.post(qa, i % 20 == 19 ? wr : wr.sendFlags(0));
                    if (i % 20 == 19) {
                        a.done(qa, i);
                    }
                }
            }
        }
        try (GaudiRig a = new GaudiRig(prepared(0, HblMemIds.DEVICE, 0), PORT, 16);
                GaudiRig b = new GaudiRig(1, PORT, 16);
                QueuePair qa = a.qp(7);
                QueuePair qb = b.qp(7)) {
            Check.equal(Errno.EINVAL, qa.postSend(a.write(1, 0, b.mr.addr(), 8), null), "a post in INIT");
            GaudiRig.connect(a, qa, b, qb);
            Check.equal(Errno.EOPNOTSUPP, qa.postSend(a.write(1, 0, b.mr.addr(), 8), null), "a post");
            GaudiRig.post(qb, b.write(2, 0, a.mr.addr(), 8));
            b.done(qb, 2);
        }
    }

    private static Context prepared(int device, int memory, int granularity) {
        Context context = GaudiRig.open(device);
        context.vendor(HblDv.class)
                .setPortEx(
                        new HblPortExAttr().portNum(PORT).wqArray(HblWqArrays.GENERIC, 128, 1024, memory, granularity));
        return context;
    }
}

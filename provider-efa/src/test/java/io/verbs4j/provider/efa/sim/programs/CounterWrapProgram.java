/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.efadv.EfaCqInitAttr;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.efadv.EfaWcFlags;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Checks counters and numbers that wrap: more messages than a counter has numbers, completed out of order; many peers
 * of one queue pair; reused queue pair numbers; RESET in the middle; events. Arguments: a seed of the order, and the
 * path.
 */
public final class CounterWrapProgram {
    private static final int MESSAGES = 70_000;
    private static final int AT_ONCE = 7;
    private static final int PEERS = 9;

    private final EfaRig rig;
    private final WorkCompletion[] wc = new WorkCompletion[2 * EfaRig.DEPTH];

    private CounterWrapProgram(EfaRig rig) {
        this.rig = rig;
        Arrays.setAll(wc, i -> new WorkCompletion());
    }

    public static void main(String... args) {
        int seed = Integer.parseInt(args[0]);
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            CounterWrapProgram test = new CounterWrapProgram(rig);
            test.counters(seed);
            test.manyPeers(seed);
            if (args[1].equals("java")) { // libefa is passed a list, the beginning of which may be posted
                test.allOrNothing();
            }
            test.reset();
            test.numbersThatComeAgain();
            test.behindAnothers();
            test.withoutReceive();
            test.events();
        }
        System.out.println("counters ok");
    }

    /** Each id comes back once on both sides, whatever the order is. */
    private void counters(int seed) {
        Simulator.device_sim_reorder(AT_ONCE, seed);
        SendBuilder builder = rig.qp.builder();
        int out = 0;
        for (int sent = 0; sent < MESSAGES; sent += AT_ONCE) {
            for (int i = 0; i < AT_ONCE; i++) {
                rig.receive(sent + i, rig.at(EfaRig.SIZE + 64 * i, 32), rig.at(EfaRig.SIZE + 64 * i + 32, 32));
            }
            if ((sent & 1) == 0) {
                builder.start();
                for (int i = 0; i < AT_ONCE; i++) {
                    builder.send(sent + i, SendFlags.SIGNALED, rig.mr.lkey(), rig.mr.addr(), 8)
                            .udAddr(rig.ah, rig.peer.qpNum(), EfaRig.QKEY);
                }
                Check.equal(0, builder.complete(), "errno of a builder");
            } else {
                SendWorkRequest list = null;
                for (int i = 0; i < AT_ONCE; i++) {
                    list = rig.send(sent + i, rig.at(0, 8)).next(list);
                }
                rig.post(list);
            }
            Simulator.pump();
            out += eachOnce(rig.sends, sent, AT_ONCE);
            eachOnce(rig.receives, sent, AT_ONCE);
        }
        Check.require(seed == 0 || out > MESSAGES / 10, "they completed in order, but " + out);
        Simulator.device_sim_reorder(0, 0);
    }

    /**
     * Takes completions whose ids are {@code count} consecutive numbers; returns how many were not in the order of
     * posting.
     */
    private int eachOnce(CompletionQueue cq, long first, int count) {
        BitSet seen = new BitSet();
        int out = 0;
        int taken = 0;
        while (taken < count) {
            int got = cq.poll(count - taken, wc);
            Check.require(got > 0, "completions: " + got + " after " + taken);
            for (int i = 0; i < got; i++) {
                Check.equal(WcStatus.SUCCESS, wc[i].status(), "status");
                int id = (int) (wc[i].wrId() - first);
                Check.require(id >= 0 && id < count && !seen.get(id), "id " + wc[i].wrId() + " is not expected");
                seen.set(id);
                out += id == taken + i ? 0 : 1;
            }
            taken += got;
        }
        Check.equal(0, cq.poll(1, wc), "more completions");
        return out;
    }

    private void manyPeers(int seed) {
        Simulator.device_sim_reorder(PEERS, seed);
        List<QueuePair> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            QueuePair peer = rig.pd.createQp(rig.attr(QpType.DRIVER));
            EfaRig.ready(peer);
            peers.add(peer);
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < PEERS; i++) {
                RecvWorkRequest to = new RecvWorkRequest().wrId(i).sgList(rig.at(EfaRig.SIZE + 64 * i, 64));
                Check.equal(0, peers.get(i).postRecv(to, null), "errno of a receive");
                rig.memory.putInt(64 * i, round * 100 + i);
                rig.post(rig.send(i, rig.at(64 * i, 4)).remoteQpn(peers.get(i).qpNum()));
            }
            Simulator.pump();
            eachOnce(rig.sends, 0, PEERS);
            Check.equal(PEERS, rig.receives.poll(PEERS, wc), "messages");
            for (int i = 0; i < PEERS; i++) {
                int to = (int) wc[i].wrId();
                Check.equal(peers.get(to).qpNum(), wc[i].qpNum(), "receiver");
                Check.equal(rig.qp.qpNum(), wc[i].srcQp(), "sender");
                Check.equal(round * 100 + to, rig.memory.getInt(EfaRig.SIZE + 64 * to), "message");
            }
        }
        peers.forEach(QueuePair::close);
        Simulator.device_sim_reorder(0, 0);
    }

    /** A builder's batch is posted as a whole or not at all. */
    private void allOrNothing() {
        SendBuilder builder = rig.qp.builder();
        builder.start();
        for (int i = 0; i <= EfaRig.DEPTH; i++) {
            builder.send(i, SendFlags.SIGNALED, rig.mr.lkey(), rig.mr.addr(), 8).udAddr(rig.ah, rig.peer.qpNum(), 1);
        }
        Check.require(builder.complete() != 0, "more than the queue has room for");
        builder.start();
        builder.send(1, SendFlags.SIGNALED, rig.mr.lkey(), rig.mr.addr(), 8)
                .udAddr(rig.ah, rig.peer.qpNum(), EfaRig.QKEY);
        builder.send(2, SendFlags.SIGNALED, rig.mr.lkey(), rig.mr.addr(), 8); // no address
        Check.equal(Errno.EINVAL, builder.complete(), "errno without an address");
        AddressHandle gone = rig.pd.createAh(EfaRig.way(rig.context));
        gone.close();
        Check.equal(Errno.EINVAL, rig.qp.postSend(rig.send(1, rig.at(0, 8)).ah(gone), null), "a handle that is closed");
        try (ProtectionDomain other = rig.context.allocPd();
                AddressHandle stranger = other.createAh(EfaRig.way(rig.context))) {
            Check.equal(
                    Errno.EINVAL,
                    rig.qp.postSend(rig.send(1, rig.at(0, 8)).ah(stranger), null),
                    "a handle of another domain");
        }
        Simulator.pump();
        Check.equal(0, rig.sends.poll(1, wc), "completions of what was refused");
        rig.receive(5, rig.at(EfaRig.SIZE, 64));
        rig.post(rig.send(6, rig.at(0, 8)));
        Simulator.pump();
        eachOnce(rig.sends, 6, 1);
        eachOnce(rig.receives, 5, 1);
    }

    /** Earlier requests are forgotten, their completions are gone, and the whole queue is free again. */
    private void reset() {
        try (QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER))) {
            for (int life = 0; life < 5; life++) {
                EfaRig.ready(qp);
                for (int round = 0; round < 3; round++) {
                    for (int i = 0; i < EfaRig.DEPTH; i++) {
                        rig.receive(i, rig.at(EfaRig.SIZE, 64));
                        Check.equal(0, qp.postSend(rig.send(100 + i, rig.at(0, 8)), null), "errno of a post");
                    }
                    Simulator.pump();
                    eachOnce(rig.receives, 0, EfaRig.DEPTH);
                    if (round < 2) {
                        eachOnce(rig.sends, 100, EfaRig.DEPTH);
                    }
                }
                qp.modify(new QpAttr().qpState(QpState.RESET));
                Check.equal(0, rig.sends.poll(1, wc), "completions from before RESET");
                Check.equal(Errno.EINVAL, qp.postSend(rig.send(1, rig.at(0, 8)), null), "errno of a post in RESET");
            }
        }
    }

    /** The device reuses the numbers of destroyed queue pairs before their completions are polled. */
    private void numbersThatComeAgain() {
        BitSet numbers = new BitSet();
        boolean again = false;
        for (int round = 0; round < 8; round++) {
            QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER));
            again |= numbers.get(qp.qpNum());
            numbers.set(qp.qpNum());
            EfaRig.ready(qp);
            rig.receive(round, rig.at(EfaRig.SIZE, 64));
            rig.receive(round, rig.at(EfaRig.SIZE, 64));
            Check.equal(0, rig.qp.postSend(rig.send(1000 + round, rig.at(0, 8)), null), "errno of a post");
            Simulator.pump();
            Check.equal(0, qp.postSend(rig.send(2000 + round, rig.at(0, 8)), null), "errno of a post");
            Simulator.pump();
            qp.close();
        }
        System.out.println(again ? "a number came again" : "no number came again");
        Check.equal(8, rig.sends.poll(16, wc), "completions");
        for (int i = 0; i < 8; i++) {
            Check.equal(1000 + i, wc[i].wrId(), "id");
        }
        Check.equal(16, rig.receives.poll(16, wc), "messages");
    }

    /**
     * A completion of another queue pair is in front, so nothing behind it can be returned to the device. Completions
     * of an earlier life, or of an earlier queue pair with the same number, are skipped when their turn comes.
     */
    private void behindAnothers() {
        for (boolean reset : new boolean[] {true, false}) {
            QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER));
            EfaRig.ready(qp);
            anothers(1);
            Check.equal(0, qp.postSend(rig.send(2, rig.at(0, 8)).remoteQpn(qp.qpNum()), null), "errno of a post");
            Check.equal(0, qp.postRecv(new RecvWorkRequest().wrId(2).sgList(rig.at(0, 64)), null), "errno");
            Simulator.pump();
            int number = qp.qpNum();
            if (reset) {
                qp.modify(new QpAttr().qpState(QpState.RESET));
                EfaRig.ready(qp);
            } else {
                qp.close();
                qp = rig.pd.createQp(rig.attr(QpType.DRIVER));
                Check.equal(number, qp.qpNum(), "a number that is reused");
                EfaRig.ready(qp);
            }
            Check.equal(1, rig.sends.poll(4, wc), "completions");
            Check.equal(1, wc[0].wrId(), "id");
            Check.equal(1, rig.receives.poll(4, wc), "messages");
            Check.equal(1, wc[0].wrId(), "id");
            for (int i = 0; i < EfaRig.DEPTH; i++) { // the whole of both queues is free
                Check.equal(0, qp.postRecv(new RecvWorkRequest().wrId(i).sgList(rig.at(0, 64)), null), "errno");
                Check.equal(0, qp.postSend(rig.send(i, rig.at(0, 8)).remoteQpn(qp.qpNum()), null), "errno of a post");
            }
            Simulator.pump();
            eachOnce(rig.sends, 0, EfaRig.DEPTH);
            eachOnce(rig.receives, 0, EfaRig.DEPTH);
            qp.close();
        }
    }

    private void anothers(int id) {
        rig.receive(id, rig.at(EfaRig.SIZE, 64));
        rig.post(rig.send(id, rig.at(0, 8)));
        Simulator.pump();
    }

    /** A write with immediate data that consumes no receive does not release one. */
    private void withoutReceive() {
        EfaDv efa = rig.context.vendor(EfaDv.class);
        if ((efa.queryDevice().deviceCaps() & EfaDeviceCap.UNSOLICITED_WRITE_RECV) == 0) {
            return;
        }
        EfaQpInitAttr flags = new EfaQpInitAttr().flags(EfaQpFlags.UNSOLICITED_WRITE_RECV);
        CqInitAttrEx attr = new CqInitAttrEx()
                .cqe(16)
                .wcFlags(WcExFlags.STANDARD)
                .vendor(new EfaCqInitAttr().wcFlags(EfaWcFlags.IS_UNSOLICITED));
        try (CompletionQueue cq = rig.context.createCqEx(attr);
                QueuePair from = rig.context.createQpEx(
                        QpInitAttrEx.of(rig.pd, rig.attr(QpType.DRIVER)).vendor(flags));
                QueuePair to = rig.context.createQpEx(
                        QpInitAttrEx.of(rig.pd, rig.attr(QpType.DRIVER).recvCq(cq))
                                .vendor(flags))) {
            EfaRig.ready(from);
            EfaRig.ready(to);
            for (int i = 0; i < 3 * EfaRig.DEPTH; i++) {
                SendWorkRequest write = rig.send(i, rig.at(0, 8))
                        .opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                        .immData(i)
                        .remoteQpn(to.qpNum())
                        .remoteAddr(rig.mr.addr() + EfaRig.SIZE)
                        .rkey(rig.mr.rkey());
                Check.equal(0, from.postSend(write, null), "errno of a write");
                Simulator.pump();
                eachOnce(rig.sends, i, 1);
                Check.equal(0, cq.startPoll(null), "errno of startPoll");
                Check.require(efa.isUnsolicited(cq), "it took no receive");
                Check.equal(0, cq.wrId(), "id");
                Check.equal(WcOpcode.RECV_RDMA_WITH_IMM, cq.readOpcode(), "opcode");
                Check.equal(i, cq.readImmData(), "immediate");
                cq.endPoll();
            }
        }
    }

    /** Follows "arm, poll once more, sleep": a poll of any kind that takes nothing keeps the queue armed. */
    private void emptyPollsAfterArming() {
        try (CompletionChannel channel = rig.context.createCompChannel();
                CompletionQueue cq = rig.context.createCqEx(
                        new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD).channel(channel));
                QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(cq))) {
            EfaRig.ready(qp);
            List<Runnable> polls = List.of(
                    () -> Check.equal(0, cq.poll(1, wc), "completions"),
                    () -> Check.require(cq.poll(1, wc, WorkCompletion.SIZE) <= 0, "a completion"),
                    () -> Check.equal(Errno.ENOENT, cq.startPoll(null), "errno of startPoll"));
            for (int i = 0; i < 2 * polls.size(); i++) {
                Check.equal(0, cq.reqNotify(false), "errno of reqNotify");
                Simulator.pump();
                polls.get(i % polls.size()).run();
                Simulator.pump();
                rig.receive(i, rig.at(EfaRig.SIZE, 64));
                Check.equal(0, qp.postSend(rig.send(i, rig.at(0, 8)), null), "errno of a post");
                Simulator.pump();
                Check.require(channel.getEvent(0, TimeUnit.SECONDS) == cq, "an event");
                Check.equal(0, Simulator.device_sim_count(0), "violations");
                Check.equal(0, cq.startPoll(null), "errno of startPoll");
                Check.equal(Errno.ENOENT, cq.nextPoll(), "errno of nextPoll");
                cq.endPoll();
                eachOnce(rig.receives, i, 1);
            }
        }
    }

    /** Each request for an event gets one, even if the completion came first; without a request there is none. */
    private void events() {
        emptyPollsAfterArming();
        try (CompletionChannel channel = rig.context.createCompChannel();
                CompletionQueue cq = rig.context.createCq(16, null, channel, 0);
                QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(cq))) {
            EfaRig.ready(qp);
            Check.require(cq.reqNotify(true) != 0, "events for solicited completions only are refused");
            for (int i = 0; i < 10; i++) {
                boolean late = i % 2 == 0;
                if (!late) {
                    Check.equal(0, cq.reqNotify(false), "errno of reqNotify");
                    Simulator.pump();
                }
                rig.receive(i, rig.at(EfaRig.SIZE, 64));
                Check.equal(0, qp.postSend(rig.send(i, rig.at(0, 8)), null), "errno of a post");
                Simulator.pump();
                if (late) {
                    Check.require(channel.getEvent(0, TimeUnit.SECONDS) == null, "an unrequested event");
                    Check.equal(0, cq.reqNotify(false), "errno of reqNotify");
                    Simulator.pump();
                }
                Check.require(channel.getEvent(0, TimeUnit.SECONDS) == cq, "an event");
                Check.require(channel.getEvent(0, TimeUnit.SECONDS) == null, "one event");
                eachOnce(cq, i, 1);
                eachOnce(rig.receives, i, 1);
            }
        }
    }
}

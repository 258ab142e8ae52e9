/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.efadv.EfaDeviceCap;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.Arrays;
import java.util.BitSet;

/** Sends datagrams, reliable and unreliable. Argument: a seed of the order in which they are executed. */
public final class TrafficProgram {
    private static final int ROUNDS = 200;
    private static final int MESSAGES = 8;
    private static final int LENGTH = 3000;
    private static final int GRH = 40;

    private TrafficProgram() {}

    public static void main(String... args) {
        int seed = Integer.parseInt(args[0]);
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            inEveryOrder(rig, seed);
            inlineAndImmediate(rig, 0);
            tooLongIsOneMessages(rig);
            noReceiveIsWaitedFor(rig);
            full(rig);
            oneList(rig);
            knownAndUnknownSenders(rig);
            remoteMemory(rig);
            whatADestroyedOneLeaves(rig);
        }
        try (EfaRig rig = new EfaRig(QpType.UD)) {
            inlineAndImmediate(rig, GRH);
        }
        System.out.println("traffic ok");
    }

    /** All messages arrive once, and ids still match after the rings and counters wrap. */
    private static void inEveryOrder(EfaRig rig, int seed) {
        Simulator.device_sim_reorder(MESSAGES, seed);
        int others = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < MESSAGES; i++) {
                rig.receive(i, rig.at(EfaRig.SIZE + i * LENGTH, LENGTH));
                for (int k = 0; k < LENGTH; k += 100) {
                    rig.memory.put(i * LENGTH + k, value(round, i, k));
                }
                rig.memory.putInt(i * LENGTH, i);
                rig.post(rig.send(round * 1000L + i, rig.at(i * LENGTH, 1000), rig.at(i * LENGTH + 1000, 2000)));
            }
            BitSet sent = new BitSet();
            BitSet arrived = new BitSet();
            BitSet places = new BitSet();
            for (int i = 0; i < MESSAGES; i++) {
                WorkCompletion wc = rig.next(rig.sends);
                Check.equal(WcStatus.SUCCESS, wc.status(), "status");
                Check.equal(rig.qp.qpNum(), wc.qpNum(), "queue pair");
                sent.set((int) (wc.wrId() - round * 1000L));
                wc = rig.next(rig.receives);
                Check.equal(WcStatus.SUCCESS, wc.status(), "status");
                Check.equal(LENGTH, wc.byteLen(), "length");
                Check.equal(rig.qp.qpNum(), wc.srcQp(), "sender");
                int place = (int) wc.wrId();
                int message = rig.memory.getInt(EfaRig.SIZE + place * LENGTH);
                for (int k = 100; k < LENGTH; k += 100) {
                    Check.equal(
                            value(round, message, k), rig.memory.get(EfaRig.SIZE + place * LENGTH + k), "byte " + k);
                }
                places.set(place);
                arrived.set(message);
                others += message != i ? 1 : 0;
            }
            Check.equal(MESSAGES, sent.cardinality(), "messages sent in round " + round);
            Check.equal(MESSAGES, arrived.cardinality(), "messages in round " + round);
            Check.equal(MESSAGES, places.cardinality(), "receives in round " + round);
        }
        Check.require(seed == 0 || others > ROUNDS, "they came in order, but " + others);
        Simulator.device_sim_reorder(0, 0);
    }

    private static byte value(int round, int message, int k) {
        return (byte) (round * 31 + message * 7 + k);
    }

    private static void inlineAndImmediate(EfaRig rig, int offset) {
        rig.receive(7, rig.at(EfaRig.SIZE, 100));
        rig.memory.putLong(0, 0x1122334455667788L);
        rig.post(rig.send(1, rig.at(0, 8))
                .opcode(WrOpcode.SEND_WITH_IMM)
                .immData(0xcafe1234)
                .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        rig.memory.putLong(0, 0); // the post copies inline data
        Check.equal(1, rig.next(rig.sends).wrId(), "id");
        WorkCompletion wc = rig.next(rig.receives);
        Check.equal(7, wc.wrId(), "id");
        Check.equal(WcOpcode.RECV, wc.opcode(), "opcode");
        Check.require((wc.wcFlags() & WcFlags.WITH_IMM) != 0, "there is an immediate");
        Check.equal(0xcafe1234, wc.immData(), "immediate");
        Check.equal(8 + offset, wc.byteLen(), "length");
        Check.equal(0x1122334455667788L, rig.memory.getLong(EfaRig.SIZE + offset), "data");
    }

    /** An error affects one message only: the queue pair continues. */
    private static void tooLongIsOneMessages(EfaRig rig) {
        int most = (int) rig.context.queryPort(1).maxMsgSz();
        rig.post(rig.send(1, rig.at(0, most + 1)));
        Check.equal(WcStatus.LOC_LEN_ERR, rig.next(rig.sends).status(), "status of " + (most + 1) + " bytes");
        rig.receive(2, rig.at(EfaRig.SIZE, most));
        rig.post(rig.send(3, rig.at(0, most)));
        Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status of " + most + " bytes");
        Check.equal(most, rig.next(rig.receives).byteLen(), "length");
        rig.post(rig.send(4, rig.at(0, 8)).remoteQpn(0xfff0));
        Check.require(rig.next(rig.sends).status() != WcStatus.SUCCESS, "a missing queue pair answers");
        inlineAndImmediate(rig, 0);
    }

    private static void noReceiveIsWaitedFor(EfaRig rig) {
        rig.post(rig.send(1, rig.at(0, 64)));
        Simulator.device_sim_pump(50);
        WorkCompletion[] none = {new WorkCompletion()};
        Check.equal(0, rig.sends.poll(1, none), "completions without a receive");
        rig.receive(2, rig.at(EfaRig.SIZE, 64));
        Check.equal(1, rig.next(rig.sends).wrId(), "id");
        Check.equal(2, rig.next(rig.receives).wrId(), "id");
    }

    private static void full(EfaRig rig) {
        for (int i = 0; i < EfaRig.DEPTH; i++) {
            rig.receive(i, rig.at(EfaRig.SIZE, 64));
            rig.post(rig.send(i, rig.at(0, 64)));
        }
        Check.equal(Errno.ENOMEM, rig.qp.postSend(rig.send(99, rig.at(0, 64)), null), "a full queue");
        for (int i = 0; i < EfaRig.DEPTH; i++) {
            Check.equal(i, rig.next(rig.sends).wrId(), "id");
            Check.equal(WcStatus.SUCCESS, rig.next(rig.receives).status(), "status");
        }
    }

    /** Posts as many as fit in one list: if the device limits a doorbell's batch, several doorbells are rung. */
    private static void oneList(EfaRig rig) {
        SendWorkRequest list = null;
        for (int i = EfaRig.DEPTH - 1; i >= 0; i--) {
            rig.receive(i, rig.at(EfaRig.SIZE, 64));
            list = rig.send(i, rig.at(0, 64)).next(list);
        }
        rig.post(list);
        for (int i = 0; i < EfaRig.DEPTH; i++) {
            Check.equal(i, rig.next(rig.sends).wrId(), "id");
            Check.equal(WcStatus.SUCCESS, rig.next(rig.receives).status(), "status");
        }
    }

    /** Reads and writes with and without immediate data; a wrong key fails only its request. */
    private static void remoteMemory(EfaRig rig) {
        int length = 20_000; // more than a message holds
        boolean writes = (rig.context.vendor(EfaDv.class).queryDevice().deviceCaps() & EfaDeviceCap.RDMA_WRITE) != 0;
        for (int k = 0; k < length; k++) {
            rig.memory.put(k, (byte) 0).put(EfaRig.SIZE + k, value(1, 2, k));
        }
        rig.post(rig.send(1, rig.at(0, length))
                .opcode(WrOpcode.RDMA_READ)
                .remoteAddr(rig.mr.addr() + EfaRig.SIZE)
                .rkey(rig.mr.rkey()));
        Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status of a read");
        for (int k = 0; k < length; k++) {
            Check.equal(value(1, 2, k), rig.memory.get(k), "byte " + k + " that was read");
        }
        rig.post(rig.send(2, rig.at(0, 8))
                .opcode(WrOpcode.RDMA_READ)
                .remoteAddr(rig.mr.addr() + EfaRig.SIZE)
                .rkey(rig.mr.rkey() ^ 0x100));
        Check.equal(2, rig.next(rig.sends).wrId(), "id of the one with a wrong key");
        if (!writes) {
            int errno = rig.qp.postSend(rig.send(3, rig.at(0, 8)).opcode(WrOpcode.RDMA_WRITE), null);
            Check.equal(Errno.EOPNOTSUPP, errno, "a write");
            inlineAndImmediate(rig, 0);
            return;
        }
        for (int k = 0; k < length; k++) {
            rig.memory.put(k, value(3, 4, k));
        }
        rig.post(rig.send(4, rig.at(0, length))
                .opcode(WrOpcode.RDMA_WRITE)
                .remoteAddr(rig.mr.addr() + EfaRig.SIZE)
                .rkey(rig.mr.rkey()));
        WorkCompletion wc = rig.next(rig.sends);
        Check.equal(WcStatus.SUCCESS, wc.status(), "status of a write");
        Check.equal(WcOpcode.RDMA_WRITE, wc.opcode(), "opcode of a write");
        for (int k = 0; k < length; k++) {
            Check.equal(value(3, 4, k), rig.memory.get(EfaRig.SIZE + k), "byte " + k + " that was written");
        }
        rig.receive(9, rig.at(EfaRig.SIZE + 100, 8));
        rig.post(rig.send(5, rig.at(0, 8))
                .opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                .immData(0x12345678)
                .remoteAddr(rig.mr.addr() + EfaRig.SIZE + 8)
                .rkey(rig.mr.rkey()));
        Check.equal(5, rig.next(rig.sends).wrId(), "id");
        wc = rig.next(rig.receives);
        Check.equal(9, wc.wrId(), "id of the receive");
        Check.equal(WcOpcode.RECV_RDMA_WITH_IMM, wc.opcode(), "opcode");
        Check.equal(0x12345678, wc.immData(), "immediate");
        Check.equal(rig.memory.getLong(0), rig.memory.getLong(EfaRig.SIZE + 8), "data");
        rig.receive(10, rig.at(EfaRig.SIZE, 8));
        rig.post(rig.send(6, rig.at(0, EfaRig.SIZE + 4))
                .opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                .remoteAddr(rig.mr.addr() + EfaRig.SIZE - 4)
                .rkey(rig.mr.rkey()));
        Check.equal(6, rig.next(rig.sends).wrId(), "id");
        Check.equal(EfaRig.SIZE + 4, rig.next(rig.receives).byteLen(), "length above 16 bits");
        inlineAndImmediate(rig, 0);
    }

    /** Completions of a destroyed queue pair are dropped as well; those of others stay, whatever lies between. */
    private static void whatADestroyedOneLeaves(EfaRig rig) {
        for (int round = 0; round < 3; round++) {
            QueuePair other = rig.pd.createQp(rig.attr(QpType.DRIVER));
            EfaRig.ready(other);
            for (int i = 0; i < 6; i++) {
                rig.receive(i, rig.at(EfaRig.SIZE, 64));
                QueuePair from = i % 2 == 0 ? other : rig.qp;
                Check.equal(0, from.postSend(rig.send(100 + i, rig.at(0, 64)), null), "errno of a post");
                Simulator.pump();
            }
            other.close();
            WorkCompletion[] wc = new WorkCompletion[8];
            Arrays.setAll(wc, i -> new WorkCompletion());
            Check.equal(3, rig.sends.poll(8, wc), "completions of requests to the existing queue pair");
            for (int i = 0; i < 3; i++) {
                Check.equal(101 + 2 * i, wc[i].wrId(), "id");
            }
            Check.equal(0, rig.sends.poll(8, wc), "completions afterwards");
            Check.equal(6, rig.receives.poll(8, wc), "messages");
        }
        try (CompletionQueue oneByOne =
                        rig.context.createCqEx(new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD));
                QueuePair stays = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(oneByOne))) {
            QueuePair goes = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(oneByOne));
            EfaRig.ready(stays);
            EfaRig.ready(goes);
            for (int i = 0; i < 6; i++) {
                rig.receive(i, rig.at(EfaRig.SIZE, 64));
                QueuePair from = i % 2 == 0 ? goes : stays;
                Check.equal(0, from.postSend(rig.send(200 + i, rig.at(0, 64)), null), "errno of a post");
                Simulator.pump();
            }
            goes.close();
            Check.equal(0, oneByOne.startPoll(null), "errno of startPoll");
            for (int i = 1; i < 6; i += 2) {
                Check.equal(200 + i, oneByOne.wrId(), "id");
                Check.equal(i < 5 ? 0 : Errno.ENOENT, oneByOne.nextPoll(), "errno of nextPoll");
            }
            for (int id = 206; id < 209; id++) { // read by libefa: the others were taken before
                for (int i = 0; i < 3; i++) {
                    Check.equal(Errno.ENOENT, oneByOne.nextPoll(), "errno of nextPoll without a current completion");
                }
                rig.receive(id, rig.at(EfaRig.SIZE, 64));
                Check.equal(0, stays.postSend(rig.send(id, rig.at(0, 64)), null), "errno of a post");
                Simulator.pump();
                Check.equal(0, oneByOne.nextPoll(), "errno of nextPoll with another completion");
                Check.equal(id, oneByOne.wrId(), "id");
            }
            oneByOne.endPoll();
            Check.equal(Errno.EINVAL, oneByOne.nextPoll(), "errno of nextPoll after the end");
        }
    }

    /** A receiver identifies its sender by the number of the address handle, which all handles to one address share. */
    private static void knownAndUnknownSenders(EfaRig rig) {
        EfaDv efa = rig.context.vendor(EfaDv.class);
        int number = efa.queryAh(rig.ah);
        try (AddressHandle same = rig.pd.createAh(EfaRig.way(rig.context))) {
            Check.equal(number, efa.queryAh(same), "number of the second handle");
            try (ProtectionDomain elsewhere = rig.context.allocPd();
                    AddressHandle other = elsewhere.createAh(EfaRig.way(rig.context))) {
                Check.require(efa.queryAh(other) != number, "another domain's handle is a different one");
            }
            rig.receive(1, rig.at(EfaRig.SIZE, 64));
            rig.post(rig.send(1, rig.at(0, 64)).ah(same));
            rig.next(rig.sends);
            Check.equal(number, rig.next(rig.receives).slid(), "number of the sender's handle");
        }
        rig.receive(1, rig.at(EfaRig.SIZE, 64));
        rig.post(rig.send(1, rig.at(0, 64))); // the other handle stays alive
        Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status");
        Check.equal(number, rig.next(rig.receives).slid(), "number of the sender's handle");
    }
}

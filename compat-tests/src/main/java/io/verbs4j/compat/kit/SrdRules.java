/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.BuilderRig.BUILDER;
import static io.verbs4j.compat.kit.BuilderRig.BUILT;
import static io.verbs4j.compat.kit.SrdRig.MESSAGES;
import static io.verbs4j.compat.kit.SrdRig.POLL;
import static io.verbs4j.compat.kit.SrdRig.POST;
import static io.verbs4j.compat.kit.SrdRig.POST_MAN;
import static io.verbs4j.compat.kit.SrdRig.ROUNDS;
import static io.verbs4j.compat.kit.SrdRig.SHORTEST;
import static io.verbs4j.compat.kit.SrdRig.SLOT;
import static io.verbs4j.compat.kit.SrdRig.SLOTS;
import static io.verbs4j.compat.kit.SrdRig.SRD;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * R22: reliable datagrams without order, such as the scalable reliable datagrams of EFA. What arrives, and what is
 * reported.
 */
interface SrdRules {
    @Rule(
            id = "R22.01",
            since = 3,
            says = "reliable datagrams: each message arrives once and whole, in whatever order, and each request"
                    + " completes once",
            look = {POST, POLL},
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2201Once(SrdRig rig) {
        rig.startSrd(s -> s.maxWr = 32);
        for (int slot = 0; slot < SLOTS - MESSAGES; slot++) {
            rig.b.recv(slot, slot * SLOT, SLOT); // more than needed, so that duplicates find a receive
        }
        int slot = SLOTS - MESSAGES;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < MESSAGES; i++, slot++) {
                rig.b.recv(slot % SLOTS, slot % SLOTS * SLOT, SLOT);
            }
            for (int i = 0; i < MESSAGES; i++) {
                rig.a.post(rig.message(MESSAGES * round + i, i * SHORTEST + round, SHORTEST + i));
            }
            Map<Long, WorkCompletion> sent = rig.a.all(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                WorkCompletion wc = SrdRig.ended(sent, (long) MESSAGES * round + i, true);
                Seen.equal("opcode", WcOpcode.toString(WcOpcode.SEND), WcOpcode.toString(wc.opcode()));
                Seen.equal("qpNum of the send", rig.a.qp.qpNum(), wc.qpNum());
            }
            rig.arrived(round);
        }
        rig.a.nothing("after everything posted had completed");
        rig.b.nothing("after everything sent had arrived");
    }

    @Rule(
            id = "R22.02",
            since = 3,
            says = "reliable datagrams: a completion is of the request whose id it has, whatever the order",
            look = {POST, POLL},
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2202Ids(SrdRig rig) {
        rig.startSrd();
        for (int i = 0; i < MESSAGES; i++) {
            rig.b.recv(i, 0, SLOT);
        }
        for (int i = 0; i < MESSAGES; i++) {
            rig.a.post(i % 3 == 1 ? rig.lost(i) : rig.message(i, 0, SHORTEST));
        }
        Map<Long, WorkCompletion> sent = rig.a.all(MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            SrdRig.ended(sent, i, i % 3 != 1);
        }
    }

    @Rule(
            id = "R22.03",
            since = 3,
            says = "reliable datagrams: one queue pair reaches many peers, and who receives is told who has sent",
            look = {POST, POLL, "ContextOps.createAh"},
            man = POST_MAN + " (wr.ud); ibv_poll_cq(3) (src_qp)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2203Peers(SrdRig rig) {
        rig.startSrd();
        Side c = rig.another(3);
        AddressHandle toC = rig.way(rig.a, c);
        rig.b.recv(1, 0, SLOT);
        c.recv(2, 0, SLOT);
        rig.a.post(rig.message(10, 0, 50));
        rig.a.post(SrdRig.addressed(rig.a.wr(WrOpcode.SEND, 11, rig.a.sge(100, 77)), toC, c.qp));
        SrdRig.from(rig.a, rig.b.next(1, WcStatus.SUCCESS), 50);
        SrdRig.from(rig.a, c.next(2, WcStatus.SUCCESS), 77);
        rig.b.memory.holds(0, rig.a.memory, 0, 50);
        c.memory.holds(0, rig.a.memory, 100, 77);
        Map<Long, WorkCompletion> sent = rig.a.all(2);
        SrdRig.ended(sent, 10, true);
        SrdRig.ended(sent, 11, true);
        rig.a.recv(3, 0, SLOT);
        rig.b.post(SrdRig.addressed(rig.b.wr(WrOpcode.SEND, 12, rig.b.sge(0, 60)), rig.toA, rig.a.qp));
        SrdRig.from(rig.b, rig.a.next(3, WcStatus.SUCCESS), 60);
        rig.a.recv(4, 0, SLOT);
        c.post(SrdRig.addressed(c.wr(WrOpcode.SEND, 13, c.sge(0, 61)), rig.way(c, rig.a), rig.a.qp));
        SrdRig.from(c, rig.a.next(4, WcStatus.SUCCESS), 61);
    }

    @Rule(
            id = "R22.04",
            since = 3,
            says = "reliable datagrams: each message has immediate data of its own",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_SEND_WITH_IMM)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.IMMEDIATE})
    default void r2204Immediate(SrdRig rig) {
        rig.startSrd();
        for (int i = 0; i < MESSAGES; i++) {
            rig.b.recv(i, 0, SLOT);
            rig.a.post(rig.message(i, 0, 2 * SHORTEST + i)
                    .opcode(WrOpcode.SEND_WITH_IMM)
                    .immData(0xcafe0000 + i));
        }
        for (WorkCompletion wc : rig.b.all(MESSAGES).values()) {
            Seen.check((wc.wcFlags() & WcFlags.WITH_IMM) != 0, "wcFlags lacks WITH_IMM");
            String expected = Integer.toHexString(0xcafe0000 + wc.byteLen() - 2 * SHORTEST);
            Seen.equal("immData", expected, Integer.toHexString(wc.immData()));
        }
        rig.a.all(MESSAGES);
        rig.b.recv(1, 0, SLOT);
        rig.a.post(rig.message(99, 0, 10));
        Seen.check(
                (rig.b.next(1, WcStatus.SUCCESS).wcFlags() & WcFlags.WITH_IMM) == 0,
                "wcFlags has WITH_IMM without immediate data");
    }

    @Rule(
            id = "R22.05",
            since = 3,
            says = "reliable datagrams: pieces of memory are gathered and scattered in their order",
            look = {POST, "QueuePair.postRecv"},
            man = POST_MAN + " (sg_list)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2205Pieces(SrdRig rig) {
        rig.startSrd(s -> s.maxSge = 2);
        Seen.errno(
                "postRecv",
                0,
                rig.b.qp.postRecv(new RecvWorkRequest().wrId(1).sgList(rig.b.sge(10, 300), rig.b.sge(20_000, SLOT))));
        rig.a.post(SrdRig.addressed(
                rig.a.wr(WrOpcode.SEND, 2, rig.a.sge(0, 700), rig.a.sge(5000, 100)), rig.toB, rig.b.qp));
        Seen.equal("byteLen", 800, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        rig.a.next(2, WcStatus.SUCCESS);
        rig.b.memory.holds(10, rig.a.memory, 0, 300);
        rig.b.memory.holds(20_000, rig.a.memory, 300, 400);
        rig.b.memory.holds(20_400, rig.a.memory, 5000, 100);
        rig.b.memory.untouched(20_500, 1000);
    }

    @Rule(
            id = "R22.06",
            since = 3,
            says = "reliable datagrams: inline data is taken at the post, as much as the queue pair has room for",
            look = POST,
            man = POST_MAN + " (IBV_SEND_INLINE)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.INLINE})
    default void r2206Inline(SrdRig rig) {
        rig.startSrd(s -> s.maxInline = 32);
        rig.b.recv(1, 0, SLOT);
        rig.a.post(rig.message(2, 64, 32).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        for (int i = 64; i < 96; i++) {
            rig.a.memory.buffer.put(i, (byte) ~rig.a.memory.buffer.get(i));
        }
        Seen.equal("byteLen", 32, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        rig.b.memory.holds(0, rig.a.memory, 64, 32);
        rig.a.next(2, WcStatus.SUCCESS);
        int room = Rig.capOf(rig.a).maxInlineData();
        SendWorkRequest more = rig.message(3, 0, room + 1).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        Seen.errno("postSend of " + (room + 1) + " bytes of inline data", Errno.EINVAL, rig.a.qp.postSend(more));
    }

    @Rule(
            id = "R22.07",
            since = 3,
            says = "reliable datagrams: when an RDMA write completes, its bytes are at the given address, and nothing"
                    + " beside them has changed",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_RDMA_WRITE)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_WRITE})
    default void r2207Write(SrdRig rig) {
        rig.startSrd();
        for (int length : new int[] {0, 1, 4096, 5000, 40_000}) {
            rig.a.post(rig.remote(WrOpcode.RDMA_WRITE, length, 7, 100, length));
            WorkCompletion wc = rig.a.next(length, WcStatus.SUCCESS);
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RDMA_WRITE), WcOpcode.toString(wc.opcode()));
            rig.b.memory.holds(100, rig.a.memory, 7, length);
            rig.b.memory.untouched(0, 100);
            rig.b.memory.untouched(100 + length, length < 40_000 ? 40_000 - length : 1000);
        }
    }

    @Rule(
            id = "R22.08",
            since = 3,
            says = "reliable datagrams: RDMA read has fetched the bytes when it completes, and nothing beside them",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_RDMA_READ)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_READ})
    default void r2208Read(SrdRig rig) {
        rig.startSrd();
        for (int length : new int[] {1, 4096, 5000, 40_000}) {
            rig.a.post(rig.remote(WrOpcode.RDMA_READ, length, 100, 7, length));
            rig.a.next(length, WcStatus.SUCCESS);
            rig.a.memory.holds(100, rig.b.memory, 7, length);
            rig.a.memory.untouched(0, 100);
            rig.a.memory.untouched(100 + length, length < 40_000 ? 40_000 - length : 1000);
        }
    }

    @Rule(
            id = "R22.09",
            since = 3,
            says = "reliable datagrams: RDMA write with immediate data takes a receive, which tells data and length"
                    + " when this write's bytes are there",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_RDMA_WRITE_WITH_IMM)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_WRITE, Capability.IMMEDIATE})
    default void r2209WriteImmediate(SrdRig rig) {
        rig.startSrd();
        rig.b.recv(1, 0, 100);
        rig.a.post(rig.remote(WrOpcode.RDMA_WRITE_WITH_IMM, 2, 0, 20_000, 3000).immData(0xcafebabe));
        WorkCompletion wc = rig.b.next(1, WcStatus.SUCCESS);
        rig.b.memory.holds(20_000, rig.a.memory, 0, 3000);
        rig.b.memory.untouched(0, 20_000);
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV_RDMA_WITH_IMM), WcOpcode.toString(wc.opcode()));
        Seen.equal("byteLen", 3000, wc.byteLen());
        Seen.equal("immData", Integer.toHexString(0xcafebabe), Integer.toHexString(wc.immData()));
        rig.a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.10",
            since = 3,
            says = "reliable datagrams: each request of a batch has its own address and key, and must have an address",
            look = {BUILT, POST},
            man = BUILDER + " (ibv_wr_set_ud_addr)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2210Batch(SrdRig rig) {
        rig.startSrd();
        Side c = rig.another(3);
        c.qp.modify(new QpAttr().qkey(Side.QKEY + 1));
        AddressHandle toC = rig.way(rig.a, c);
        rig.b.recv(1, 0, SLOT);
        c.recv(2, 0, SLOT);
        SendWorkRequest second = SrdRig.addressed(rig.a.wr(WrOpcode.SEND, 4, rig.a.sge(100, 40)), toC, c.qp)
                .remoteQkey(Side.QKEY + 1);
        Gathered.post(rig.a.qp.builder(), rig.message(3, 0, 30), second);
        Seen.equal("byteLen", 30, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        Seen.equal("byteLen", 40, c.next(2, WcStatus.SUCCESS).byteLen());
        Map<Long, WorkCompletion> sent = rig.a.all(2);
        SrdRig.ended(sent, 3, true);
        SrdRig.ended(sent, 4, true);
        SendWorkRequest nowhere = rig.a.wr(WrOpcode.SEND, 5, rig.a.sge(0, 10));
        Seen.errno(
                "complete of a batch with a request without an address",
                Errno.EINVAL,
                Gathered.complete(rig.a.qp.builder(), nowhere));
    }

    @Rule(
            id = "R22.11",
            since = 3,
            says = "reliable datagrams: the first completion after reqNotify makes an event, on either side, and the"
                    + " next one none",
            look = {"CompletionQueue.reqNotify", "ContextOps.getCqEvent"},
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.COMPLETION_EVENTS})
    default void r2211Events(SrdRig rig) {
        rig.startSrd(s -> s.withChannel = true);
        for (int round = 0; round < 3; round++) {
            Seen.errno("reqNotify", 0, rig.a.cq.reqNotify(false));
            Seen.errno("reqNotify", 0, rig.b.cq.reqNotify(false));
            rig.b.recv(2L * round, 0, SLOT);
            rig.b.recv(2L * round + 1, 0, SLOT);
            rig.a.post(rig.message(10, 0, SHORTEST));
            rig.tells(rig.b, "although a message followed reqNotify(false)");
            rig.tells(rig.a, "although a message was sent after reqNotify(false)");
            rig.a.next(10, WcStatus.SUCCESS);
            rig.b.next(2L * round, WcStatus.SUCCESS);
            rig.a.post(rig.message(11, 0, SHORTEST));
            rig.a.next(11, WcStatus.SUCCESS);
            rig.b.next(2L * round + 1, WcStatus.SUCCESS);
            CompletionQueue cq = rig.b.channel.getEvent(rig.kit.quiet().toNanos(), TimeUnit.NANOSECONDS);
            Seen.check(cq == null, "unexpected event for the second message after one reqNotify");
        }
    }

    @Rule(
            id = "R22.12",
            since = 3,
            says = "reliable datagrams: what is read one by one is what each message is, in whatever order",
            look = {"CompletionQueue.startPoll", "CompletionQueue.nextPoll"},
            man = "ibv_create_cq_ex(3), Polling an extended CQ",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.EXTENDED_CQ})
    default void r2212OneByOne(SrdRig rig) {
        rig.startSrd(s -> {
            s.extendedCq = true;
            s.wcFlags = WcExFlags.STANDARD;
        });
        for (int i = 0; i < MESSAGES; i++) {
            rig.b.recv(i, i * SLOT, SLOT);
            rig.a.post(rig.message(i, i * SHORTEST, 3 * SHORTEST + i));
        }
        BitSet seen = new BitSet();
        BitSet ids = new BitSet();
        long end = System.nanoTime() + rig.kit.patience().toNanos();
        while (ids.cardinality() < MESSAGES && System.nanoTime() < end) {
            int more = rig.b.cq.startPoll(null);
            boolean begun = more == 0;
            while (more == 0) {
                int i = rig.b.cq.readByteLen() - 3 * SHORTEST;
                Seen.check(i >= 0 && i < MESSAGES && !seen.get(i), "byteLen is " + rig.b.cq.readByteLen());
                Seen.check(!ids.get((int) rig.b.cq.wrId()), "wrId " + rig.b.cq.wrId() + " arrived twice");
                Seen.equal("srcQp", rig.a.qp.qpNum(), rig.b.cq.readSrcQp());
                Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(rig.b.cq.status()));
                rig.b.memory.holds((int) rig.b.cq.wrId() * SLOT, rig.a.memory, i * SHORTEST, 3 * SHORTEST + i);
                seen.set(i);
                ids.set((int) rig.b.cq.wrId());
                more = rig.b.cq.nextPoll();
            }
            Seen.errno("startPoll or nextPoll of a queue that was emptied", Errno.ENOENT, more);
            if (begun) {
                rig.b.cq.endPoll();
            }
        }
        Seen.equal("the number of messages", MESSAGES, seen.cardinality());
    }
}

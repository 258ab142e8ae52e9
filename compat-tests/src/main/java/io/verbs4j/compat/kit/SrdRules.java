/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
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
import java.util.function.Consumer;

/** R22: reliable datagrams without order, as the scalable reliable datagrams of EFA. What arrives, and what of it is told. */
abstract class SrdRules extends BuiltRules {
    static final String POST = "QueuePair.postSend";
    static final String POLL = "CompletionQueue.poll";
    static final String POST_MAN = "ibv_post_send(3), DESCRIPTION";
    static final String SRD = "efadv_create_qp_ex(3), DESCRIPTION (EFADV_QP_DRIVER_TYPE_SRD)";
    private static final int MESSAGES = 16;
    private static final int ROUNDS = 6;
    private static final int SLOTS = 20;
    private static final int SLOT = 2000;
    private static final int SHORTEST = 100;

    AddressHandle toA;
    AddressHandle toB;

    /** For {@link ProviderKit}. */
    SrdRules() {}

    /** Makes both sides, which have ways to each other: for reads and writes the side that is asked may need one, too. */
    void startSrd(Consumer<Side> settings) {
        make(settings.andThen(s -> s.qpType = QpType.DRIVER));
        a.unconnected(a.qp);
        b.unconnected(b.qp);
        toA = way(b, a);
        toB = way(a, b);
    }

    void startSrd() {
        startSrd(s -> {});
    }

    /** A third one. */
    Side another(int seed) {
        Side side = side(seed);
        side.qpType = QpType.DRIVER;
        side.create();
        side.unconnected(side.qp);
        return side;
    }

    AddressHandle way(Side from, Side to) {
        return made(AddressHandle.class, from.pd.createAh(to.path()));
    }

    static SendWorkRequest addressed(SendWorkRequest wr, AddressHandle way, QueuePair to) {
        return wr.ah(way).remoteQpn(to.qpNum()).remoteQkey(Side.QKEY);
    }

    /** A message to the other side. */
    SendWorkRequest message(long wrId, int offset, int length) {
        return addressed(a.wr(WrOpcode.SEND, wrId, a.sge(offset, length)), toB, b.qp);
    }

    /** An operation about the other side's memory. */
    SendWorkRequest remote(int opcode, long wrId, int offset, int offsetThere, int length) {
        return addressed(a.request(opcode, b, wrId, offsetThere, a.sge(offset, length)), toB, b.qp);
    }

    /** A message to a queue pair that is not there. */
    SendWorkRequest lost(long wrId) {
        return message(wrId, 0, 10).remoteQpn(b.qp.qpNum() + 1000 & 0xffff);
    }

    /** Checks that there is a completion of a request, and that it succeeded, or did not. */
    static WorkCompletion ended(Map<Long, WorkCompletion> all, long wrId, boolean well) {
        WorkCompletion wc = all.get(wrId);
        Seen.check(wc != null, "there is no completion of request " + wrId);
        Seen.check(
                well == (wc.status() == WcStatus.SUCCESS),
                "the status of completion " + wrId + " is " + WcStatus.toString(wc.status()) + ", which is "
                        + (well ? "an error" : "none"));
        return wc;
    }

    @Rule(
            id = "R22.01",
            since = 3,
            says =
                    "reliable datagrams: each message arrives once and whole, in whatever order, and each request completes once",
            look = {POST, POLL},
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2201Once() {
        startSrd(s -> s.maxWr = 32);
        for (int slot = 0; slot < SLOTS - MESSAGES; slot++) {
            b.recv(slot, slot * SLOT, SLOT); // more than are needed, so that there is room for what comes twice
        }
        int slot = SLOTS - MESSAGES;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < MESSAGES; i++, slot++) {
                b.recv(slot % SLOTS, slot % SLOTS * SLOT, SLOT);
            }
            for (int i = 0; i < MESSAGES; i++) {
                a.post(message(MESSAGES * round + i, i * SHORTEST + round, SHORTEST + i));
            }
            Map<Long, WorkCompletion> sent = a.all(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                WorkCompletion wc = ended(sent, (long) MESSAGES * round + i, true);
                Seen.equal("opcode", WcOpcode.toString(WcOpcode.SEND), WcOpcode.toString(wc.opcode()));
                Seen.equal("qpNum of the send", a.qp.qpNum(), wc.qpNum());
            }
            arrived(round);
        }
        a.nothing("when all that was posted had completed");
        b.nothing("when all that was sent had arrived");
    }

    /** Messages are told apart by their lengths. */
    private void arrived(int round) {
        BitSet seen = new BitSet();
        for (WorkCompletion wc : b.all(MESSAGES).values()) {
            Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(wc.opcode()));
            Seen.equal("qpNum of the receive", b.qp.qpNum(), wc.qpNum());
            int i = wc.byteLen() - SHORTEST;
            Seen.check(i >= 0 && i < MESSAGES, "byteLen is " + wc.byteLen() + ", and no message has that length");
            Seen.check(!seen.get(i), "message " + i + " has come twice");
            seen.set(i);
            b.memory.holds((int) wc.wrId() * SLOT, a.memory, i * SHORTEST + round, wc.byteLen());
        }
    }

    @Rule(
            id = "R22.02",
            since = 3,
            says = "reliable datagrams: a completion is of the request whose id it has, whatever the order",
            look = {POST, POLL},
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2202Ids() {
        startSrd();
        for (int i = 0; i < MESSAGES; i++) {
            b.recv(i, 0, SLOT);
        }
        for (int i = 0; i < MESSAGES; i++) {
            a.post(i % 3 == 1 ? lost(i) : message(i, 0, SHORTEST));
        }
        Map<Long, WorkCompletion> sent = a.all(MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            ended(sent, i, i % 3 != 1);
        }
    }

    @Rule(
            id = "R22.03",
            since = 3,
            says = "reliable datagrams: one queue pair reaches many peers, and who receives is told who has sent",
            look = {POST, POLL, "ContextOps.createAh"},
            man = POST_MAN + " (wr.ud); ibv_poll_cq(3) (src_qp)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2203Peers() {
        startSrd();
        Side c = another(3);
        AddressHandle toC = way(a, c);
        b.recv(1, 0, SLOT);
        c.recv(2, 0, SLOT);
        a.post(message(10, 0, 50));
        a.post(addressed(a.wr(WrOpcode.SEND, 11, a.sge(100, 77)), toC, c.qp));
        from(a, b.next(1, WcStatus.SUCCESS), 50);
        from(a, c.next(2, WcStatus.SUCCESS), 77);
        b.memory.holds(0, a.memory, 0, 50);
        c.memory.holds(0, a.memory, 100, 77);
        Map<Long, WorkCompletion> sent = a.all(2);
        ended(sent, 10, true);
        ended(sent, 11, true);
        a.recv(3, 0, SLOT);
        b.post(addressed(b.wr(WrOpcode.SEND, 12, b.sge(0, 60)), toA, a.qp));
        from(b, a.next(3, WcStatus.SUCCESS), 60);
        a.recv(4, 0, SLOT);
        c.post(addressed(c.wr(WrOpcode.SEND, 13, c.sge(0, 61)), way(c, a), a.qp));
        from(c, a.next(4, WcStatus.SUCCESS), 61);
    }

    private static void from(Side sender, WorkCompletion wc, int length) {
        Seen.equal("byteLen of " + wc.wrId(), length, wc.byteLen());
        Seen.equal("srcQp of " + wc.wrId(), sender.qp.qpNum(), wc.srcQp());
    }

    @Rule(
            id = "R22.04",
            since = 3,
            says = "reliable datagrams: each message has immediate data of its own",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_SEND_WITH_IMM)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.IMMEDIATE})
    final void r2204Immediate() {
        startSrd();
        for (int i = 0; i < MESSAGES; i++) {
            b.recv(i, 0, SLOT);
            a.post(message(i, 0, 2 * SHORTEST + i)
                    .opcode(WrOpcode.SEND_WITH_IMM)
                    .immData(0xcafe0000 + i));
        }
        for (WorkCompletion wc : b.all(MESSAGES).values()) {
            Seen.check((wc.wcFlags() & WcFlags.WITH_IMM) != 0, "wcFlags lacks WITH_IMM");
            String expected = Integer.toHexString(0xcafe0000 + wc.byteLen() - 2 * SHORTEST);
            Seen.equal("immData", expected, Integer.toHexString(wc.immData()));
        }
        a.all(MESSAGES);
        b.recv(1, 0, SLOT);
        a.post(message(99, 0, 10));
        Seen.check((b.next(1, WcStatus.SUCCESS).wcFlags() & WcFlags.WITH_IMM) == 0, "wcFlags has WITH_IMM without any");
    }

    @Rule(
            id = "R22.05",
            since = 3,
            says = "reliable datagrams: pieces of memory are gathered and scattered in their order",
            look = {POST, "QueuePair.postRecv"},
            man = POST_MAN + " (sg_list)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2205Pieces() {
        startSrd(s -> s.maxSge = 2);
        Seen.errno(
                "postRecv",
                0,
                b.qp.postRecv(new RecvWorkRequest().wrId(1).sgList(b.sge(10, 300), b.sge(20_000, SLOT))));
        a.post(addressed(a.wr(WrOpcode.SEND, 2, a.sge(0, 700), a.sge(5000, 100)), toB, b.qp));
        Seen.equal("byteLen", 800, b.next(1, WcStatus.SUCCESS).byteLen());
        a.next(2, WcStatus.SUCCESS);
        b.memory.holds(10, a.memory, 0, 300);
        b.memory.holds(20_000, a.memory, 300, 400);
        b.memory.holds(20_400, a.memory, 5000, 100);
        b.memory.untouched(20_500, 1000);
    }

    @Rule(
            id = "R22.06",
            since = 3,
            says = "reliable datagrams: inline data is taken at the post, as much as the queue pair has room for",
            look = POST,
            man = POST_MAN + " (IBV_SEND_INLINE)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.INLINE})
    final void r2206Inline() {
        startSrd(s -> s.maxInline = 32);
        b.recv(1, 0, SLOT);
        a.post(message(2, 64, 32).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
        for (int i = 64; i < 96; i++) {
            a.memory.buffer.put(i, (byte) ~a.memory.buffer.get(i));
        }
        Seen.equal("byteLen", 32, b.next(1, WcStatus.SUCCESS).byteLen());
        b.memory.holds(0, a.memory, 64, 32);
        a.next(2, WcStatus.SUCCESS);
        int room = capOf(a).maxInlineData();
        SendWorkRequest more = message(3, 0, room + 1).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        Seen.errno("postSend of " + (room + 1) + " bytes of inline data", Errno.EINVAL, a.qp.postSend(more));
    }

    @Rule(
            id = "R22.07",
            since = 3,
            says =
                    "reliable datagrams: RDMA write has put the bytes where it is told when it completes, and nothing beside them",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_RDMA_WRITE)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_WRITE})
    final void r2207Write() {
        startSrd();
        for (int length : new int[] {0, 1, 4096, 5000, 40_000}) {
            a.post(remote(WrOpcode.RDMA_WRITE, length, 7, 100, length));
            WorkCompletion wc = a.next(length, WcStatus.SUCCESS);
            Seen.equal("opcode", WcOpcode.toString(WcOpcode.RDMA_WRITE), WcOpcode.toString(wc.opcode()));
            b.memory.holds(100, a.memory, 7, length);
            b.memory.untouched(0, 100);
            b.memory.untouched(100 + length, length < 40_000 ? 40_000 - length : 1000);
        }
    }

    @Rule(
            id = "R22.08",
            since = 3,
            says = "reliable datagrams: RDMA read has fetched the bytes when it completes, and nothing beside them",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_RDMA_READ)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_READ})
    final void r2208Read() {
        startSrd();
        for (int length : new int[] {1, 4096, 5000, 40_000}) {
            a.post(remote(WrOpcode.RDMA_READ, length, 100, 7, length));
            a.next(length, WcStatus.SUCCESS);
            a.memory.holds(100, b.memory, 7, length);
            a.memory.untouched(0, 100);
            a.memory.untouched(100 + length, length < 40_000 ? 40_000 - length : 1000);
        }
    }

    @Rule(
            id = "R22.09",
            since = 3,
            says =
                    "reliable datagrams: RDMA write with immediate data takes a receive, which tells data and length when this write's bytes are there",
            look = {POST, POLL},
            man = POST_MAN + " (IBV_WR_RDMA_WRITE_WITH_IMM)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_WRITE, Capability.IMMEDIATE})
    final void r2209WriteImmediate() {
        startSrd();
        b.recv(1, 0, 100);
        a.post(remote(WrOpcode.RDMA_WRITE_WITH_IMM, 2, 0, 20_000, 3000).immData(0xcafebabe));
        WorkCompletion wc = b.next(1, WcStatus.SUCCESS);
        b.memory.holds(20_000, a.memory, 0, 3000);
        b.memory.untouched(0, 20_000);
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV_RDMA_WITH_IMM), WcOpcode.toString(wc.opcode()));
        Seen.equal("byteLen", 3000, wc.byteLen());
        Seen.equal("immData", Integer.toHexString(0xcafebabe), Integer.toHexString(wc.immData()));
        a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.10",
            since = 3,
            says = "reliable datagrams: each request of a batch has its own address and key, and must have an address",
            look = {BUILT, POST},
            man = BUILDER + " (ibv_wr_set_ud_addr)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2210Batch() {
        startSrd();
        Side c = another(3);
        c.qp.modify(new QpAttr().qkey(Side.QKEY + 1));
        AddressHandle toC = way(a, c);
        b.recv(1, 0, SLOT);
        c.recv(2, 0, SLOT);
        SendWorkRequest second =
                addressed(a.wr(WrOpcode.SEND, 4, a.sge(100, 40)), toC, c.qp).remoteQkey(Side.QKEY + 1);
        Gathered.post(a.qp.builder(), message(3, 0, 30), second);
        Seen.equal("byteLen", 30, b.next(1, WcStatus.SUCCESS).byteLen());
        Seen.equal("byteLen", 40, c.next(2, WcStatus.SUCCESS).byteLen());
        Map<Long, WorkCompletion> sent = a.all(2);
        ended(sent, 3, true);
        ended(sent, 4, true);
        SendWorkRequest nowhere = a.wr(WrOpcode.SEND, 5, a.sge(0, 10));
        Seen.errno(
                "complete of a batch with a request without an address",
                Errno.EINVAL,
                Gathered.complete(a.qp.builder(), nowhere));
    }

    @Rule(
            id = "R22.11",
            since = 3,
            says =
                    "reliable datagrams: the first completion after reqNotify makes an event, on either side, and the next one none",
            look = {"CompletionQueue.reqNotify", "ContextOps.getCqEvent"},
            man = "ibv_req_notify_cq(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.COMPLETION_EVENTS})
    final void r2211Events() {
        startSrd(s -> s.withChannel = true);
        for (int round = 0; round < 3; round++) {
            Seen.errno("reqNotify", 0, a.cq.reqNotify(false));
            Seen.errno("reqNotify", 0, b.cq.reqNotify(false));
            b.recv(2L * round, 0, SLOT);
            b.recv(2L * round + 1, 0, SLOT);
            a.post(message(10, 0, SHORTEST));
            tells(b, "though a message came after reqNotify(false)");
            tells(a, "though a message was sent after reqNotify(false)");
            a.next(10, WcStatus.SUCCESS);
            b.next(2L * round, WcStatus.SUCCESS);
            a.post(message(11, 0, SHORTEST));
            a.next(11, WcStatus.SUCCESS);
            b.next(2L * round + 1, WcStatus.SUCCESS);
            CompletionQueue cq = b.channel.getEvent(quiet().toNanos(), TimeUnit.NANOSECONDS);
            Seen.check(cq == null, "there is an event for the second message after one reqNotify");
        }
    }

    private void tells(Side side, String otherwise) {
        CompletionQueue cq = side.channel.getEvent(patience().toNanos(), TimeUnit.NANOSECONDS);
        Seen.check(cq != null, "no event " + otherwise);
        Seen.check(cq == side.cq, "the event is about another completion queue");
        cq.ackEvents(1);
    }

    @Rule(
            id = "R22.12",
            since = 3,
            says = "reliable datagrams: what is read one by one is what each message is, in whatever order",
            look = {"CompletionQueue.startPoll", "CompletionQueue.nextPoll"},
            man = "ibv_create_cq_ex(3), Polling an extended CQ",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.EXTENDED_CQ})
    final void r2212OneByOne() {
        startSrd(s -> {
            s.extendedCq = true;
            s.wcFlags = WcExFlags.STANDARD;
        });
        for (int i = 0; i < MESSAGES; i++) {
            b.recv(i, i * SLOT, SLOT);
            a.post(message(i, i * SHORTEST, 3 * SHORTEST + i));
        }
        BitSet seen = new BitSet();
        BitSet ids = new BitSet();
        long end = System.nanoTime() + patience().toNanos();
        while (ids.cardinality() < MESSAGES && System.nanoTime() < end) {
            int more = b.cq.startPoll(null);
            boolean begun = more == 0;
            while (more == 0) {
                int i = b.cq.readByteLen() - 3 * SHORTEST;
                Seen.check(i >= 0 && i < MESSAGES && !seen.get(i), "byteLen is " + b.cq.readByteLen());
                Seen.check(!ids.get((int) b.cq.wrId()), "wrId " + b.cq.wrId() + " has come twice");
                Seen.equal("srcQp", a.qp.qpNum(), b.cq.readSrcQp());
                Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(b.cq.status()));
                b.memory.holds((int) b.cq.wrId() * SLOT, a.memory, i * SHORTEST, 3 * SHORTEST + i);
                seen.set(i);
                ids.set((int) b.cq.wrId());
                more = b.cq.nextPoll();
            }
            Seen.errno("startPoll or nextPoll of a queue that was emptied", Errno.ENOENT, more);
            if (begun) {
                b.cq.endPoll();
            }
        }
        Seen.equal("the number of messages", MESSAGES, seen.cardinality());
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.SrdErrorRig.LONGEST;
import static io.verbs4j.compat.kit.SrdErrorRig.NO_KEY;
import static io.verbs4j.compat.kit.SrdRig.POLL;
import static io.verbs4j.compat.kit.SrdRig.POST;
import static io.verbs4j.compat.kit.SrdRig.SRD;
import static io.verbs4j.compat.kit.Unknown.NO_OPCODE;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** R22 again: errors concern one request only; what is refused; states and sizes. */
interface SrdErrorRules {
    @Rule(
            id = "R22.13",
            since = 3,
            says = "reliable datagrams: a send queue that is full answers ENOMEM, tells which request did not fit,"
                    + " and sends the others",
            look = POST,
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.RNR})
    default void r2213Full(SrdRig rig) {
        rig.startSrd(s -> s.maxWr = 4);
        int room = Rig.capOf(rig.a).maxSendWr();
        SendWorkRequest list = null;
        for (int i = room; i >= 0; i--) { // nothing is received yet, so nothing completes
            list = rig.message(i, 0, 10).next(list);
        }
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Seen.errno("postSend of one request more than fits", Errno.ENOMEM, rig.a.qp.postSend(list, bad));
        Seen.check(
                bad[0] != null && bad[0].wrId() == room,
                "badWr[0] is " + (bad[0] == null ? "null" : "request " + bad[0].wrId()) + ", not request " + room);
        for (int i = 0; i < room; i++) {
            rig.b.recv(i, 0, 10);
            rig.b.next(i, WcStatus.SUCCESS);
        }
        Map<Long, WorkCompletion> sent = rig.a.all(room);
        for (int i = 0; i < room; i++) {
            SrdRig.ended(sent, i, true);
        }
    }

    @Rule(
            id = "R22.14",
            since = 3,
            says = "reliable datagrams: an error is one request's: the queue pair stays as it is, and sends what was"
                    + " posted behind",
            look = {POST, "ContextOps.queryQp"},
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2214OneRequest(SrdErrorRig rig) {
        rig.startSrd();
        for (int round = 0; round < 3; round++) {
            rig.b.recv(1, 0, 100);
            rig.b.recv(2, 100, 100);
            rig.a.post(rig.lost(10).next(rig.message(11, 0, 100).next(rig.message(12, 100, 100))));
            Map<Long, WorkCompletion> sent = rig.a.all(3);
            SrdRig.ended(sent, 10, false);
            SrdRig.ended(sent, 11, true);
            SrdRig.ended(sent, 12, true);
            rig.b.all(2);
            rig.stillSends("a message to a queue pair that does not exist");
        }
    }

    @Rule(
            id = "R22.15",
            since = 3,
            says = "reliable datagrams: a message whose receiver is not ready waits for it, and holds up no other",
            look = POST,
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.RNR})
    default void r2215HoldsUpNobody(SrdRig rig) {
        rig.startSrd();
        Side c = rig.another(3);
        AddressHandle toC = rig.way(rig.a, c);
        for (int i = 0; i < 4; i++) {
            c.recv(i, 0, 100);
            rig.a.post(rig.message(10 + i, i * 100, 100));
            rig.a.post(SrdRig.addressed(rig.a.wr(WrOpcode.SEND, 20 + i, rig.a.sge(0, 50)), toC, c.qp));
        }
        c.all(4);
        Map<Long, WorkCompletion> sent = rig.a.all(4);
        for (int i = 0; i < 4; i++) {
            SrdRig.ended(sent, 20 + i, true);
        }
        rig.a.nothing("although no receive was posted for it");
        for (int i = 0; i < 4; i++) {
            rig.b.recv(i, i * 1000, 100);
        }
        rig.b.all(4);
        sent = rig.a.all(4);
        for (int i = 0; i < 4; i++) {
            SrdRig.ended(sent, 10 + i, true);
        }
    }

    @Rule(
            id = "R22.16",
            since = 3,
            says = "reliable datagrams: with rnrRetry 0 a receiver that is not ready fails that message, with"
                    + " RNR_RETRY_EXC_ERR",
            look = {POST, "ContextOps.modifyQp"},
            man = "ibv_modify_qp(3), DESCRIPTION (rnr_retry)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.RNR})
    default void r2216NotReady(SrdErrorRig rig) {
        rig.startSrd(s -> s.rnrRetry = 0);
        Side c = rig.another(3);
        rig.a.post(rig.message(1, 0, 10));
        rig.a.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        rig.a.post(SrdRig.addressed(rig.a.wr(WrOpcode.SEND, 2, rig.a.sge(0, 10)), rig.way(rig.a, c), c.qp));
        rig.a.next(2, WcStatus.RNR_RETRY_EXC_ERR);
        rig.stillSends("two messages without receives");
    }

    @Rule(
            id = "R22.17",
            since = 3,
            says = "reliable datagrams: a receive that is too small fails the message with REM_INV_REQ_ERR, keeps"
                    + " what is beyond it, and both sides go on",
            look = {POST, "QueuePair.postRecv"},
            man = "ibv_poll_cq(3) (IBV_WC_REM_INV_REQ_ERR)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2217TooSmall(SrdRig rig) {
        rig.startSrd();
        rig.b.recv(1, 0, 100);
        rig.a.post(rig.message(2, 0, 333));
        rig.a.next(2, WcStatus.REM_INV_REQ_ERR);
        rig.b.memory.untouched(100, 1000);
        rig.b.recv(3, 5000, 2000);
        rig.a.post(rig.message(4, 100, 80));
        WorkCompletion wc = rig.b.next();
        if (wc.wrId() == 1 && wc.status() != WcStatus.SUCCESS) { // the device has consumed it, and reports that
            Seen.equal(
                    "status of the receive", WcStatus.toString(WcStatus.LOC_LEN_ERR), WcStatus.toString(wc.status()));
            wc = rig.b.next();
        }
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
        Seen.equal("byteLen", 80, wc.byteLen());
        rig.b.memory.holds(wc.wrId() == 1 ? 0 : 5000, rig.a.memory, 100, 80);
        rig.a.next(4, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.18",
            since = 3,
            says = "reliable datagrams: a message with another Q_Key takes no receive, and its sender learns that it"
                    + " has not arrived",
            look = {POST, "ContextOps.modifyQp"},
            man = "ibv_modify_qp(3), DESCRIPTION (qkey)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2218Qkey(SrdRig rig) {
        rig.startSrd();
        rig.b.recv(1, 0, 2000);
        rig.a.post(rig.message(2, 0, 10).remoteQkey(Side.QKEY + 1));
        SrdRig.ended(rig.a.all(1), 2, false);
        rig.a.post(rig.message(3, 0, 11));
        Seen.equal(
                "byteLen of the first message that arrived",
                11,
                rig.b.next(1, WcStatus.SUCCESS).byteLen());
        rig.a.next(3, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.19",
            since = 3,
            says = "reliable datagrams: a message is as long as maxMsgSz of the port, and not longer",
            look = {POST, "ContextOps.queryPort"},
            man = "ibv_query_port(3), DESCRIPTION (max_msg_sz)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2219Longest(SrdRig rig) {
        rig.startSrd();
        long told = rig.a.context.queryPort(rig.a.port).maxMsgSz();
        Assumptions.assumeTrue(
                told < LONGEST, "R22.19 needs a message of " + told + " bytes, but sends at most 16 MiB");
        int most = (int) told;
        ByteBuffer from = ByteBuffer.allocateDirect(most + 1);
        ByteBuffer to = ByteBuffer.allocateDirect(most + 1);
        from.put(0, (byte) 17).put(most - 1, (byte) 18);
        ScatterGatherElement room = ScatterGatherElement.of(rig.b.region(to, AccessFlags.LOCAL_WRITE), 0, most + 1);
        ScatterGatherElement data = ScatterGatherElement.of(rig.a.region(from, AccessFlags.LOCAL_WRITE), 0, most + 1);
        rig.b.recv(rig.b.receive(1, 0, 0).sgList(room));
        int refused = rig.a.qp.postSend(rig.message(2, 0, 0).sgList(data));
        if (refused == 0) {
            rig.a.next(2, WcStatus.LOC_LEN_ERR);
        } else {
            Seen.errno("postSend of one byte more than maxMsgSz", Errno.EINVAL, refused);
        }
        rig.a.post(rig.message(3, 0, 0).sgList(data.length(most)));
        Seen.equal("byteLen", most, rig.b.next(1, WcStatus.SUCCESS).byteLen());
        Seen.check(to.get(0) == 17 && to.get(most - 1) == 18, "the message did not arrive whole");
        rig.a.next(3, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.20",
            since = 3,
            says = "reliable datagrams: a write with a wrong key, beyond the region or without its right fails"
                    + " alone, and writes nothing",
            look = POST,
            man = "ibv_poll_cq(3) (IBV_WC_REM_ACCESS_ERR)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_WRITE, Capability.REGION_KEYS})
    default void r2220BadWrites(SrdErrorRig rig) {
        rig.badRemotes(WrOpcode.RDMA_WRITE, rig.has(Capability.RDMA_READ) ? AccessFlags.REMOTE_READ : 0);
    }

    @Rule(
            id = "R22.21",
            since = 3,
            says = "reliable datagrams: a read with a wrong key, beyond the region or without its right fails alone,"
                    + " and fetches nothing",
            look = POST,
            man = "ibv_poll_cq(3) (IBV_WC_REM_ACCESS_ERR)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_READ, Capability.REGION_KEYS})
    default void r2221BadReads(SrdErrorRig rig) {
        rig.badRemotes(WrOpcode.RDMA_READ, rig.has(Capability.RDMA_WRITE) ? AccessFlags.REMOTE_WRITE : 0);
    }

    @Rule(
            id = "R22.22",
            since = 3,
            says = "reliable datagrams: a read from who has no address handle to the reader completes, if only with"
                    + " an error, and once there is one succeeds",
            look = {POST, "ContextOps.createAh", "ContextOps.destroyAh"},
            man = "efadv_create_qp_ex(3), and ibv_create_ah(3)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_READ})
    default void r2222WayBack(SrdRig rig) {
        rig.startSrd();
        rig.toA.close();
        rig.a.post(rig.remote(WrOpcode.RDMA_READ, 1, 100, 0, 200));
        Seen.equal("wrId of the completion", 1L, rig.a.next().wrId());
        rig.toA = rig.way(rig.b, rig.a);
        rig.a.post(rig.remote(WrOpcode.RDMA_READ, 2, 1000, 0, 200));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.memory.holds(1000, rig.b.memory, 0, 200);
    }

    @Rule(
            id = "R22.23",
            since = 3,
            says = "reliable datagrams: a local key that does not fit fails each operation with LOC_PROT_ERR",
            look = POST,
            man = "ibv_poll_cq(3) (IBV_WC_LOC_PROT_ERR)",
            needs = Capability.RELIABLE_DATAGRAMS)
    default void r2223LocalKey(SrdErrorRig rig) {
        for (Operation operation : rig.operations()) {
            rig.startSrd();
            if (rig.hasReceives()) {
                rig.b.recv(9, 0, 2000);
            }
            SendWorkRequest wr = rig.remote(operation.opcode, 1, 100, 0, 200);
            wr.sgList(rig.a.sge(100, 200).lkey(rig.a.mr.lkey() ^ NO_KEY));
            rig.a.post(wr);
            rig.a.next(1, WcStatus.LOC_PROT_ERR);
            rig.b.memory.untouched(0, 2000);
        }
    }

    @Rule(
            id = "R22.24",
            since = 3,
            says = "reliable datagrams: a request without address handle, with too many pieces or with a fence is"
                    + " refused at the post, and an operation that there is not answers EOPNOTSUPP",
            look = POST,
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2224Refused(SrdErrorRig rig) {
        rig.startSrd();
        Seen.errno(
                "postSend without an address handle",
                Errno.EINVAL,
                rig.a.qp.postSend(rig.message(1, 0, 10).ah(null)));
        int fenced = rig.a.qp.postSend(rig.message(2, 0, 10).sendFlags(SendFlags.SIGNALED | SendFlags.FENCE));
        Seen.check(fenced != 0, "postSend with FENCE returned 0, although there is no order to keep");
        ScatterGatherElement[] many = new ScatterGatherElement[Rig.capOf(rig.a).maxSendSge() + 1];
        Arrays.fill(many, rig.a.sge(0, 1));
        Seen.errno(
                "postSend of " + many.length + " pieces",
                Errno.EINVAL,
                rig.a.qp.postSend(rig.message(3, 0, 1).sgList(many)));
        Seen.errno(
                "postSend of operation 99",
                Errno.EOPNOTSUPP,
                rig.a.qp.postSend(rig.message(4, 0, 8).opcode(NO_OPCODE)));
        for (Operation operation : Operation.values()) {
            if (!rig.operations().contains(operation)) {
                Seen.errno(
                        "postSend of " + operation,
                        Errno.EOPNOTSUPP,
                        rig.a.qp.postSend(rig.remote(operation.opcode, 5, 0, 0, 8)));
            }
        }
        rig.a.nothing("of a refused request");
        rig.stillSends("refused requests");
    }

    @Rule(
            id = "R22.25",
            since = 3,
            says = "reliable datagrams: nothing is sent before RTS, nothing received in RESET; query tells state and"
                    + " Q_Key",
            look = {POST, "QueuePair.postRecv", "ContextOps.modifyQp", "ContextOps.queryQp"},
            man = "ibv_modify_qp(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2225States(SrdErrorRig rig) {
        rig.make(s -> s.qpType = QpType.DRIVER);
        rig.toB = rig.way(rig.a, rig.b);
        rig.toA = rig.way(rig.b, rig.a);
        rig.b.unconnected(rig.b.qp);
        rig.state(QpState.RESET);
        Seen.errno("postRecv in state RESET", Errno.EINVAL, rig.a.qp.postRecv(rig.a.receive(1, 40_000, 100)));
        rig.a.toInit(rig.a.qp);
        rig.state(QpState.INIT);
        Seen.errno("postSend in state INIT", Errno.EINVAL, rig.a.qp.postSend(rig.message(1, 0, 10)));
        Seen.errno("postRecv in state INIT", 0, rig.a.qp.postRecv(rig.a.receive(1, 40_000, 100)));
        rig.a.toRtr(rig.a.qp, rig.a, 0, 0);
        rig.state(QpState.RTR);
        Seen.errno("postSend in state RTR", Errno.EINVAL, rig.a.qp.postSend(rig.message(1, 0, 10)));
        rig.b.post(SrdRig.addressed(rig.b.wr(WrOpcode.SEND, 2, rig.b.sge(0, 30)), rig.toA, rig.a.qp));
        Seen.equal("byteLen", 30, rig.a.next(1, WcStatus.SUCCESS).byteLen());
        rig.b.next(2, WcStatus.SUCCESS);
        rig.a.toRts(rig.a.qp, 1);
        int asked = QpAttrMask.STATE | QpAttrMask.QKEY;
        Seen.equal("qkey of query", Side.QKEY, rig.a.qp.query(asked).qkey());
        rig.stillSends("modify to RTS");
    }

    @Rule(
            id = "R22.26",
            since = 3,
            says = "reliable datagrams: state ERR flushes what was posted; from RESET the queue pair can be used again",
            look = {"ContextOps.modifyQp", POLL},
            man = "ibv_modify_qp(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2226Flush(SrdErrorRig rig) {
        rig.startSrd();
        for (int i = 0; i < 5; i++) {
            rig.a.recv(i, 0, 100);
        }
        Rig.fail(rig.a);
        Map<Long, WorkCompletion> flushed = rig.a.all(5);
        for (long i = 0; i < 5; i++) {
            int status = SrdRig.ended(flushed, i, false).status();
            Seen.equal("status", WcStatus.toString(WcStatus.WR_FLUSH_ERR), WcStatus.toString(status));
        }
        rig.state(QpState.ERR);
        rig.a.qp.modify(new QpAttr().qpState(QpState.RESET));
        rig.state(QpState.RESET);
        rig.a.unconnected(rig.a.qp);
        rig.stillSends("RESET");
    }

    @Rule(
            id = "R22.27",
            since = 3,
            says = "reliable datagrams: completions of a queue pair that is destroyed vanish with it, those of"
                    + " others on the same queue stay",
            look = {"ContextOps.destroyQp", POLL},
            man = "ibv_destroy_qp(3), and the Javadoc of QueuePair.close",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2227Destroyed(SrdErrorRig rig) {
        rig.startSrd();
        QueuePair other = rig.a.anotherQp();
        rig.a.unconnected(other);
        for (int i = 0; i < 8; i++) {
            rig.b.recv(i, 0, 100);
            SendWorkRequest wr = rig.message(i, 0, 50);
            Seen.errno("postSend", 0, i % 2 == 0 ? other.postSend(wr) : rig.a.qp.postSend(wr));
        }
        rig.b.all(8);
        rig.a.pause();
        rig.abandon(other);
        other.close();
        Map<Long, WorkCompletion> left = rig.a.all(4);
        for (int i = 1; i < 8; i += 2) {
            Seen.equal(
                    "qpNum of completion " + i,
                    rig.a.qp.qpNum(),
                    SrdRig.ended(left, i, true).qpNum());
        }
        rig.a.nothing("of a queue pair that was destroyed");
        rig.stillSends("another queue pair was destroyed");
    }

    @Rule(
            id = "R22.28",
            since = 3,
            says = "reliable datagrams: operations that will be posted are judged when the queue pair is made",
            look = {"the function in the slot CREATE_QP_EX"},
            man = "ibv_create_qp_ex(3) (send_ops_flags), and the Javadoc of QpInitAttrEx.sendOpsFlags",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.EXTENDED, Capability.SEND_OPS})
    default void r2228SendOps(SrdErrorRig rig) {
        rig.startSrd();
        long able = 0;
        for (Operation operation : Operation.values()) {
            if (rig.operations().contains(operation)) {
                able |= operation.bit;
            } else {
                rig.refused(operation.bit);
            }
        }
        rig.refused(1L << 40);
        rig.a.qp = rig.opened(rig.a.context.createQpEx(rig.with(able)));
        rig.a.unconnected(rig.a.qp);
        rig.stillSends("createQpEx");
    }

    @Rule(
            id = "R22.29",
            since = 3,
            says = "reliable datagrams: a queue pair has at least the capacities asked for, takes as many receives,"
                    + " and tells them",
            look = {"ContextOps.createQp", "QueuePair.postRecv"},
            man = "ibv_create_qp(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    default void r2229Capacities(SrdErrorRig rig) {
        rig.startSrd();
        QpInitAttr attr = rig.a.qpInit();
        attr.cap(new QpCap().maxSendWr(5).maxRecvWr(6).maxSendSge(1).maxRecvSge(2));
        rig.a.qp = rig.opened(rig.a.pd.createQp(attr));
        Seen.atLeast("cap().maxSendWr after createQp", 5, attr.cap().maxSendWr());
        Seen.atLeast("cap().maxRecvWr after createQp", 6, attr.cap().maxRecvWr());
        Seen.atLeast("cap().maxRecvSge after createQp", 2, attr.cap().maxRecvSge());
        QpCap told = Rig.capOf(rig.a);
        Seen.equal("cap().maxSendWr of query", attr.cap().maxSendWr(), told.maxSendWr());
        Seen.equal("cap().maxRecvWr of query", attr.cap().maxRecvWr(), told.maxRecvWr());
        rig.a.unconnected(rig.a.qp);
        for (int i = 0; i < told.maxRecvWr(); i++) {
            Seen.errno("postRecv of request " + i, 0, rig.a.qp.postRecv(rig.pieces(i)));
        }
        Seen.errno("postRecv of one request more than fits", Errno.ENOMEM, rig.a.qp.postRecv(rig.pieces(99)));
    }
}

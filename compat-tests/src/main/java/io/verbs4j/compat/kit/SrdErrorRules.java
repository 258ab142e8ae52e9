/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** R22 again: what goes wrong is one request's; what is refused; states and sizes. */
abstract class SrdErrorRules extends SrdRules {
    private static final int NO_KEY = 0x5a00;
    private static final int NO_OPCODE = 99;
    private static final int LONGEST = 1 << 24;

    /** For {@link ProviderKit}. */
    SrdErrorRules() {}

    private void stillSends(String after) {
        Seen.equal("the state after " + after, QpState.toString(QpState.RTS), QpState.toString(a.state()));
        b.recv(900, 30_000, 2000);
        a.post(message(901, 0, 200));
        Seen.equal("byteLen after " + after, 200, b.next(900, WcStatus.SUCCESS).byteLen());
        a.next(901, WcStatus.SUCCESS);
        b.memory.holds(30_000, a.memory, 0, 200);
    }

    @Rule(
            id = "R22.13",
            since = 3,
            says =
                    "reliable datagrams: a send queue that is full answers ENOMEM, tells which request did not fit, and sends the others",
            look = POST,
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.RNR})
    final void r2213Full() {
        startSrd(s -> s.maxWr = 4);
        int room = capOf(a).maxSendWr();
        SendWorkRequest list = null;
        for (int i = room; i >= 0; i--) { // nothing is received yet, so nothing completes
            list = message(i, 0, 10).next(list);
        }
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Seen.errno("postSend of one more than fit", Errno.ENOMEM, a.qp.postSend(list, bad));
        Seen.check(
                bad[0] != null && bad[0].wrId() == room,
                "badWr[0] is " + (bad[0] == null ? "null" : "request " + bad[0].wrId()) + ", not request " + room);
        for (int i = 0; i < room; i++) {
            b.recv(i, 0, 10);
            b.next(i, WcStatus.SUCCESS);
        }
        Map<Long, WorkCompletion> sent = a.all(room);
        for (int i = 0; i < room; i++) {
            ended(sent, i, true);
        }
    }

    @Rule(
            id = "R22.14",
            since = 3,
            says =
                    "reliable datagrams: an error is one request's: the queue pair stays as it is, and sends what was posted behind",
            look = {POST, "ContextOps.queryQp"},
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2214OneRequest() {
        startSrd();
        for (int round = 0; round < 3; round++) {
            b.recv(1, 0, 100);
            b.recv(2, 100, 100);
            a.post(lost(10).next(message(11, 0, 100).next(message(12, 100, 100))));
            Map<Long, WorkCompletion> sent = a.all(3);
            ended(sent, 10, false);
            ended(sent, 11, true);
            ended(sent, 12, true);
            b.all(2);
            stillSends("a message to a queue pair that is not there");
        }
    }

    @Rule(
            id = "R22.15",
            since = 3,
            says = "reliable datagrams: a message whose receiver is not ready waits for it, and holds up no other",
            look = POST,
            man = SRD,
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.RNR})
    final void r2215HoldsUpNobody() {
        startSrd();
        Side c = another(3);
        AddressHandle toC = way(a, c);
        for (int i = 0; i < 4; i++) {
            c.recv(i, 0, 100);
            a.post(message(10 + i, i * 100, 100));
            a.post(addressed(a.wr(WrOpcode.SEND, 20 + i, a.sge(0, 50)), toC, c.qp));
        }
        c.all(4);
        Map<Long, WorkCompletion> sent = a.all(4);
        for (int i = 0; i < 4; i++) {
            ended(sent, 20 + i, true);
        }
        a.nothing("though nothing was posted to receive it");
        for (int i = 0; i < 4; i++) {
            b.recv(i, i * 1000, 100);
        }
        b.all(4);
        sent = a.all(4);
        for (int i = 0; i < 4; i++) {
            ended(sent, 10 + i, true);
        }
    }

    @Rule(
            id = "R22.16",
            since = 3,
            says =
                    "reliable datagrams: with rnrRetry 0 a receiver that is not ready fails that message, with RNR_RETRY_EXC_ERR",
            look = {POST, "ContextOps.modifyQp"},
            man = "ibv_modify_qp(3), DESCRIPTION (rnr_retry)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.RNR})
    final void r2216NotReady() {
        startSrd(s -> s.rnrRetry = 0);
        Side c = another(3);
        a.post(message(1, 0, 10));
        a.next(1, WcStatus.RNR_RETRY_EXC_ERR);
        a.post(addressed(a.wr(WrOpcode.SEND, 2, a.sge(0, 10)), way(a, c), c.qp));
        a.next(2, WcStatus.RNR_RETRY_EXC_ERR);
        stillSends("two messages that nobody received");
    }

    @Rule(
            id = "R22.17",
            since = 3,
            says =
                    "reliable datagrams: a receive that is too small fails the message with REM_INV_REQ_ERR, keeps what is beyond it, and both sides go on",
            look = {POST, "QueuePair.postRecv"},
            man = "ibv_poll_cq(3) (IBV_WC_REM_INV_REQ_ERR)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2217TooSmall() {
        startSrd();
        b.recv(1, 0, 100);
        a.post(message(2, 0, 333));
        a.next(2, WcStatus.REM_INV_REQ_ERR);
        b.memory.untouched(100, 1000);
        b.recv(3, 5000, 2000);
        a.post(message(4, 100, 80));
        WorkCompletion wc = b.next();
        if (wc.wrId() == 1 && wc.status() != WcStatus.SUCCESS) { // the device has used it up, and says so
            Seen.equal(
                    "status of the receive", WcStatus.toString(WcStatus.LOC_LEN_ERR), WcStatus.toString(wc.status()));
            wc = b.next();
        }
        Seen.equal("status", WcStatus.toString(WcStatus.SUCCESS), WcStatus.toString(wc.status()));
        Seen.equal("byteLen", 80, wc.byteLen());
        b.memory.holds(wc.wrId() == 1 ? 0 : 5000, a.memory, 100, 80);
        a.next(4, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.18",
            since = 3,
            says =
                    "reliable datagrams: a message with another Q_Key takes no receive, and its sender learns that it has not arrived",
            look = {POST, "ContextOps.modifyQp"},
            man = "ibv_modify_qp(3), DESCRIPTION (qkey)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2218Qkey() {
        startSrd();
        b.recv(1, 0, 2000);
        a.post(message(2, 0, 10).remoteQkey(Side.QKEY + 1));
        ended(a.all(1), 2, false);
        a.post(message(3, 0, 11));
        Seen.equal(
                "byteLen of the first that arrived",
                11,
                b.next(1, WcStatus.SUCCESS).byteLen());
        a.next(3, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R22.19",
            since = 3,
            says = "reliable datagrams: a message is as long as maxMsgSz of the port, and not longer",
            look = {POST, "ContextOps.queryPort"},
            man = "ibv_query_port(3), DESCRIPTION (max_msg_sz)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2219Longest() {
        startSrd();
        long told = a.context.queryPort(a.port).maxMsgSz();
        Assumptions.assumeTrue(
                told < LONGEST,
                "R22.19 would need a message of " + told + " bytes, and makes none of more than 16 MiB");
        int most = (int) told;
        ByteBuffer from = ByteBuffer.allocateDirect(most + 1);
        ByteBuffer to = ByteBuffer.allocateDirect(most + 1);
        from.put(0, (byte) 17).put(most - 1, (byte) 18);
        ScatterGatherElement room = ScatterGatherElement.of(b.region(to, AccessFlags.LOCAL_WRITE), 0, most + 1);
        ScatterGatherElement data = ScatterGatherElement.of(a.region(from, AccessFlags.LOCAL_WRITE), 0, most + 1);
        b.recv(b.receive(1, 0, 0).sgList(room));
        int refused = a.qp.postSend(message(2, 0, 0).sgList(data));
        if (refused == 0) {
            a.next(2, WcStatus.LOC_LEN_ERR);
        } else {
            Seen.errno("postSend of one byte more than maxMsgSz", Errno.EINVAL, refused);
        }
        a.post(message(3, 0, 0).sgList(data.length(most)));
        Seen.equal("byteLen", most, b.next(1, WcStatus.SUCCESS).byteLen());
        Seen.check(to.get(0) == 17 && to.get(most - 1) == 18, "the message has not arrived whole");
        a.next(3, WcStatus.SUCCESS);
    }

    /** Requests about memory that there is no right to; each must fail, move nothing, and leave the queue pair as it is. */
    private void badRemotes(int opcode, int right) {
        startSrd();
        long end = b.mr.addr() + Side.BYTES;
        MemoryRegion closed = b.region(b.memory.buffer, AccessFlags.LOCAL_WRITE | right);
        fails(remote(opcode, 1, 100, 0, 200).rkey(b.mr.rkey() ^ NO_KEY), "with a wrong key");
        fails(remote(opcode, 2, 100, 0, 200).remoteAddr(end - 199), "beyond the region");
        SendWorkRequest third = remote(opcode, 3, 100, 0, 200);
        fails(third.remoteAddr(closed.addr()).rkey(closed.rkey()), "of a region without the right");
        a.memory.untouched(0, 2000);
        b.memory.untouched(0, 2000);
        b.memory.untouched(Side.BYTES - 300, 300);
        a.post(remote(opcode, 4, 100, 0, 200));
        a.next(4, WcStatus.SUCCESS);
    }

    private void fails(SendWorkRequest wr, String why) {
        a.post(wr);
        WorkCompletion wc = a.next();
        Seen.equal("wrId of the completion", wr.wrId(), wc.wrId());
        Seen.equal(
                "the status of an access " + why,
                WcStatus.toString(WcStatus.REM_ACCESS_ERR),
                WcStatus.toString(wc.status()));
        Seen.equal("the state after it", QpState.toString(QpState.RTS), QpState.toString(a.state()));
    }

    @Rule(
            id = "R22.20",
            since = 3,
            says =
                    "reliable datagrams: a write with a wrong key, beyond the region or without its right fails alone, and writes nothing",
            look = POST,
            man = "ibv_poll_cq(3) (IBV_WC_REM_ACCESS_ERR)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_WRITE, Capability.REGION_KEYS})
    final void r2220BadWrites() {
        badRemotes(WrOpcode.RDMA_WRITE, hasRdmaRead() ? AccessFlags.REMOTE_READ : 0);
    }

    @Rule(
            id = "R22.21",
            since = 3,
            says =
                    "reliable datagrams: a read with a wrong key, beyond the region or without its right fails alone, and fetches nothing",
            look = POST,
            man = "ibv_poll_cq(3) (IBV_WC_REM_ACCESS_ERR)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_READ, Capability.REGION_KEYS})
    final void r2221BadReads() {
        badRemotes(WrOpcode.RDMA_READ, hasRdmaWrite() ? AccessFlags.REMOTE_WRITE : 0);
    }

    @Rule(
            id = "R22.22",
            since = 3,
            says =
                    "reliable datagrams: a read from who has no address handle to the reader completes, if only with an error, and once there is one succeeds",
            look = {POST, "ContextOps.createAh", "ContextOps.destroyAh"},
            man = "efadv_create_qp_ex(3), and ibv_create_ah(3)",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.RDMA_READ})
    final void r2222WayBack() {
        startSrd();
        toA.close();
        a.post(remote(WrOpcode.RDMA_READ, 1, 100, 0, 200));
        Seen.equal("wrId of the completion", 1L, a.next().wrId());
        toA = way(b, a);
        a.post(remote(WrOpcode.RDMA_READ, 2, 1000, 0, 200));
        a.next(2, WcStatus.SUCCESS);
        a.memory.holds(1000, b.memory, 0, 200);
    }

    @Rule(
            id = "R22.23",
            since = 3,
            says = "reliable datagrams: a local key that does not fit fails each operation with LOC_PROT_ERR",
            look = POST,
            man = "ibv_poll_cq(3) (IBV_WC_LOC_PROT_ERR)",
            needs = Capability.RELIABLE_DATAGRAMS)
    final void r2223LocalKey() {
        for (Operation operation : operations()) {
            startSrd();
            if (hasReceives()) {
                b.recv(9, 0, 2000);
            }
            SendWorkRequest wr = remote(operation.opcode, 1, 100, 0, 200);
            wr.sgList(a.sge(100, 200).lkey(a.mr.lkey() ^ NO_KEY));
            a.post(wr);
            a.next(1, WcStatus.LOC_PROT_ERR);
            b.memory.untouched(0, 2000);
        }
    }

    /** Those that are stated, and that reliable datagrams have. */
    private List<Operation> operations() {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.isOfDatagrams() && operation.isStated(this))
                .toList();
    }

    @Rule(
            id = "R22.24",
            since = 3,
            says =
                    "reliable datagrams: a request without address handle, with too many pieces or with a fence is refused at the post, and an operation that there is not answers EOPNOTSUPP",
            look = POST,
            man = "ibv_post_send(3), RETURN VALUE",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2224Refused() {
        startSrd();
        Seen.errno(
                "postSend without an address handle",
                Errno.EINVAL,
                a.qp.postSend(message(1, 0, 10).ah(null)));
        int fenced = a.qp.postSend(message(2, 0, 10).sendFlags(SendFlags.SIGNALED | SendFlags.FENCE));
        Seen.check(fenced != 0, "postSend with FENCE returned 0, and there is no order that it could mean");
        ScatterGatherElement[] many = new ScatterGatherElement[capOf(a).maxSendSge() + 1];
        Arrays.fill(many, a.sge(0, 1));
        Seen.errno(
                "postSend of " + many.length + " pieces",
                Errno.EINVAL,
                a.qp.postSend(message(3, 0, 1).sgList(many)));
        Seen.errno(
                "postSend of operation 99",
                Errno.EOPNOTSUPP,
                a.qp.postSend(message(4, 0, 8).opcode(NO_OPCODE)));
        for (Operation operation : Operation.values()) {
            if (!operations().contains(operation)) {
                Seen.errno(
                        "postSend of " + operation,
                        Errno.EOPNOTSUPP,
                        a.qp.postSend(remote(operation.opcode, 5, 0, 0, 8)));
            }
        }
        a.nothing("of a request that was refused");
        stillSends("requests that were refused");
    }

    @Rule(
            id = "R22.25",
            since = 3,
            says =
                    "reliable datagrams: nothing is sent before RTS, nothing received in RESET; query tells state and Q_Key",
            look = {POST, "QueuePair.postRecv", "ContextOps.modifyQp", "ContextOps.queryQp"},
            man = "ibv_modify_qp(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2225States() {
        make(s -> s.qpType = QpType.DRIVER);
        toB = way(a, b);
        toA = way(b, a);
        b.unconnected(b.qp);
        state(QpState.RESET);
        Seen.errno("postRecv in state RESET", Errno.EINVAL, a.qp.postRecv(a.receive(1, 40_000, 100)));
        a.toInit(a.qp);
        state(QpState.INIT);
        Seen.errno("postSend in state INIT", Errno.EINVAL, a.qp.postSend(message(1, 0, 10)));
        Seen.errno("postRecv in state INIT", 0, a.qp.postRecv(a.receive(1, 40_000, 100)));
        a.toRtr(a.qp, a, 0, 0);
        state(QpState.RTR);
        Seen.errno("postSend in state RTR", Errno.EINVAL, a.qp.postSend(message(1, 0, 10)));
        b.post(addressed(b.wr(WrOpcode.SEND, 2, b.sge(0, 30)), toA, a.qp));
        Seen.equal("byteLen", 30, a.next(1, WcStatus.SUCCESS).byteLen());
        b.next(2, WcStatus.SUCCESS);
        a.toRts(a.qp, 1);
        int asked = QpAttrMask.STATE | QpAttrMask.QKEY;
        Seen.equal("qkey of query", Side.QKEY, a.qp.query(asked).qkey());
        stillSends("modify to RTS");
    }

    private void state(int expected) {
        Seen.equal("the state", QpState.toString(expected), QpState.toString(a.state()));
    }

    @Rule(
            id = "R22.26",
            since = 3,
            says = "reliable datagrams: state ERR flushes what was posted; from RESET the queue pair can be used again",
            look = {"ContextOps.modifyQp", POLL},
            man = "ibv_modify_qp(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2226Flush() {
        startSrd();
        for (int i = 0; i < 5; i++) {
            a.recv(i, 0, 100);
        }
        fail(a);
        Map<Long, WorkCompletion> flushed = a.all(5);
        for (long i = 0; i < 5; i++) {
            int status = ended(flushed, i, false).status();
            Seen.equal("status", WcStatus.toString(WcStatus.WR_FLUSH_ERR), WcStatus.toString(status));
        }
        state(QpState.ERR);
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        state(QpState.RESET);
        a.unconnected(a.qp);
        stillSends("RESET");
    }

    @Rule(
            id = "R22.27",
            since = 3,
            says =
                    "reliable datagrams: completions of a queue pair that is destroyed vanish with it, those of others on the same queue stay",
            look = {"ContextOps.destroyQp", POLL},
            man = "ibv_destroy_qp(3), and the Javadoc of QueuePair.close",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2227Destroyed() {
        startSrd();
        QueuePair other = a.anotherQp();
        a.unconnected(other);
        for (int i = 0; i < 8; i++) {
            b.recv(i, 0, 100);
            SendWorkRequest wr = message(i, 0, 50);
            Seen.errno("postSend", 0, i % 2 == 0 ? other.postSend(wr) : a.qp.postSend(wr));
        }
        b.all(8);
        a.pause();
        abandon(other);
        other.close();
        Map<Long, WorkCompletion> left = a.all(4);
        for (int i = 1; i < 8; i += 2) {
            Seen.equal(
                    "qpNum of completion " + i,
                    a.qp.qpNum(),
                    ended(left, i, true).qpNum());
        }
        a.nothing("of a queue pair that was destroyed");
        stillSends("another one was destroyed");
    }

    @Rule(
            id = "R22.28",
            since = 3,
            says = "reliable datagrams: operations that will be posted are judged when the queue pair is made",
            look = {"the function in the slot CREATE_QP_EX"},
            man = "ibv_create_qp_ex(3) (send_ops_flags), and the Javadoc of QpInitAttrEx.sendOpsFlags",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND, Capability.EXTENDED, Capability.SEND_OPS})
    final void r2228SendOps() {
        startSrd();
        long able = 0;
        for (Operation operation : Operation.values()) {
            if (operations().contains(operation)) {
                able |= operation.bit;
            } else {
                refused(operation.bit);
            }
        }
        refused(1L << 40);
        a.qp = opened(a.context.createQpEx(with(able)));
        a.unconnected(a.qp);
        stillSends("createQpEx");
    }

    private QpInitAttrEx with(long operations) {
        return QpInitAttrEx.of(a.pd, a.qpInit()).sendOpsFlags(operations);
    }

    private void refused(long operations) {
        Seen.refuses(
                "createQpEx with sendOpsFlags " + QpCreateSendOps.toString(operations)
                        + ", which reliable datagrams are not said to have,",
                () -> opened(a.context.createQpEx(with(operations))),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R22.29",
            since = 3,
            says =
                    "reliable datagrams: a queue pair has at least the capacities asked for, takes as many receives, and tells them",
            look = {"ContextOps.createQp", "QueuePair.postRecv"},
            man = "ibv_create_qp(3), DESCRIPTION",
            needs = {Capability.RELIABLE_DATAGRAMS, Capability.SEND})
    final void r2229Capacities() {
        startSrd();
        QpInitAttr attr = a.qpInit();
        attr.cap(new QpCap().maxSendWr(5).maxRecvWr(6).maxSendSge(1).maxRecvSge(2));
        a.qp = opened(a.pd.createQp(attr));
        Seen.atLeast("cap().maxSendWr after createQp", 5, attr.cap().maxSendWr());
        Seen.atLeast("cap().maxRecvWr after createQp", 6, attr.cap().maxRecvWr());
        Seen.atLeast("cap().maxRecvSge after createQp", 2, attr.cap().maxRecvSge());
        QpCap told = capOf(a);
        Seen.equal("cap().maxSendWr of query", attr.cap().maxSendWr(), told.maxSendWr());
        Seen.equal("cap().maxRecvWr of query", attr.cap().maxRecvWr(), told.maxRecvWr());
        a.unconnected(a.qp);
        for (int i = 0; i < told.maxRecvWr(); i++) {
            Seen.errno("postRecv of request " + i, 0, a.qp.postRecv(pieces(i)));
        }
        Seen.errno("postRecv of one more than fit", Errno.ENOMEM, a.qp.postRecv(pieces(99)));
    }

    private RecvWorkRequest pieces(int id) {
        return new RecvWorkRequest().wrId(id).sgList(a.sge(0, 50), a.sge(100, 50));
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.Errno;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import org.junit.jupiter.api.Assumptions;

/** R3: the states of a queue pair. The library checks that a transition is one; the provider makes it. */
abstract class StateRules extends ContextRules {
    Side a;
    Side b;

    /** For {@link ProviderKit}. */
    StateRules() {}

    /** Makes both sides, not connected. */
    void make(java.util.function.Consumer<Side> settings) {
        a = side(1);
        b = side(2);
        settings.accept(a);
        settings.accept(b);
        a.create();
        b.create();
    }

    /** Makes both sides and connects them. */
    void start(java.util.function.Consumer<Side> settings) {
        make(settings);
        Side.connect(a, b);
    }

    void start() {
        start(side -> {});
    }

    /** Goes on where modify is told of the peer. */
    final void assumeConnectingModify() {
        Assumptions.assumeTrue(
                hasConnectingModify(), "hasConnectingModify() says that modify is told nothing of a peer");
    }

    private void stateIs(int expected, String when) {
        Seen.equal("the state " + when, QpState.toString(expected), QpState.toString(a.state()));
    }

    @Rule(
            id = "R3.01",
            says = "a queue pair is made in state RESET",
            look = {"ContextOps.createQp", "ContextOps.queryQp"},
            man = "ibv_create_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r301Reset() {
        make(s -> {});
        stateIs(QpState.RESET, "after createQp");
    }

    @Rule(
            id = "R3.02",
            says = "a queue pair is in the state that modify has put it into",
            look = {"ContextOps.modifyQp", "ContextOps.queryQp"},
            man = "ibv_modify_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r302Transitions() {
        assumeConnectingModify();
        make(s -> {});
        a.toInit(a.qp);
        stateIs(QpState.INIT, "after modify to INIT");
        a.toRtr(a.qp, b, b.qp.qpNum(), 1);
        stateIs(QpState.RTR, "after modify to RTR");
        a.toRts(a.qp, 1);
        stateIs(QpState.RTS, "after modify to RTS");
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        stateIs(QpState.ERR, "after modify to ERR");
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        stateIs(QpState.RESET, "after modify to RESET");
    }

    @Rule(
            id = "R3.03",
            says = "what modify has set, query tells",
            look = {"ContextOps.queryQp", "ContextOps.modifyQp"},
            man = "ibv_query_qp(3), DESCRIPTION",
            needs = Capability.RC)
    final void r303Attributes() {
        assumeConnectingModify();
        start();
        QpAttr attr = a.qp.query(QpAttrMask.STATE
                | QpAttrMask.DEST_QPN
                | QpAttrMask.PATH_MTU
                | QpAttrMask.PORT
                | QpAttrMask.RQ_PSN
                | QpAttrMask.RNR_RETRY);
        Seen.equal("destQpNum", b.qp.qpNum(), attr.destQpNum());
        Seen.equal("pathMtu", Side.PATH_MTU, attr.pathMtu());
        Seen.equal("portNum", portNum(), attr.portNum());
        Seen.equal("rqPsn", 0x123456, attr.rqPsn());
        Seen.equal("rnrRetry", 7, attr.rnrRetry());
    }

    @Rule(
            id = "R3.04",
            says = "query tells what the queue pair was made with",
            look = "ContextOps.queryQp",
            man = "ibv_query_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r304InitAttributes() {
        make(s -> s.sigAll = true);
        QpInitAttr told = new QpInitAttr();
        a.qp.query(new QpAttr(), 0, told);
        Seen.equal("qpType", QpType.toString(reliableType()), QpType.toString(told.qpType()));
        Seen.equal("sendCq", a.cq, told.sendCq());
        Seen.equal("recvCq", a.cq, told.recvCq());
        Seen.equal("sqSigAll", true, told.sqSigAll());
    }

    @Rule(
            id = "R3.05",
            says = "nothing can be sent before state RTS",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), RETURN VALUE; ibv_modify_qp(3), NOTES",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r305NoSendBeforeRts() {
        make(s -> {});
        SendWorkRequest wr = a.operation(b, 1, 0, 0, 4);
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Seen.errno("postSend in state RESET", Errno.EINVAL, a.qp.postSend(wr, bad));
        Seen.check(bad[0] == wr, "badWr[0] is not the request that failed");
        a.toInit(a.qp);
        Seen.errno("postSend in state INIT", Errno.EINVAL, a.qp.postSend(wr));
    }

    @Rule(
            id = "R3.06",
            says = "receives can be posted from state INIT on, not in RESET",
            look = "QueuePair.postRecv",
            man = "ibv_post_recv(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.SEND)
    final void r306ReceivesFromInit() {
        make(s -> {});
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        RecvWorkRequest wr = a.receive(1, 0, 4);
        Seen.errno("postRecv in state RESET", Errno.EINVAL, a.qp.postRecv(wr, bad));
        Seen.check(bad[0] == wr, "badWr[0] is not the request that failed");
        a.toInit(a.qp);
        Seen.errno("postRecv in state INIT", 0, a.qp.postRecv(wr));
    }

    @Rule(
            id = "R3.07",
            says = "RESET forgets what was posted, and the queue pair can be used again",
            look = "ContextOps.modifyQp",
            man = "ibv_modify_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r307UsedAgain() {
        start();
        b.ready(1, 0, 100);
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.nothing("after RESET: receives vanish with it, they are not flushed");
        Side.connect(a, b);
        a.exchange(b, 3, 0, 200, 100);
    }

    @Rule(
            id = "R3.08",
            says = "modify that is refused leaves the queue pair as it was",
            look = "ContextOps.modifyQp",
            man = "ibv_modify_qp(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    final void r308Refused() {
        make(s -> {});
        int ports = a.context.queryDevice().physPortCnt();
        QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(ports + 1);
        if (hasRc()) {
            attr.qpAccessFlags(0);
        } else {
            attr.qkey(Side.QKEY);
        }
        Seen.refuses("modify to INIT with port " + (ports + 1), () -> a.qp.modify(attr), Errno.EINVAL);
        stateIs(QpState.RESET, "after a modify that was refused");
        int pkeys = a.context.queryPort(portNum()).pkeyTblLen();
        attr.portNum(portNum()).pkeyIndex(pkeys);
        Seen.refuses("modify to INIT with P_Key index " + pkeys, () -> a.qp.modify(attr), Errno.EINVAL);
        stateIs(QpState.RESET, "after a modify that was refused");
    }
}

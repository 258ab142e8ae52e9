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

/** R3: the states of a queue pair. The library checks that a transition is valid; the provider performs it. */
interface StateRules {
    /** Skips the rule unless modify connects queue pairs. */
    private static void assumeConnectingModify(Rig rig) {
        Assumptions.assumeTrue(
                rig.kit.hasConnectingModify(), "hasConnectingModify() is false: modify does not connect queue pairs");
    }

    private static void stateIs(Rig rig, int expected, String when) {
        Seen.equal("the state " + when, QpState.toString(expected), QpState.toString(rig.a.state()));
    }

    @Rule(
            id = "R3.01",
            says = "a queue pair is made in state RESET",
            look = {"ContextOps.createQp", "ContextOps.queryQp"},
            man = "ibv_create_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r301Reset(Rig rig) {
        rig.make(s -> {});
        stateIs(rig, QpState.RESET, "after createQp");
    }

    @Rule(
            id = "R3.02",
            says = "a queue pair is in the state that modify has put it into",
            look = {"ContextOps.modifyQp", "ContextOps.queryQp"},
            man = "ibv_modify_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r302Transitions(Rig rig) {
        assumeConnectingModify(rig);
        rig.make(s -> {});
        rig.a.toInit(rig.a.qp);
        stateIs(rig, QpState.INIT, "after modify to INIT");
        rig.a.toRtr(rig.a.qp, rig.b, rig.b.qp.qpNum(), 1);
        stateIs(rig, QpState.RTR, "after modify to RTR");
        rig.a.toRts(rig.a.qp, 1);
        stateIs(rig, QpState.RTS, "after modify to RTS");
        rig.a.qp.modify(new QpAttr().qpState(QpState.ERR));
        stateIs(rig, QpState.ERR, "after modify to ERR");
        rig.a.qp.modify(new QpAttr().qpState(QpState.RESET));
        stateIs(rig, QpState.RESET, "after modify to RESET");
    }

    @Rule(
            id = "R3.03",
            says = "what modify has set, query tells",
            look = {"ContextOps.queryQp", "ContextOps.modifyQp"},
            man = "ibv_query_qp(3), DESCRIPTION",
            needs = Capability.RC)
    default void r303Attributes(Rig rig) {
        assumeConnectingModify(rig);
        rig.start();
        QpAttr attr = rig.a.qp.query(QpAttrMask.STATE
                | QpAttrMask.DEST_QPN
                | QpAttrMask.PATH_MTU
                | QpAttrMask.PORT
                | QpAttrMask.RQ_PSN
                | QpAttrMask.RNR_RETRY);
        Seen.equal("destQpNum", rig.b.qp.qpNum(), attr.destQpNum());
        Seen.equal("pathMtu", Side.PATH_MTU, attr.pathMtu());
        Seen.equal("portNum", rig.kit.portNum(), attr.portNum());
        Seen.equal("rqPsn", 0x123456, attr.rqPsn());
        Seen.equal("rnrRetry", 7, attr.rnrRetry());
    }

    @Rule(
            id = "R3.04",
            says = "query tells what the queue pair was made with",
            look = "ContextOps.queryQp",
            man = "ibv_query_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r304InitAttributes(Rig rig) {
        rig.make(s -> s.sigAll = true);
        QpInitAttr told = new QpInitAttr();
        rig.a.qp.query(new QpAttr(), 0, told);
        Seen.equal("qpType", QpType.toString(rig.reliableType()), QpType.toString(told.qpType()));
        Seen.equal("sendCq", rig.a.cq, told.sendCq());
        Seen.equal("recvCq", rig.a.cq, told.recvCq());
        Seen.equal("sqSigAll", true, told.sqSigAll());
    }

    @Rule(
            id = "R3.05",
            says = "nothing can be sent before state RTS",
            look = "QueuePair.postSend",
            man = "ibv_post_send(3), RETURN VALUE; ibv_modify_qp(3), NOTES",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r305NoSendBeforeRts(Rig rig) {
        rig.make(s -> {});
        SendWorkRequest wr = rig.a.operation(rig.b, 1, 0, 0, 4);
        SendWorkRequest[] bad = new SendWorkRequest[1];
        Seen.errno("postSend in state RESET", Errno.EINVAL, rig.a.qp.postSend(wr, bad));
        Seen.check(bad[0] == wr, "badWr[0] is not the request that failed");
        rig.a.toInit(rig.a.qp);
        Seen.errno("postSend in state INIT", Errno.EINVAL, rig.a.qp.postSend(wr));
    }

    @Rule(
            id = "R3.06",
            says = "receives can be posted from state INIT on, not in RESET",
            look = "QueuePair.postRecv",
            man = "ibv_post_recv(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.SEND)
    default void r306ReceivesFromInit(Rig rig) {
        rig.make(s -> {});
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        RecvWorkRequest wr = rig.a.receive(1, 0, 4);
        Seen.errno("postRecv in state RESET", Errno.EINVAL, rig.a.qp.postRecv(wr, bad));
        Seen.check(bad[0] == wr, "badWr[0] is not the request that failed");
        rig.a.toInit(rig.a.qp);
        Seen.errno("postRecv in state INIT", 0, rig.a.qp.postRecv(wr));
    }

    @Rule(
            id = "R3.07",
            says = "RESET forgets what was posted, and the queue pair can be used again",
            look = "ContextOps.modifyQp",
            man = "ibv_modify_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r307UsedAgain(Rig rig) {
        rig.start();
        rig.b.ready(1, 0, 100);
        rig.a.qp.modify(new QpAttr().qpState(QpState.RESET));
        rig.b.qp.modify(new QpAttr().qpState(QpState.RESET));
        rig.b.nothing("after RESET, which discards receives instead of flushing them");
        Side.connect(rig.a, rig.b);
        rig.a.exchange(rig.b, 3, 0, 200, 100);
    }

    @Rule(
            id = "R3.08",
            says = "modify that is refused leaves the queue pair as it was",
            look = "ContextOps.modifyQp",
            man = "ibv_modify_qp(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r308Refused(Rig rig) {
        rig.make(s -> {});
        int ports = rig.a.context.queryDevice().physPortCnt();
        QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(ports + 1);
        if (rig.has(Capability.RC)) {
            attr.qpAccessFlags(0);
        } else {
            attr.qkey(Side.QKEY);
        }
        Seen.refuses("modify to INIT with port " + (ports + 1), () -> rig.a.qp.modify(attr), Errno.EINVAL);
        stateIs(rig, QpState.RESET, "after a refused modify");
        int pkeys = rig.a.context.queryPort(rig.kit.portNum()).pkeyTblLen();
        attr.portNum(rig.kit.portNum()).pkeyIndex(pkeys);
        Seen.refuses("modify to INIT with P_Key index " + pkeys, () -> rig.a.qp.modify(attr), Errno.EINVAL);
        stateIs(rig, QpState.RESET, "after a refused modify");
    }
}

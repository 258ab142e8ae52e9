/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.XrcRig.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpOpenAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import java.nio.file.Path;

/** R11: XRC, the extended verbs of level 2. */
interface XrcRules {
    @Rule(
            id = "R11.01",
            says = "a message reaches the shared receive queue that the request names",
            look = {"QueuePair.postSend", "the function in the slot CREATE_QP_EX"},
            man = PAGE,
            needs = {Capability.XRC, Capability.SEND})
    default void r1101Arrives(XrcRig rig) {
        rig.startXrc();
        SharedReceiveQueue other = rig.xrcSrq(rig.b.pd, rig.domain, rig.b.cq);
        Seen.errno("postRecv", 0, rig.srq.postRecv(rig.b.receive(1, 0, 100)));
        Seen.errno("postRecv", 0, other.postRecv(rig.b.receive(2, 1000, 100)));
        rig.a.post(rig.a.wr(WrOpcode.SEND, 3, rig.a.sge(0, 60)).remoteSrqn(other.srqNum()));
        WorkCompletion got = rig.b.next(2, WcStatus.SUCCESS);
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(got.opcode()));
        Seen.equal("byteLen", 60, got.byteLen());
        rig.b.memory.holds(1000, rig.a.memory, 0, 60);
        rig.a.next(3, WcStatus.SUCCESS);
        rig.a.post(rig.a.wr(WrOpcode.SEND, 4, rig.a.sge(9, 60)).remoteSrqn(rig.srq.srqNum()));
        rig.b.next(1, WcStatus.SUCCESS);
        rig.b.memory.holds(0, rig.a.memory, 9, 60);
    }

    @Rule(
            id = "R11.02",
            says = "shared receive queues of type XRC have numbers of their own, of 24 bits",
            look = {"the function in the slot GET_SRQ_NUM", "the function in the slot CREATE_SRQ_EX"},
            man = "ibv_get_srq_num(3), DESCRIPTION",
            needs = Capability.XRC)
    default void r1102Numbers(XrcRig rig) {
        rig.startXrc();
        SharedReceiveQueue other = rig.xrcSrq(rig.b.pd, rig.domain, rig.b.cq);
        Seen.check(rig.srq.srqNum() != other.srqNum(), "two queues have the number " + rig.srq.srqNum());
        Seen.equal("srqNum() queried again", rig.srq.srqNum(), rig.srq.srqNum());
    }

    @Rule(
            id = "R11.03",
            says = "contexts that open a domain by the same file share it",
            look = {"the function in the slot OPEN_XRCD", "QueuePair.postSend"},
            man = "ibv_open_xrcd(3), DESCRIPTION (fd)",
            needs = {Capability.XRC, Capability.SEND})
    default void r1103ByFile(XrcRig rig) {
        rig.make(s -> {});
        Path file = rig.scratch();
        rig.domain =
                rig.opened(rig.b.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        Side other = new Side(rig, rig.open(rig.kit.peerDeviceName()), 3).create();
        XrcDomain shared =
                rig.opened(other.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        rig.receiver = rig.opened(rig.b.context.createQpEx(
                new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(rig.domain)));
        SharedReceiveQueue there = rig.xrcSrq(other.pd, shared, other.cq);
        QpInitAttrEx sending =
                new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(rig.a.pd).sendCq(rig.a.cq);
        sending.cap().maxSendWr(8).maxSendSge(1);
        rig.a.qp = rig.opened(rig.a.context.createQpEx(sending));
        Side.connect(rig.a, rig.a.qp, rig.b, rig.receiver);
        Seen.errno("postRecv", 0, there.postRecv(other.receive(7, 0, 100)));
        rig.a.post(rig.a.wr(WrOpcode.SEND, 3, rig.a.sge(0, 60)).remoteSrqn(there.srqNum()));
        other.next(7, WcStatus.SUCCESS);
        other.memory.holds(0, rig.a.memory, 0, 60);
    }

    @Rule(
            id = "R11.04",
            says = "a domain that must be new, or must be there, is refused where it is not so",
            look = "the function in the slot OPEN_XRCD",
            man = "ibv_open_xrcd(3), DESCRIPTION (oflags)",
            needs = Capability.XRC)
    default void r1104OpenFlags(XrcRig rig) {
        rig.make(s -> {});
        Path file = rig.scratch();
        XrcdInitAttr existing = new XrcdInitAttr().file(file).oflags(0);
        Seen.refuses(
                "openXrcd without CREAT of a file without a domain",
                () -> rig.opened(rig.a.context.openXrcd(existing)),
                Errno.ENOENT,
                Errno.EINVAL);
        rig.opened(rig.a.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        Seen.refuses(
                "openXrcd with EXCL of an existing domain",
                () -> rig.opened(rig.a.context.openXrcd(
                        new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL))),
                Errno.EEXIST,
                Errno.EINVAL);
    }

    @Rule(
            id = "R11.05",
            says = "a queue pair of type XRC_RECV can be opened again by its number",
            look = "the function in the slot OPEN_QP",
            man = "ibv_open_qp(3), DESCRIPTION",
            needs = Capability.XRC)
    default void r1105OpenQp(XrcRig rig) {
        rig.startXrc();
        QueuePair again = rig.opened(rig.b.context.openQp(
                new QpOpenAttr().qpNum(rig.receiver.qpNum()).xrcd(rig.domain).qpType(QpType.XRC_RECV)));
        Seen.equal("qpNum()", rig.receiver.qpNum(), again.qpNum());
        Seen.refuses(
                "openQp of a number that no queue pair has",
                () -> rig.opened(rig.b.context.openQp(new QpOpenAttr()
                        .qpNum(rig.a.qp.qpNum())
                        .xrcd(rig.domain)
                        .qpType(QpType.XRC_RECV))),
                Errno.ENOENT,
                Errno.EINVAL);
    }

    @Rule(
            id = "R11.06",
            says = "the old verbs go on working beside the new ones, with the same results",
            look = {"the function in the slot CREATE_QP_EX", "ContextOps.createQp"},
            man = PAGE,
            needs = {Capability.XRC, Capability.RC, Capability.SEND})
    default void r1106OldVerbs(Rig rig) {
        rig.make(s -> {});
        rig.opened(rig.a.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT)));
        QpInitAttrEx extended = QpInitAttrEx.of(rig.a.pd, rig.a.qpInit());
        QueuePair qp = rig.opened(rig.a.context.createQpEx(extended));
        Seen.equal("qpType()", QpType.toString(QpType.RC), QpType.toString(qp.qpType()));
        rig.a.qp = qp;
        Side.connect(rig.a, rig.b);
        MemoryRegion mr = rig.b.region(rig.b.memory.buffer, AccessFlags.LOCAL_WRITE);
        rig.b.recv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(mr, 0, 100)));
        rig.a.post(rig.a.wr(WrOpcode.SEND, 2, rig.a.sge(0, 50)));
        rig.b.next(1, WcStatus.SUCCESS);
        rig.a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R11.07",
            says = "a shared receive queue of type XRC has at least the capacities asked for, and tells them",
            look = {"the function in the slot CREATE_SRQ_EX", "ContextOps.querySrq"},
            man = "ibv_create_srq_ex(3), DESCRIPTION",
            needs = Capability.XRC)
    default void r1107Capacities(XrcRig rig) {
        rig.startXrc();
        SrqInitAttrEx attr =
                new SrqInitAttrEx().srqType(SrqType.XRC).pd(rig.b.pd).xrcd(rig.domain);
        attr.cq(rig.b.cq).attr(new SrqAttr().maxWr(5).maxSge(1));
        Rig.capacities("createSrqEx", rig.opened(rig.b.context.createSrqEx(attr)), attr.attr());
    }

    @Rule(
            id = "R11.08",
            says = "what a queue pair of type XRC_SEND or XRC_RECV can't do answers EOPNOTSUPP",
            look = {"QueuePair.postSend", "QueuePair.postRecv"},
            man = PAGE,
            needs = Capability.XRC)
    default void r1108OneWay(XrcRig rig) {
        rig.startXrc();
        Seen.errno("postRecv to XRC_SEND", Errno.EOPNOTSUPP, rig.a.qp.postRecv(rig.a.receive(1, 0, 10)));
        Seen.errno("postRecv to XRC_RECV", Errno.EOPNOTSUPP, rig.receiver.postRecv(rig.b.receive(1, 0, 10)));
        Seen.errno(
                "postSend to XRC_RECV", Errno.EOPNOTSUPP, rig.receiver.postSend(rig.b.operation(rig.a, 1, 0, 0, 10)));
    }
}

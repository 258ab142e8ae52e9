/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
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
import io.verbs4j.VerbsException;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** R11: XRC, the extended verbs of level 2. */
abstract class XrcRules extends ErrorRules {
    private static final String PAGE = "ibv_create_qp_ex(3), DESCRIPTION (IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV)";

    XrcDomain domain;
    SharedReceiveQueue srq;
    private QueuePair receiver;

    /** For {@link ProviderKit}. */
    XrcRules() {}

    SharedReceiveQueue xrcSrq(ProtectionDomain pd, XrcDomain xrcd, CompletionQueue cq) {
        return made(
                SharedReceiveQueue.class,
                pd.context()
                        .createSrqEx(new SrqInitAttrEx()
                                .srqType(SrqType.XRC)
                                .pd(pd)
                                .xrcd(xrcd)
                                .cq(cq)
                                .attr(new SrqAttr().maxWr(8).maxSge(1))));
    }

    /** A sends through a queue pair of type XRC_SEND; b has a domain, one of type XRC_RECV and a shared queue. */
    void startXrc() {
        make(s -> {});
        domain = made(
                XrcDomain.class,
                b.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT)));
        srq = xrcSrq(b.pd, domain, b.cq);
        receiver = made(
                QueuePair.class,
                b.context.createQpEx(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(domain)));
        QpInitAttrEx sending =
                new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(a.pd).sendCq(a.cq);
        sending.cap().maxSendWr(8).maxSendSge(1);
        a.qp = opened(a.context.createQpEx(sending));
        Side.connect(a, a.qp, b, receiver);
    }

    /** One of each, to look at their classes. */
    Object[] xrcObjects() {
        startXrc();
        QpOpenAttr attr = new QpOpenAttr().qpNum(receiver.qpNum()).xrcd(domain).qpType(QpType.XRC_RECV);
        QueuePair again = null;
        try {
            again = opened(b.context.openQp(attr));
        } catch (VerbsException e) {
            assert e != null; // R11.05 tells
        }
        return new Object[] {domain, srq, receiver, a.qp, again};
    }

    @Rule(
            id = "R11.01",
            says = "a message reaches the shared receive queue that the request names",
            look = {"QueuePair.postSend", "the function in the slot CREATE_QP_EX"},
            man = PAGE,
            needs = {Capability.XRC, Capability.SEND})
    final void r1101Arrives() {
        startXrc();
        SharedReceiveQueue other = xrcSrq(b.pd, domain, b.cq);
        Seen.errno("postRecv", 0, srq.postRecv(b.receive(1, 0, 100)));
        Seen.errno("postRecv", 0, other.postRecv(b.receive(2, 1000, 100)));
        a.post(a.wr(WrOpcode.SEND, 3, a.sge(0, 60)).remoteSrqn(other.srqNum()));
        WorkCompletion got = b.next(2, WcStatus.SUCCESS);
        Seen.equal("opcode", WcOpcode.toString(WcOpcode.RECV), WcOpcode.toString(got.opcode()));
        Seen.equal("byteLen", 60, got.byteLen());
        b.memory.holds(1000, a.memory, 0, 60);
        a.next(3, WcStatus.SUCCESS);
        a.post(a.wr(WrOpcode.SEND, 4, a.sge(9, 60)).remoteSrqn(srq.srqNum()));
        b.next(1, WcStatus.SUCCESS);
        b.memory.holds(0, a.memory, 9, 60);
    }

    @Rule(
            id = "R11.02",
            says = "shared receive queues of type XRC have numbers of their own, of 24 bits",
            look = {"the function in the slot GET_SRQ_NUM", "the function in the slot CREATE_SRQ_EX"},
            man = "ibv_get_srq_num(3), DESCRIPTION",
            needs = Capability.XRC)
    final void r1102Numbers() {
        startXrc();
        SharedReceiveQueue other = xrcSrq(b.pd, domain, b.cq);
        Seen.check(srq.srqNum() != other.srqNum(), "two queues have the number " + srq.srqNum());
        Seen.equal("srqNum() asked again", srq.srqNum(), srq.srqNum());
    }

    @Rule(
            id = "R11.03",
            says = "contexts that open a domain by the same file share it",
            look = {"the function in the slot OPEN_XRCD", "QueuePair.postSend"},
            man = "ibv_open_xrcd(3), DESCRIPTION (fd)",
            needs = {Capability.XRC, Capability.SEND})
    final void r1103ByFile() {
        make(s -> {});
        Path file = scratch();
        domain = opened(b.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        Side other = new Side(this, open(peerDeviceName()), 3).create();
        XrcDomain shared =
                opened(other.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        receiver = opened(
                b.context.createQpEx(new QpInitAttrEx().qpType(QpType.XRC_RECV).xrcd(domain)));
        SharedReceiveQueue there = xrcSrq(other.pd, shared, other.cq);
        QpInitAttrEx sending =
                new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(a.pd).sendCq(a.cq);
        sending.cap().maxSendWr(8).maxSendSge(1);
        a.qp = opened(a.context.createQpEx(sending));
        Side.connect(a, a.qp, b, receiver);
        Seen.errno("postRecv", 0, there.postRecv(other.receive(7, 0, 100)));
        a.post(a.wr(WrOpcode.SEND, 3, a.sge(0, 60)).remoteSrqn(there.srqNum()));
        other.next(7, WcStatus.SUCCESS);
        other.memory.holds(0, a.memory, 0, 60);
    }

    @Rule(
            id = "R11.04",
            says = "a domain that must be new, or must be there, is refused where it is not so",
            look = "the function in the slot OPEN_XRCD",
            man = "ibv_open_xrcd(3), DESCRIPTION (oflags)",
            needs = Capability.XRC)
    final void r1104OpenFlags() {
        make(s -> {});
        Path file = scratch();
        XrcdInitAttr existing = new XrcdInitAttr().file(file).oflags(0);
        Seen.refuses(
                "openXrcd without CREAT of a file that no domain is for",
                () -> opened(a.context.openXrcd(existing)),
                Errno.ENOENT,
                Errno.EINVAL);
        opened(a.context.openXrcd(new XrcdInitAttr().file(file).oflags(XrcdOpenFlags.CREAT)));
        Seen.refuses(
                "openXrcd with EXCL of a domain that is there",
                () -> opened(a.context.openXrcd(
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
    final void r1105OpenQp() {
        startXrc();
        QueuePair again = opened(b.context.openQp(
                new QpOpenAttr().qpNum(receiver.qpNum()).xrcd(domain).qpType(QpType.XRC_RECV)));
        Seen.equal("qpNum()", receiver.qpNum(), again.qpNum());
        Seen.refuses(
                "openQp of a number that no queue pair has",
                () -> opened(b.context.openQp(
                        new QpOpenAttr().qpNum(a.qp.qpNum()).xrcd(domain).qpType(QpType.XRC_RECV))),
                Errno.ENOENT,
                Errno.EINVAL);
    }

    @Rule(
            id = "R11.06",
            says = "the old verbs go on working beside the new ones, with the same results",
            look = {"the function in the slot CREATE_QP_EX", "ContextOps.createQp"},
            man = PAGE,
            needs = {Capability.XRC, Capability.RC, Capability.SEND})
    final void r1106OldVerbs() {
        make(s -> {});
        opened(a.context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT)));
        QpInitAttrEx extended = QpInitAttrEx.of(a.pd, a.qpInit());
        QueuePair qp = opened(a.context.createQpEx(extended));
        Seen.equal("qpType()", QpType.toString(QpType.RC), QpType.toString(qp.qpType()));
        a.qp = qp;
        Side.connect(a, b);
        MemoryRegion mr = b.region(b.memory.buffer, AccessFlags.LOCAL_WRITE);
        b.recv(new RecvWorkRequest().wrId(1).sgList(ScatterGatherElement.of(mr, 0, 100)));
        a.post(a.wr(WrOpcode.SEND, 2, a.sge(0, 50)));
        b.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
    }

    @Rule(
            id = "R11.07",
            says = "a shared receive queue of type XRC has at least the capacities asked for, and tells them",
            look = {"the function in the slot CREATE_SRQ_EX", "ContextOps.querySrq"},
            man = "ibv_create_srq_ex(3), DESCRIPTION",
            needs = Capability.XRC)
    final void r1107Capacities() {
        startXrc();
        SrqInitAttrEx attr = new SrqInitAttrEx().srqType(SrqType.XRC).pd(b.pd).xrcd(domain);
        attr.cq(b.cq).attr(new SrqAttr().maxWr(5).maxSge(1));
        capacities("createSrqEx", opened(b.context.createSrqEx(attr)), attr.attr());
    }

    @Rule(
            id = "R11.08",
            says = "what a queue pair of type XRC_SEND or XRC_RECV can't do answers EOPNOTSUPP",
            look = {"QueuePair.postSend", "QueuePair.postRecv"},
            man = PAGE,
            needs = Capability.XRC)
    final void r1108OneWay() {
        startXrc();
        Seen.errno("postRecv to XRC_SEND", Errno.EOPNOTSUPP, a.qp.postRecv(a.receive(1, 0, 10)));
        Seen.errno("postRecv to XRC_RECV", Errno.EOPNOTSUPP, receiver.postRecv(b.receive(1, 0, 10)));
        Seen.errno("postSend to XRC_RECV", Errno.EOPNOTSUPP, receiver.postSend(b.operation(a, 1, 0, 0, 10)));
    }

    private Path scratch() {
        try {
            Path file = Files.createTempFile("xrcd", "");
            opened(() -> Files.deleteIfExists(file));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
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
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;

/**
 * Checks that what EFA lacks is refused with a message, and so is what would make libefa end the process. Argument: the
 * release, 0 for the installed one.
 */
public final class RefusalsProgram {
    private RefusalsProgram() {}

    public static void main(String... args) {
        boolean hasEvents = Integer.parseInt(args[0]) != 33;
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            types(rig);
            told(rig, hasEvents);
            attributes(rig);
            states(rig);
            posts(rig);
            cyclicLists(rig);
            statuses(rig);
            ways(rig);
            arming(rig, hasEvents);
        }
        System.out.println("rules ok");
    }

    private static void types(EfaRig rig) {
        for (int type : new int[] {QpType.RC, QpType.UC, QpType.RAW_PACKET}) {
            Check.fails(Errno.EOPNOTSUPP, "type DRIVER (SRD)", () -> rig.pd.createQp(rig.attr(type)));
        }
        QpInitAttrEx reads = QpInitAttrEx.of(rig.pd, rig.attr(QpType.UD)).sendOpsFlags(QpCreateSendOps.RDMA_READ);
        Check.fails(Errno.EOPNOTSUPP, "RDMA_READ", () -> rig.context.createQpEx(reads));
        QpInitAttrEx other = QpInitAttrEx.of(rig.pd, rig.attr(QpType.DRIVER)).vendor("a word");
        Check.fails(Errno.EOPNOTSUPP, "the provider expects EfaQpInitAttr", () -> rig.context.createQpEx(other));
        QpInitAttrEx ud = QpInitAttrEx.of(rig.pd, rig.attr(QpType.UD)).vendor(new EfaQpInitAttr());
        Check.fails(Errno.EINVAL, "requires the type QpType.DRIVER", () -> rig.context.createQpEx(ud));
        QpInitAttrEx srd = QpInitAttrEx.of(rig.pd, rig.attr(QpType.DRIVER));
        Check.fails(
                Errno.EOPNOTSUPP,
                "driverQpType is 5",
                () -> rig.context.createQpEx(srd.vendor(new EfaQpInitAttr().driverQpType(5))));
        Check.fails(
                Errno.EOPNOTSUPP,
                "flags 0x4000 (since rdma-core 52)",
                () -> rig.context.createQpEx(srd.vendor(new EfaQpInitAttr().flags(0x4000))));
        Check.fails(Errno.EINVAL, "sl is 256", () -> rig.context.createQpEx(srd.vendor(new EfaQpInitAttr().sl(256))));
        Check.fails(
                Errno.EINVAL,
                "flags is 65536",
                () -> rig.context.createQpEx(srd.vendor(new EfaQpInitAttr().flags(1 << 16))));
        rig.context.createQpEx(srd.vendor(new EfaQpInitAttr())).close();
        QpInitAttr half = rig.attr(QpType.DRIVER).recvCq(null);
        Check.fails(Errno.EINVAL, "needs pd, sendCq and recvCq", () -> rig.pd.createQp(half));
    }

    /** Exactly what the attributes announce is accepted. */
    private static void told(EfaRig rig, boolean hasEvents) {
        DeviceAttrEx attr = rig.context.queryDeviceEx();
        Check.equal(0, attr.sendOpsRc() | attr.sendOpsUc(), "operations of RC and UC");
        for (int type : new int[] {QpType.UD, QpType.DRIVER}) {
            for (int bit = 0; bit < Long.SIZE; bit++) {
                long op = 1L << bit;
                QpInitAttrEx qp = QpInitAttrEx.of(rig.pd, rig.attr(type)).sendOpsFlags(op);
                if ((attr.sendOps(type) & op) != 0) {
                    rig.context.createQpEx(qp).close();
                } else {
                    Check.fails(Errno.EOPNOTSUPP, "sendOpsFlags", () -> rig.context.createQpEx(qp));
                }
            }
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        for (int right : new int[] {AccessFlags.LOCAL_WRITE, AccessFlags.REMOTE_READ, AccessFlags.REMOTE_WRITE}) {
            if ((attr.mrAccessFlags() & right) != 0) {
                rig.pd.regMr(buffer, AccessFlags.LOCAL_WRITE | right).close();
            }
        }
        Check.equal(0, attr.qpAccessFlags(), "rights of queue pairs");
        Check.equal(0, attr.deviceTraits() | attr.internalPorts(), "unlike most");
        Check.require(!attr.has(DeviceAttrEx.DEVICE_TRAITS) || hasEvents, "device traits without completion events");
    }

    /** A receive queue without elements makes libefa divide by 0. */
    private static void attributes(EfaRig rig) {
        for (int type : new int[] {QpType.DRIVER, QpType.UD}) {
            QpInitAttr attr = rig.attr(type);
            attr.cap().maxRecvSge(0).maxRecvWr(0);
            rig.pd.createQp(attr).close();
            Check.equal(1, attr.cap().maxRecvSge(), "elements of a receive");
        }
        QpInitAttr attr = rig.attr(QpType.DRIVER);
        attr.cap(new QpCap().maxSendWr(4).maxRecvWr(9).maxSendSge(1).maxRecvSge(3));
        rig.pd.createQp(attr).close();
        Check.equal(10, attr.cap().maxRecvWr(), "receives that were granted");
        int receives = rig.context.vendor(EfaDv.class).queryDevice().maxSqWr() + 1;
        attr.cap(new QpCap().maxSendWr(4).maxRecvWr(receives).maxSendSge(1).maxRecvSge(1));
        rig.pd.createQp(attr).close(); // receives may have more
    }

    private static void states(EfaRig rig) {
        try (QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER))) {
            QpAttr init =
                    new QpAttr().qpState(QpState.INIT).portNum(2).pkeyIndex(0).qkey(1);
            Check.fails(Errno.EINVAL, "EFA has only port 1", () -> qp.modify(init));
            Check.fails(
                    Errno.EINVAL,
                    "pkeyIndex 1; EFA has only port 1",
                    () -> qp.modify(new QpAttr()
                            .qpState(QpState.INIT)
                            .portNum(1)
                            .pkeyIndex(1)
                            .qkey(1)));
            Check.fails(
                    Errno.EOPNOTSUPP,
                    "leave out PATH_MTU",
                    () -> qp.modify(init.portNum(1).pathMtu(1)));
            Check.fails(
                    Errno.EINVAL,
                    "missing PKEY_INDEX",
                    () -> qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1)));
            Check.equal(
                    Errno.EINVAL, qp.postRecv(new RecvWorkRequest().sgList(rig.at(0, 8)), null), "a receive in RESET");
            EfaRig.ready(qp);
            QpAttr all = new QpAttr();
            qp.query(all, ~0, new QpInitAttr());
            Check.equal(QpState.RTS, all.qpState(), "state");
            Check.equal(EfaRig.QKEY, all.qkey(), "qkey");
            drained(rig, qp);
            qp.modify(new QpAttr().qpState(QpState.ERR));
            qp.query(all, QpAttrMask.STATE, new QpInitAttr());
            Check.equal(QpState.ERR, all.qpState(), "state");
            Check.equal(
                    Errno.EINVAL, qp.postRecv(new RecvWorkRequest().sgList(rig.at(0, 8)), null), "a receive in ERR");
            qp.modify(new QpAttr().qpState(QpState.RESET));
            qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0).qkey(1));
            qp.modify(new QpAttr().qpState(QpState.RTR));
            qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0).rnrRetry(3)); // the device supports it
        }
    }

    /** Requests can be posted to a send queue in SQD, and are sent when it resumes. */
    private static void drained(EfaRig rig, QueuePair qp) {
        qp.modify(new QpAttr().qpState(QpState.SQD));
        rig.receive(8, rig.at(EfaRig.SIZE, 64));
        Check.equal(0, qp.postSend(rig.send(7, rig.at(0, 8)), null), "errno of a send in SQD");
        qp.modify(new QpAttr().qpState(QpState.RTS));
        Check.equal(7, rig.next(rig.sends).wrId(), "id");
        Check.equal(8, rig.next(rig.receives).wrId(), "id");
    }

    /** Statuses for which older releases have no name. */
    private static void statuses(EfaRig rig) {
        SendWorkRequest read = rig.send(1, rig.at(0, 8)).opcode(WrOpcode.RDMA_READ);
        read.remoteAddr(rig.mr.addr()).rkey(rig.mr.rkey() ^ 0x100);
        rig.post(read);
        WorkCompletion wc = rig.next(rig.sends);
        Check.equal(7, wc.vendorErr(), "vendor's error");
        Check.equal(WcStatus.REM_ACCESS_ERR, wc.status(), "status of a read with a wrong key");
        rig.post(rig.send(2, rig.at(0, 8)).sgList(rig.at(0, 8).lkey(rig.mr.lkey() ^ 0x100)));
        Check.equal(WcStatus.LOC_PROT_ERR, rig.next(rig.sends).status(), "status of a wrong local key");
        CqInitAttrEx attr = new CqInitAttrEx().cqe(16).wcFlags(WcExFlags.STANDARD);
        try (CompletionQueue cq = rig.context.createCqEx(attr);
                QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(cq))) {
            EfaRig.ready(qp);
            Check.equal(0, qp.postSend(read, null), "errno of a post");
            Simulator.pump();
            Check.equal(0, cq.startPoll(null), "errno of startPoll");
            Check.equal(WcStatus.REM_ACCESS_ERR, cq.status(), "status of a read with a wrong key");
            cq.endPoll();
        }
    }

    private static void posts(EfaRig rig) {
        Check.equal(
                Errno.EOPNOTSUPP,
                rig.qp.postSend(rig.send(1, rig.at(0, 8)).opcode(WrOpcode.ATOMIC_FETCH_AND_ADD), null),
                "an atomic");
        for (int flags :
                new int[] {0, SendFlags.SIGNALED | SendFlags.FENCE, SendFlags.SIGNALED | SendFlags.SOLICITED}) {
            Check.require(rig.qp.postSend(rig.send(1, rig.at(0, 8)).sendFlags(flags), null) != 0, "flags " + flags);
        }
        Check.require(
                rig.qp.postSend(rig.send(1, rig.at(0, 33)).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE), null) != 0,
                "33 bytes inline");
        Check.equal(Errno.EINVAL, rig.qp.postSend(rig.send(1, rig.at(0, 8)).ah(null), null), "no address handle");
        RecvWorkRequest empty = new RecvWorkRequest().wrId(2);
        RecvWorkRequest first =
                new RecvWorkRequest().wrId(1).sgList(rig.at(0, 8)).next(empty);
        RecvWorkRequest[] bad = new RecvWorkRequest[1];
        Check.equal(Errno.EINVAL, rig.peer.postRecv(first, bad), "a receive without elements, which libefa loses");
        Check.require(bad[0] == empty, "the bad receive is reported");
    }

    /** Posting a cyclic list ends when the queue is full. */
    private static void cyclicLists(EfaRig rig) {
        try (QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER))) {
            EfaRig.ready(qp);
            SendWorkRequest send = rig.send(1, rig.at(0, 8));
            RecvWorkRequest receive = new RecvWorkRequest().wrId(2).sgList(rig.at(0, 8));
            Check.equal(Errno.ENOMEM, qp.postSend(send.next(send), null), "errno of a cyclic list of sends");
            Check.equal(Errno.ENOMEM, qp.postRecv(receive.next(receive), null), "errno of a cyclic list of receives");
        }
    }

    private static void ways(EfaRig rig) {
        GlobalRoute grh = EfaRig.way(rig.context).grh();
        Check.fails(
                Errno.EINVAL,
                "EFA sends to GIDs",
                () -> rig.pd.createAh(new AhAttr().portNum(1).dlid(3)));
        Check.fails(
                Errno.EINVAL,
                "only port 1 and the GID",
                () -> rig.pd.createAh(new AhAttr().isGlobal(true).portNum(1).grh(grh.sgidIndex(1))));
        Check.require(!Gid.of(0, 0).equals(rig.context.queryGid(1, 0)), "the device has a GID");
    }

    /** A queue without a channel may have no doorbell; libefa would write through NULL. */
    private static void arming(EfaRig rig, boolean hasEvents) {
        int unarmed = hasEvents ? Errno.EINVAL : Errno.EOPNOTSUPP;
        Check.equal(unarmed, rig.sends.reqNotify(false), "arming without a channel");
        if (!hasEvents) {
            Check.fails(Errno.EOPNOTSUPP, "rdma-core 38", rig.context::createCompChannel);
            return;
        }
        try (CompletionChannel channel = rig.context.createCompChannel()) {
            try (CompletionQueue cq = rig.context.createCq(4, null, channel, 0)) {
                Check.equal(Errno.EOPNOTSUPP, cq.reqNotify(true), "arming for solicited completions alone");
                Check.equal(0, cq.reqNotify(false), "arming");
            }
        }
    }
}

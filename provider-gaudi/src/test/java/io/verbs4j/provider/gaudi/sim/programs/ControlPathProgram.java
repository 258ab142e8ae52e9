/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpenAttr;
import io.verbs4j.PortState;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblGranularities;
import io.verbs4j.hbldv.HblMemIds;
import io.verbs4j.hbldv.HblOpenAttr;
import io.verbs4j.hbldv.HblPortExAttr;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.hbldv.HblQpCaps;
import io.verbs4j.hbldv.HblWqArrays;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Checks the control path on two cards of three ports each, of which port 3 is external: what is created, and what is
 * refused with a message.
 */
public final class ControlPathProgram {
    private static final int INTERNAL = 2;
    private static final int EXTERNAL = 3;
    private static final int READ_WRITE = 2;

    private ControlPathProgram() {}

    public static void main(String... args) {
        try (GaudiCard one = new GaudiCard(0);
                GaudiCard two = new GaudiCard(1)) {
            contexts(one, two);
            askedFirst(one);
            domains(one);
            ports(one);
            regions(one, two);
            completionQueues(one);
            queuePairs(one);
            steps(one, two);
            failedSteps(one, two);
            events(one);
        }
        opening();
        ofTheProgram();
        setUp();
        notNow();
        Simulator.requireClean();
        System.out.println("control ok");
    }

    /** With ibv_open_device, both would be the same. */
    private static void contexts(GaudiCard one, GaudiCard two) {
        Check.equal(3, one.context.queryDevice().physPortCnt(), "ports");
        Check.require(
                !one.context.queryGid(EXTERNAL, 0).equals(two.context.queryGid(EXTERNAL, 0)), "one context for both");
        Check.fails(Errno.EBUSY, "accelerator", () -> Verbs.open(GaudiCard.device(0), VerbsLevel.CURRENT));
    }

    private static void askedFirst(GaudiCard card) {
        DeviceAttrEx attr = card.context.queryDeviceEx();
        Check.equal(QpCreateSendOps.RDMA_WRITE, attr.sendOpsRc(), "operations of RC");
        Check.equal(
                0,
                attr.sendOpsUc() | attr.sendOpsUd() | attr.sendOpsXrcSend() | attr.sendOpsDriver(),
                "operations of others");
        Check.equal(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE, attr.mrAccessFlags(), "rights of regions");
        Check.equal(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE, attr.qpAccessFlags(), "rights of queue pairs");
        long traits = DeviceTraits.EXCLUSIVE
                | DeviceTraits.KEYS_BY_CONNECTION
                | DeviceTraits.DEVICE_ADDRESSES
                | DeviceTraits.NO_COMPLETION_EVENTS;
        Check.equal(traits, attr.deviceTraits(), "traits");
        Check.equal(0b011, attr.internalPorts(), "internal ports");
        Check.equal(1, attr.origAttr().maxPd(), "maxPd");
        Check.equal(1, attr.origAttr().maxSge(), "maxSge");
        Check.equal(0, attr.origAttr().maxSrq() | attr.origAttr().maxAh(), "limits of missing objects");
    }

    private static void domains(GaudiCard card) {
        Check.equal(1, card.context.queryDevice().maxPd(), "maxPd");
        Check.fails(Errno.ESRCH, "only protection domain", card.context::allocPd);
    }

    private static void ports(GaudiCard card) {
        for (int port = 1; port <= EXTERNAL; port++) {
            boolean internal = port != EXTERNAL;
            Check.require(internal == card.dv.isInternal(port), "kind of port " + port);
            Check.require(internal == (card.context.queryPort(port).gidTblLen() == 1), "GIDs of port " + port);
            Check.require(internal == card.context.queryGid(port, 0).toHex().matches("[f:]+"), "GID of port " + port);
        }
        Check.equal(0b1110, card.dv.queryDevice().portsMask(), "ports");
        Check.equal(0b1000, card.dv.queryDevice().extPortsMask(), "external ports");
        Check.fails(Errno.EINVAL, "port 4 is not open", () -> card.dv.isInternal(4));
        Check.fails(Errno.EINVAL, "port 0 is not open", () -> card.dv.queryPort(0));
    }

    private static void regions(GaudiCard card, GaudiCard other) {
        ByteBuffer memory = ByteBuffer.allocateDirect(8192);
        MemoryRegion mr = card.pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        MemoryRegion again = card.pd.regMr(memory, 0);
        Check.require(mr.addr() != card.dv.hostAddress(mr), "no device address");
        Check.equal(card.dv.hostAddress(mr), card.dv.hostAddress(again), "address in this process");
        Check.require(mr.addr() != again.addr() && mr.lkey() != again.lkey() && mr.lkey() != 0, "one region");
        Check.equal(0, mr.rkey(), "key");
        Check.equal(8192, mr.length(), "length");
        Check.fails(Errno.EOPNOTSUPP, "REMOTE_READ", () -> card.pd.regMr(memory, AccessFlags.REMOTE_READ));
        RegMrAttrEx elsewhere =
                new RegMrAttrEx().addr(card.dv.hostAddress(mr)).length(64).iova(4096);
        Check.fails(Errno.EOPNOTSUPP, "iova", () -> card.pd.regMrEx(elsewhere));
        MemoryRegion byAddress = card.pd.regMrEx(
                new RegMrAttrEx().addr(card.dv.hostAddress(mr) + 5).length(64));
        Check.equal(card.dv.hostAddress(mr) + 5, card.dv.hostAddress(byAddress), "address in this process");
        Check.fails(Errno.EFAULT, "not mapped", () -> card.pd.regMr(4096, 64, 0));
        Check.fails(Errno.EINVAL, "another context", () -> other.dv.hostAddress(mr));
        byAddress.close();
        again.close();
        mr.close();
    }

    private static void completionQueues(GaudiCard card) {
        CompletionQueue usual = card.context.createCq(5);
        Check.equal(8, usual.cqe(), "entries");
        CompletionQueue asInC = card.context.createCq(4, null, null, 0, new HblCqInitAttr().portNum(EXTERNAL));
        QueuePair qp = card.qp(asInC);
        Check.fails(Errno.EINVAL, "sendCq belongs to port 3", () -> qp.modify(GaudiCard.init(INTERNAL)));
        qp.modify(GaudiCard.init(EXTERNAL));
        qp.close();
        asInC.close();
        CompletionQueue there = card.cq(EXTERNAL);
        Check.require(card.dv.queryCq(there).memCpuAddr() != 0, "no ring");
        Check.require(card.dv.queryCq(there).regsOffset() >= 0x100, "offset of registers");
        Check.fails(Errno.EOPNOTSUPP, "poll", card.context::createCompChannel);
        Check.fails(Errno.EINVAL, "port 7 is not open", () -> card.cq(7));
        usual.close();
        there.close();
    }

    private static void queuePairs(GaudiCard card) {
        CompletionQueue cq = card.cq(INTERNAL);
        Check.fails(
                Errno.EOPNOTSUPP,
                "type UD",
                () -> card.pd.createQp(GaudiCard.attr(cq, 1).qpType(QpType.UD)));
        QpInitAttr two = GaudiCard.attr(cq, 1);
        two.cap().maxSendSge(2);
        Check.fails(Errno.EINVAL, "maxSendSge", () -> card.pd.createQp(two));
        QpInitAttr inline = GaudiCard.attr(cq, 1);
        inline.cap().maxInlineData(16);
        Check.fails(Errno.EINVAL, "maxInlineData", () -> card.pd.createQp(inline));
        Check.fails(Errno.EINVAL, "maxSendWr is 256", () -> card.pd.createQp(GaudiCard.attr(cq, 256)));
        Check.equal(255, card.context.queryDevice().maxQpWr(), "maxQpWr");
        int[][] rings = {{0, 1}, {1, 1}, {2, 3}, {3, 3}, {100, 127}, {255, 255}};
        for (int[] ring : rings) {
            QpInitAttr attr = GaudiCard.attr(cq, ring[0]);
            QueuePair qp = card.pd.createQp(attr);
            Check.equal(ring[1], attr.cap().maxSendWr(), "requests");
            QpInitAttr told = new QpInitAttr();
            qp.query(new QpAttr(), QpAttrMask.CAP, told);
            Check.equal(ring[1], told.cap().maxSendWr(), "requests as reported");
            Check.equal(0, qp.qpNum(), "number before INIT");
            qp.close();
        }
        CompletionQueue elsewhere = card.cq(EXTERNAL);
        QueuePair mixed = card.pd.createQp(GaudiCard.attr(cq, 1).recvCq(elsewhere));
        Check.fails(Errno.EINVAL, "recvCq belongs to port 3", () -> mixed.modify(GaudiCard.init(INTERNAL)));
        mixed.close();
        elsewhere.close();
        cq.close();
    }

    private static void steps(GaudiCard one, GaudiCard two) {
        CompletionQueue cq = one.cq(INTERNAL);
        CompletionQueue peersCq = two.cq(INTERNAL);
        QueuePair qp = one.qp(cq);
        QueuePair second = one.qp(cq);
        QueuePair peer = two.qp(peersCq);
        Check.fails(Errno.EINVAL, "sendCq belongs to port 2", () -> qp.modify(GaudiCard.init(EXTERNAL)));
        Check.fails(
                Errno.EOPNOTSUPP,
                "REMOTE_READ",
                () -> qp.modify(GaudiCard.init(INTERNAL).qpAccessFlags(AccessFlags.REMOTE_READ)));
        qp.modify(GaudiCard.init(INTERNAL));
        second.modify(GaudiCard.init(INTERNAL));
        peer.modify(GaudiCard.init(INTERNAL));
        Check.require(qp.qpNum() != 0 && second.qpNum() != 0 && qp.qpNum() != second.qpNum(), "numbers on the wire");
        Check.equal(one.dv.queryQp(qp).qpNum(), qp.qpNum(), "number on the wire");
        Check.equal(0, one.dv.queryQp(qp).swqCpuAddr(), "ring before RTS");
        qp.modify(GaudiCard.rtr(two, INTERNAL, peer.qpNum()));
        qp.modify(GaudiCard.rts());
        Check.equal(QpState.RTS, state(qp), "state");
        Check.require(one.dv.queryQp(qp).swqCpuAddr() != 0, "no ring");
        Check.fails(Errno.EOPNOTSUPP, "SQD", () -> qp.modify(new QpAttr().qpState(QpState.SQD)));
        qp.modify(new QpAttr().qpState(QpState.ERR));
        Check.equal(QpState.ERR, state(qp), "state");
        qp.modify(new QpAttr().qpState(QpState.RESET));
        Check.equal(0, qp.qpNum(), "number in RESET");
        qp.modify(GaudiCard.init(INTERNAL));
        Check.require(qp.qpNum() != 0, "no number the second time");
        qp.close();
        second.close();
        peer.close();
        cq.close();
        peersCq.close();
    }

    /** A failed step leaves the queue pair in RESET, which neither libhbl nor the verbs report. */
    private static void failedSteps(GaudiCard one, GaudiCard two) {
        CompletionQueue cq = one.cq(INTERNAL);
        QueuePair qp = one.qp(cq);
        qp.modify(GaudiCard.init(INTERNAL));
        QpAttr wrapped = GaudiCard.with(
                GaudiCard.rtr(two, INTERNAL, 1),
                new HblQpAttr().caps(HblQpCaps.ENCAP).encapNum(1));
        Check.fails(Errno.EINVAL, "RESET now", () -> qp.modify(wrapped));
        Check.equal(QpState.RESET, state(qp), "state");
        Check.equal(0, qp.qpNum(), "number");
        qp.modify(GaudiCard.init(INTERNAL));
        qp.modify(GaudiCard.rtr(two, INTERNAL, 1));
        QpAttr urgent = GaudiCard.with(GaudiCard.rts(), new HblQpAttr().priority(4));
        Check.fails(Errno.EINVAL, "RESET now", () -> qp.modify(urgent));
        Check.equal(QpState.RESET, state(qp), "state");
        Check.fails(
                Errno.EOPNOTSUPP,
                "HblQpAttr",
                () -> qp.modify(GaudiCard.init(INTERNAL).vendor("what is not known")));
        qp.close();
        cq.close();
    }

    private static int state(QueuePair qp) {
        QpAttr attr = new QpAttr();
        qp.query(attr, QpAttrMask.STATE, new QpInitAttr());
        return attr.qpState();
    }

    /** The driver counts ports from 0. */
    private static void events(GaudiCard card) {
        Simulator.device_sim_port_state(0, INTERNAL, PortState.DOWN);
        AsyncEvent down = card.context.getAsyncEvent(Patience.SECONDS, TimeUnit.SECONDS);
        Check.equal(EventType.PORT_ERR, down.eventType(), "event");
        Check.equal(INTERNAL, down.portNum(), "port of the event");
        down.ack();
        Simulator.device_sim_port_state(0, INTERNAL, PortState.ACTIVE);
        AsyncEvent up = card.context.getAsyncEvent(Patience.SECONDS, TimeUnit.SECONDS);
        Check.equal(EventType.PORT_ACTIVE, up.eventType(), "event");
        Check.equal(INTERNAL, up.portNum(), "port of the event");
        up.ack();
    }

    private static Context open(HblOpenAttr attr) {
        return Verbs.open(GaudiCard.device(0), VerbsLevel.CURRENT, new OpenAttr().vendor(attr));
    }

    private static void opening() {
        Check.fails(Errno.EINVAL, "portsMask", () -> open(new HblOpenAttr().portsMask(1 << 5)));
        Check.fails(Errno.EBADF, "coreFd", () -> open(new HblOpenAttr().coreFd(0)));
        Check.fails(
                Errno.EOPNOTSUPP,
                "",
                () -> Verbs.open(GaudiCard.device(0), VerbsLevel.CURRENT, new OpenAttr().vendor("what is not known")));
        try (GaudiCard some =
                new GaudiCard(0, new HblOpenAttr().portsMask(1 << EXTERNAL).key(0x1234))) {
            Check.equal(1 << EXTERNAL, some.dv.queryDevice().portsMask(), "ports");
            Check.fails(Errno.EINVAL, "port 2 is not open", () -> some.cq(INTERNAL));
            CompletionQueue first = some.context.createCq(4);
            QueuePair qp = some.qp(first);
            qp.modify(GaudiCard.init(EXTERNAL));
            qp.close();
            first.close();
            MemoryRegion mr = some.pd.regMr(ByteBuffer.allocateDirect(64), 0);
            Check.equal(0x1234, mr.rkey(), "key");
            mr.close();
        }
    }

    private static HblPortExAttr port(int number, int wqs, int wqes) {
        return new HblPortExAttr()
                .portNum(number)
                .wqArray(HblWqArrays.GENERIC, wqs, wqes, HblMemIds.HOST, HblGranularities.BYTES_32);
    }

    /** Opens a card through the program's own descriptor of the accelerator, which the program keeps. */
    private static void ofTheProgram() {
        int other = DeviceFile.open("/dev/accel/accel1", READ_WRITE);
        Check.require(other >= 0, "the other accelerator does not open");
        Check.fails(Errno.EBADF, "coreFd", () -> open(new HblOpenAttr().coreFd(other)));
        Check.equal(0, DeviceFile.close(other), "close");
        int own = DeviceFile.open("/dev/accel/accel0", READ_WRITE);
        Check.require(own >= 0, "the accelerator does not open");
        Check.fails(Errno.EBUSY, "coreFd", () -> open(new HblOpenAttr())); // only one user at a time may open it
        for (int round = 0; round < 2; round++) {
            try (GaudiCard card = new GaudiCard(0, new HblOpenAttr().coreFd(own))) {
                MemoryRegion mr = card.pd.regMr(ByteBuffer.allocateDirect(64), 0);
                Check.require(mr.addr() != card.dv.hostAddress(mr), "no device address");
                mr.close();
                CompletionQueue cq = card.cq(INTERNAL);
                QueuePair qp = card.qp(cq);
                qp.modify(GaudiCard.init(INTERNAL));
                qp.close();
                cq.close();
            }
        }
        Check.equal(0, DeviceFile.close(own), "close of the program's descriptor");
        open(new HblOpenAttr()).close();
    }

    /** A port whose setup fails can be set up later: by the program, or at its first use. */
    private static void notNow() {
        try (GaudiCard card = new GaudiCard(0)) {
            Simulator.device_sim_fault(0, Simulator.PORT_BUSY, 0, 2);
            Check.fails(
                    Errno.EAGAIN, "port 2 is still being torn down", () -> card.dv.setPortEx(port(INTERNAL, 3, 512)));
            Check.fails(Errno.EAGAIN, "try again", () -> card.cq(INTERNAL));
            Simulator.device_sim_port_state(0, INTERNAL, PortState.DOWN);
            Check.fails(Errno.ENODEV, "wait for PORT_ACTIVE", () -> card.dv.setPortEx(port(INTERNAL, 3, 512)));
            Check.fails(Errno.ENODEV, "port 2 is down", () -> card.cq(INTERNAL));
            Check.equal(
                    255, card.context.queryDevice().maxQpWr(), "maxQpWr, which the refused attributes did not change");
            Simulator.device_sim_port_state(0, INTERNAL, PortState.ACTIVE);
            card.dv.setPortEx(port(INTERNAL, 3, 512));
            Check.equal(511, card.context.queryDevice().maxQpWr(), "maxQpWr");
            card.cq(INTERNAL).close();
        }
    }

    /** A port is set up once, and the program's settings hold. */
    private static void setUp() {
        try (GaudiCard card = new GaudiCard(0)) {
            Check.fails(Errno.EINVAL, "arrays", () -> card.dv.setPortEx(port(INTERNAL, 1, 64)));
            Check.fails(Errno.EINVAL, "arrays", () -> card.dv.setPortEx(port(INTERNAL, 4, 100)));
            Check.fails(Errno.EINVAL, "port 9", () -> card.dv.setPortEx(port(9, 4, 64)));
            card.dv.setPortEx(port(INTERNAL, 3, 512));
            Check.fails(Errno.EPERM, "already set up", () -> card.dv.setPortEx(port(INTERNAL, 3, 512)));
            Check.equal(511, card.context.queryDevice().maxQpWr(), "maxQpWr");
            Check.equal(2 + 127 + 127, card.context.queryDevice().maxQp(), "maxQp");
            CompletionQueue cq = card.cq(INTERNAL);
            QueuePair one = card.qp(cq);
            QueuePair two = card.qp(cq);
            QueuePair three = card.qp(cq);
            one.modify(GaudiCard.init(INTERNAL));
            two.modify(GaudiCard.init(INTERNAL));
            Check.fails(Errno.ENOSPC, "", () -> three.modify(GaudiCard.init(INTERNAL)));
            one.close();
            two.close();
            three.close();
            cq.close();
            CompletionQueue usual = card.cq(1);
            Check.fails(Errno.EPERM, "already set up", () -> card.dv.setPortEx(port(1, 3, 512)));
            usual.close();
        }
    }
}

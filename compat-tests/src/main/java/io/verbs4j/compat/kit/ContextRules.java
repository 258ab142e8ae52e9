/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.MemoryRegion;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** R2: the open device and its objects. */
interface ContextRules {
    @Rule(
            id = "R2.01",
            says = "the device opens, and tells its limits",
            look = {"VerbsProvider.openDevice", "VerbsProvider.initContext", "ContextOps.queryDevice"},
            man = "ibv_query_device(3), DESCRIPTION")
    default void r201QueryDevice(Rig rig) {
        DeviceAttr attr = rig.opened(Verbs.open(rig.device(rig.kit.deviceName()), VerbsLevel.CURRENT))
                .queryDevice();
        Seen.atLeast("physPortCnt", rig.kit.portNum(), attr.physPortCnt());
        Seen.atLeast("maxQp", 1, attr.maxQp());
        Seen.atLeast("maxQpWr", 1, attr.maxQpWr());
        Seen.atLeast("maxSge", 1, attr.maxSge());
        Seen.atLeast("maxCq", 1, attr.maxCq());
        Seen.atLeast("maxCqe", 1, attr.maxCqe());
        Seen.atLeast("maxMr", 1, attr.maxMr());
        Seen.atLeast("maxPd", 1, attr.maxPd());
        Seen.check(attr.maxMrSize() != 0, "maxMrSize is 0");
    }

    @Rule(
            id = "R2.02",
            says = "each port tells its state, its MTU and the sizes of its tables",
            look = "ContextOps.queryPort",
            man = "ibv_query_port(3), DESCRIPTION")
    default void r202QueryPort(Rig rig) {
        Context context = rig.open();
        for (int port = 1; port <= context.queryDevice().physPortCnt(); port++) {
            PortAttr attr = context.queryPort(port);
            String of = " of port " + port;
            if (port == rig.kit.portNum()) {
                Seen.equal("the state" + of, PortState.toString(PortState.ACTIVE), PortState.toString(attr.state()));
            }
            Seen.atLeast("activeMtu" + of, Mtu.MTU_256, attr.activeMtu());
            Seen.atLeast("maxMtu" + of, attr.activeMtu(), attr.maxMtu());
            Seen.atLeast("gidTblLen" + of, rig.kit.gidIndex(port) + 1L, attr.gidTblLen());
            Seen.atLeast("pkeyTblLen" + of, 1, attr.pkeyTblLen());
            Seen.check(attr.maxMsgSz() > 0, "maxMsgSz" + of + " is " + attr.maxMsgSz());
        }
    }

    @Rule(
            id = "R2.03",
            says = "a port, GID or P_Key that does not exist is refused",
            look = {"ContextOps.queryPort", "ContextOps.queryGid", "ContextOps.queryPkey"},
            man = "ibv_query_gid(3), RETURN VALUE")
    default void r203NoSuchPort(Rig rig) {
        Context context = rig.open();
        int ports = context.queryDevice().physPortCnt();
        Seen.refuses("queryPort(" + (ports + 1) + ")", () -> context.queryPort(ports + 1), Errno.EINVAL);
        Seen.refuses("queryGid(" + (ports + 1) + ", 0)", () -> context.queryGid(ports + 1, 0), Errno.EINVAL);
        Seen.refuses("queryPkey(" + (ports + 1) + ", 0)", () -> context.queryPkey(ports + 1, 0), Errno.EINVAL);
        for (int each = 1; each <= ports; each++) {
            int port = each;
            int gids = context.queryPort(port).gidTblLen();
            int pkeys = context.queryPort(port).pkeyTblLen();
            Seen.refuses("queryGid(" + port + ", " + gids + ")", () -> context.queryGid(port, gids), Errno.EINVAL);
            Seen.refuses("queryPkey(" + port + ", " + pkeys + ")", () -> context.queryPkey(port, pkeys), Errno.EINVAL);
        }
    }

    @Rule(
            id = "R2.04",
            says = "the GID that peers are to use on a port is not zero, and stays the same",
            look = "ContextOps.queryGid",
            man = "ibv_query_gid(3), DESCRIPTION")
    default void r204Gid(Rig rig) {
        Context context = rig.open();
        for (int port : Rig.activePorts(context)) {
            Gid gid = context.queryGid(port, rig.kit.gidIndex(port));
            Seen.check(!gid.equals(Gid.ZERO), "the GID of port " + port + " is zero");
            Gid again = context.queryGid(port, rig.kit.gidIndex(port));
            Seen.check(
                    gid.equals(again),
                    "the GID was " + gid + " on port " + port + ", but is " + again + " when queried again");
        }
    }

    @Rule(
            id = "R2.05",
            says = "a completion queue has at least the entries asked for, and never more than the device can",
            look = "ContextOps.createCq",
            man = "ibv_create_cq(3), DESCRIPTION")
    default void r205CqSize(Rig rig) {
        Context context = rig.open();
        CompletionQueue cq = rig.made(CompletionQueue.class, context.createCq(5));
        Seen.atLeast("cqe()", 5, cq.cqe());
        int most = context.queryDevice().maxCqe();
        if (most < Integer.MAX_VALUE) {
            Seen.refuses(
                    "createCq of " + (most + 1) + " entries (maxCqe is " + most + ")",
                    () -> context.createCq(most + 1),
                    Errno.EINVAL,
                    Errno.ENOMEM);
        }
    }

    @Rule(
            id = "R2.06",
            says = "a queue pair has at least the capacities asked for, and tells what it has",
            look = "ContextOps.createQp",
            man = "ibv_create_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r206Capacities(Rig rig) {
        Side a = rig.side(1).create();
        QpInitAttr attr = a.qpInit();
        attr.cap().maxSendWr(5).maxRecvWr(rig.hasReceives() ? 3 : 0);
        QueuePair qp = rig.opened(a.pd.createQp(attr));
        capacities(rig, "createQp", attr.cap(), qp);
        QpInitAttrEx extended = QpInitAttrEx.of(a.pd, a.qpInit());
        extended.cap().maxSendWr(5).maxRecvWr(rig.hasReceives() ? 3 : 0);
        qp = rig.opened(a.context.createQpEx(extended)); // if the device lacks the verb, createQp stands in
        capacities(rig, "createQpEx", extended.cap(), qp);
    }

    private static void capacities(Rig rig, String verb, QpCap cap, QueuePair qp) {
        Seen.atLeast("cap().maxSendWr after " + verb, 5, cap.maxSendWr());
        if (rig.hasReceives()) {
            Seen.atLeast("cap().maxRecvWr after " + verb, 3, cap.maxRecvWr());
        }
        QpInitAttr told = new QpInitAttr();
        qp.query(new io.verbs4j.QpAttr(), 0, told);
        Seen.equal("cap().maxSendWr of query", cap.maxSendWr(), told.cap().maxSendWr());
        Seen.atLeast(
                "cap().maxRecvWr of query",
                rig.hasReceives() ? 3 : 0,
                told.cap().maxRecvWr());
    }

    @Rule(
            id = "R2.07",
            says = "capacities beyond the device's limits are refused",
            look = "ContextOps.createQp",
            man = "ibv_create_qp(3), RETURN VALUE",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r207TooMuch(Rig rig) {
        Side a = rig.side(1).create();
        DeviceAttr limits = a.context.queryDevice();
        QpInitAttr attr = a.qpInit();
        attr.cap().maxSendWr(limits.maxQpWr() + 1);
        if (!rig.has(Capability.RC)) { // if the two queues differ, the smaller one sets the limit
            attr.cap().maxRecvWr(limits.maxQpWr() + 1);
        }
        Seen.refuses(
                "createQp with maxSendWr " + attr.cap().maxSendWr() + " (maxQpWr is " + limits.maxQpWr() + ")",
                () -> rig.opened(a.pd.createQp(attr)),
                Errno.EINVAL,
                Errno.ENOMEM);
        QpInitAttr wide = a.qpInit();
        if (rig.hasReceives()) {
            wide.cap().maxRecvSge(limits.maxSge() + 1);
        }
        if (!rig.has(Capability.RC) || !rig.hasReceives()) {
            wide.cap().maxSendSge(limits.maxSge() + 1);
        }
        Seen.refuses(
                "createQp with lists of " + (limits.maxSge() + 1) + " elements (maxSge is " + limits.maxSge() + ")",
                () -> rig.opened(a.pd.createQp(wide)),
                Errno.EINVAL,
                Errno.ENOMEM);
    }

    @Rule(
            id = "R2.08",
            says = "queue pairs have numbers of their own, of 24 bits",
            look = "ContextOps.createQp",
            man = "ibv_create_qp(3), DESCRIPTION; the Javadoc of QueuePair.qpNum",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r208Numbers(Rig rig) {
        Side a = rig.side(1).create();
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            QueuePair qp = a.anotherQp();
            if (!rig.kit.hasNumbersAtCreation()) {
                Seen.equal("qpNum() after createQp (hasNumbersAtCreation() is false)", 0, qp.qpNum());
                a.toInit(qp);
            }
            int number = qp.qpNum();
            Seen.check(numbers.add(number), "two queue pairs have the number " + number);
            Seen.check(number > 0 && number <= 0xffffff, "the queue pair number is " + number);
        }
    }

    @Rule(
            id = "R2.09",
            says = "a handle tells what it was made with",
            look = {"ContextOps.createQp", "ContextOps.createCq", "ContextOps.regMrBuffer"},
            man = "the Javadoc of QueuePair, CompletionQueue and MemoryRegion",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r209Handles(Rig rig) {
        Side a = rig.side(1).create();
        Seen.equal("userContext() of the queue pair", a, a.qp.userContext());
        Seen.equal("userContext() of the completion queue", a, a.cq.userContext());
        Seen.equal("qpType()", QpType.toString(rig.reliableType()), QpType.toString(a.qp.qpType()));
        Seen.equal("length() of the region", (long) Side.BYTES, a.mr.length());
        Seen.equal("access() of the region", a.regionAccess, a.mr.access());
        ByteBuffer part = a.memory.buffer.duplicate().position(100).limit(300);
        MemoryRegion region = a.region(part, AccessFlags.LOCAL_WRITE);
        Seen.equal("length() of a region of a part of a buffer", 200L, region.length());
        Seen.check(part.position() == 100 && part.limit() == 300, "position or limit of the buffer was changed");
    }

    @Rule(
            id = "R2.10",
            says = "contexts of one device do not disturb each other",
            look = {"VerbsProvider.openDevice", "ContextOps.close"},
            man = "ibv_close_device(3), DESCRIPTION",
            needs = Capability.SEVERAL_CONTEXTS)
    default void r210Independent(Rig rig) {
        Context first = rig.open();
        ProtectionDomain pd = rig.opened(first.allocPd());
        rig.opened(first.createCq(4));
        Context second = rig.open();
        second.createCq(4).close();
        second.close();
        rig.opened(pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE));
        CompletionQueue cq = rig.opened(first.createCq(4));
        Seen.equal(
                "poll of an empty queue", 0, cq.poll(1, new io.verbs4j.WorkCompletion[] {new io.verbs4j.WorkCompletion()
                }));
        Seen.check(first.queryDevice().maxQp() > 0, "maxQp of the other context is no longer above 0");
    }

    @Rule(
            id = "R2.11",
            says = "what is destroyed can be made again, any number of times",
            look = {
                "ContextOps.destroyQp",
                "ContextOps.destroyCq",
                "ContextOps.deregMr",
                "ContextOps.deallocPd",
                "ContextOps.close"
            },
            man = "ibv_destroy_qp(3), DESCRIPTION",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS})
    default void r211Lifecycle(Rig rig) {
        int rounds = 64;
        rig.open().close(); // skips if it does not open at all, which another rule checks
        for (int i = 0; i < rounds; i++) {
            try {
                Context context = rig.open();
                ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE);
                CompletionQueue cq = context.createCq(4);
                QueuePair qp = pd.createQp(
                        new QpInitAttr().qpType(rig.reliableType()).sendCq(cq).recvCq(cq));
                qp.close();
                cq.close();
                mr.close();
                pd.close();
                context.close();
            } catch (RuntimeException e) {
                Seen.check(false, "in round " + (i + 1) + " of " + rounds + ": " + e);
            }
        }
    }
}

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
import io.verbs4j.MwType;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** R2: the open device and the objects on it. */
abstract class ContextRules extends NegotiationRules {
    /** For {@link ProviderKit}. */
    ContextRules() {}

    /** Makes a side, without anything on it yet. */
    Side side(int seed) {
        return new Side(this, seed == 1 ? open() : open(peerDeviceName()), seed);
    }

    @Rule(
            id = "R2.01",
            says = "the device opens, and tells its limits",
            look = {"VerbsProvider.openDevice", "VerbsProvider.initContext", "ContextOps.queryDevice"},
            man = "ibv_query_device(3), DESCRIPTION")
    final void r201QueryDevice() {
        DeviceAttr attr =
                opened(Verbs.open(device(deviceName()), VerbsLevel.CURRENT)).queryDevice();
        Seen.atLeast("physPortCnt", portNum(), attr.physPortCnt());
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
            says = "a port tells its state, its MTU and the sizes of its tables",
            look = "ContextOps.queryPort",
            man = "ibv_query_port(3), DESCRIPTION")
    final void r202QueryPort() {
        PortAttr attr = open().queryPort(portNum());
        Seen.equal("the state", PortState.toString(PortState.ACTIVE), PortState.toString(attr.state()));
        Seen.atLeast("activeMtu", Mtu.MTU_256, attr.activeMtu());
        Seen.atLeast("maxMtu", attr.activeMtu(), attr.maxMtu());
        Seen.atLeast("gidTblLen", gidIndex() + 1L, attr.gidTblLen());
        Seen.atLeast("pkeyTblLen", 1, attr.pkeyTblLen());
        Seen.check(attr.maxMsgSz() > 0, "maxMsgSz is " + attr.maxMsgSz());
    }

    @Rule(
            id = "R2.03",
            says = "a port, GID or P_Key that does not exist is refused",
            look = {"ContextOps.queryPort", "ContextOps.queryGid", "ContextOps.queryPkey"},
            man = "ibv_query_gid(3), RETURN VALUE")
    final void r203NoSuchPort() {
        Context context = open();
        int ports = context.queryDevice().physPortCnt();
        PortAttr attr = context.queryPort(portNum());
        Seen.refuses("queryPort(" + (ports + 1) + ")", () -> context.queryPort(ports + 1), Errno.EINVAL);
        Seen.refuses(
                "queryGid of index " + attr.gidTblLen(),
                () -> context.queryGid(portNum(), attr.gidTblLen()),
                Errno.EINVAL);
        Seen.refuses(
                "queryPkey of index " + attr.pkeyTblLen(),
                () -> context.queryPkey(portNum(), attr.pkeyTblLen()),
                Errno.EINVAL);
    }

    @Rule(
            id = "R2.04",
            says = "the GID that peers are to use is not zero, and stays the same",
            look = "ContextOps.queryGid",
            man = "ibv_query_gid(3), DESCRIPTION")
    final void r204Gid() {
        Context context = open();
        Gid gid = context.queryGid(portNum(), gidIndex());
        Seen.check(!gid.equals(Gid.ZERO), "the GID is zero");
        Gid again = context.queryGid(portNum(), gidIndex());
        Seen.check(gid.equals(again), "the GID was " + gid + ", and is " + again + " when asked again");
    }

    @Rule(
            id = "R2.05",
            says = "a completion queue has at least the entries asked for, and never more than the device can",
            look = "ContextOps.createCq",
            man = "ibv_create_cq(3), DESCRIPTION")
    final void r205CqSize() {
        Context context = open();
        CompletionQueue cq = opened(authors().saw(CompletionQueue.class, context.createCq(5)));
        Seen.atLeast("cqe()", 5, cq.cqe());
        int most = context.queryDevice().maxCqe();
        if (most < Integer.MAX_VALUE) {
            Seen.refuses(
                    "createCq of " + (most + 1) + " entries where maxCqe is " + most,
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
            needs = Capability.RC)
    final void r206Capacities() {
        Side a = side(1).create();
        QpInitAttr attr = a.qpInit();
        attr.cap().maxSendWr(5).maxRecvWr(3);
        QueuePair qp = opened(a.pd.createQp(attr));
        Seen.atLeast("cap().maxSendWr after createQp", 5, attr.cap().maxSendWr());
        Seen.atLeast("cap().maxRecvWr after createQp", 3, attr.cap().maxRecvWr());
        QpInitAttr told = new QpInitAttr();
        qp.query(new io.verbs4j.QpAttr(), 0, told);
        Seen.equal(
                "cap().maxSendWr of query", attr.cap().maxSendWr(), told.cap().maxSendWr());
    }

    @Rule(
            id = "R2.07",
            says = "capacities beyond the device's limits are refused",
            look = "ContextOps.createQp",
            man = "ibv_create_qp(3), RETURN VALUE",
            needs = Capability.RC)
    final void r207TooMuch() {
        Side a = side(1).create();
        DeviceAttr limits = a.context.queryDevice();
        QpInitAttr attr = a.qpInit();
        attr.cap().maxSendWr(limits.maxQpWr() + 1);
        Seen.refuses(
                "createQp with maxSendWr " + attr.cap().maxSendWr() + " where maxQpWr is " + limits.maxQpWr(),
                () -> opened(a.pd.createQp(attr)),
                Errno.EINVAL,
                Errno.ENOMEM);
        QpInitAttr wide = a.qpInit();
        wide.cap().maxRecvSge(limits.maxSge() + 1);
        Seen.refuses(
                "createQp with maxRecvSge " + wide.cap().maxRecvSge() + " where maxSge is " + limits.maxSge(),
                () -> opened(a.pd.createQp(wide)),
                Errno.EINVAL,
                Errno.ENOMEM);
    }

    @Rule(
            id = "R2.08",
            says = "queue pairs have numbers of their own, of 24 bits",
            look = "ContextOps.createQp",
            man = "ibv_create_qp(3), DESCRIPTION",
            needs = Capability.RC)
    final void r208Numbers() {
        Side a = side(1).create();
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            int number = a.anotherQp().qpNum();
            Seen.check(numbers.add(number), "two queue pairs have the number " + number);
            Seen.check(number > 0 && number <= 0xffffff, "the number is " + number);
        }
    }

    @Rule(
            id = "R2.09",
            says = "a handle tells what it was made with",
            look = {"ContextOps.createQp", "ContextOps.createCq", "ContextOps.regMrBuffer"},
            man = "the Javadoc of QueuePair, CompletionQueue and MemoryRegion",
            needs = Capability.RC)
    final void r209Handles() {
        Side a = side(1).create();
        Seen.equal("userContext() of the queue pair", a, a.qp.userContext());
        Seen.equal("userContext() of the completion queue", a, a.cq.userContext());
        Seen.equal("qpType()", QpType.toString(QpType.RC), QpType.toString(a.qp.qpType()));
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
            man = "ibv_close_device(3), DESCRIPTION")
    final void r210Independent() {
        Context first = open();
        ProtectionDomain pd = opened(first.allocPd());
        opened(first.createCq(4));
        Context second = open();
        second.createCq(4).close();
        second.close();
        opened(pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE));
        CompletionQueue cq = opened(first.createCq(4));
        Seen.equal(
                "poll of an empty queue", 0, cq.poll(1, new io.verbs4j.WorkCompletion[] {new io.verbs4j.WorkCompletion()
                }));
        Seen.check(first.queryDevice().maxQp() > 0, "the device has no queue pairs any more");
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
            needs = Capability.RC)
    final void r211Lifecycle() {
        int rounds = 64;
        open().close(); // skips where it does not open at all: that is another rule's
        for (int i = 0; i < rounds; i++) {
            try {
                Context context = open();
                ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE);
                CompletionQueue cq = context.createCq(4);
                QueuePair qp = pd.createQp(
                        new QpInitAttr().qpType(QpType.RC).sendCq(cq).recvCq(cq));
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

    @Rule(
            id = "R2.12",
            says = "a verb that the kit is told the device does not have answers EOPNOTSUPP",
            look = {"ContextOps.createQp", "ContextOps.createSrq", "ContextOps.allocMw", "ContextOps.createCompChannel"
            },
            man = "the Javadoc of ContextOps, and the has... methods of the kit")
    final void r212Unsupported() {
        Context context = open();
        ProtectionDomain pd = opened(context.allocPd());
        CompletionQueue cq = opened(context.createCq(4));
        lacks(Capability.RC, () -> opened(pd.createQp(init(QpType.RC, cq))));
        lacks(Capability.UC, () -> opened(pd.createQp(init(QpType.UC, cq))));
        lacks(Capability.UD, () -> opened(pd.createQp(init(QpType.UD, cq))));
        lacks(
                Capability.SRQ,
                () -> opened(pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1)))));
        lacks(Capability.MEMORY_WINDOWS, () -> opened(pd.allocMw(MwType.TYPE_1)));
        lacks(Capability.COMPLETION_EVENTS, () -> opened(context.createCompChannel()));
        lacks(Capability.RESIZE_CQ, () -> cq.resize(8));
        lacks(
                Capability.XRC,
                () -> opened(context.openXrcd(new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT))));
    }

    private static QpInitAttr init(int type, CompletionQueue cq) {
        QpInitAttr attr = new QpInitAttr().qpType(type).sendCq(cq).recvCq(cq);
        attr.cap().maxSendWr(1).maxRecvWr(1).maxSendSge(1).maxRecvSge(1);
        return attr;
    }

    /** Nothing that a device has is left untested because its author has forgotten to say so. */
    private void lacks(Capability capability, Runnable verb) {
        if (!capability.in(this)) {
            Seen.refuses(
                    "the verb behind " + capability.method() + "(), which the kit is told the device does not have,",
                    verb,
                    Errno.EOPNOTSUPP);
        }
    }
}

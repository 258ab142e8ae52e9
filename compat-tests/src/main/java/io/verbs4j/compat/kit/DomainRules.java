/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.DomainRig.DESCRIBED;
import static io.verbs4j.compat.kit.DomainRig.NO_OPTIONAL_FLAG;
import static io.verbs4j.compat.kit.Memory.PAGE;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RingAllocator;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** R19: thread domains, parent domains, and the memory of rings. */
interface DomainRules {
    @Rule(
            id = "R19.01",
            since = 3,
            says = "what is made of a parent domain and of its protection domain may be used together, and with"
                    + " nothing of another domain",
            look = {"the function in the slot ALLOC_PARENT_DOMAIN", "QueuePair.postSend"},
            man = DESCRIBED,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = {Capability.RDMA_WRITE, Capability.PARENT_DOMAIN})
    default void r1901SameDomain(DomainRig rig) {
        rig.make(s -> {});
        ThreadDomain td = rig.made(ThreadDomain.class, rig.a.context.allocTd(new TdInitAttr()));
        ParentDomain domain = rig.parent(
                rig.a.context, new ParentDomainInitAttr().pd(rig.a.pd).td(td).pdContext(rig));
        Seen.check(
                domain.pd() == rig.a.pd && domain.td() == td,
                "pd() or td() is not what the parent domain was created with");
        Seen.check(domain.pdContext() == rig, "pdContext() is " + domain.pdContext());
        ProtectionDomain base = rig.a.pd;
        // A queue pair of the parent domain, and memory of either domain.
        rig.a.pd = domain;
        QueuePair parents = rig.a.anotherQp();
        MemoryRegion memory = rig.a.region(Memory.pages(PAGE), AccessFlags.LOCAL_WRITE);
        rig.a.pd = base;
        Seen.check(parents.pd() == domain, "pd() of a queue pair of a parent domain is " + parents.pd());
        QueuePair bases = rig.a.qp;
        rig.a.qp = parents;
        Side.connect(rig.a, rig.b);
        rig.write(1, rig.a.sge(0, 100), WcStatus.SUCCESS);
        rig.write(2, ScatterGatherElement.of(memory, 0, 100), WcStatus.SUCCESS);
        rig.a.qp = bases;
        rig.b.qp = rig.b.anotherQp();
        Side.connect(rig.a, rig.b);
        if (!rig.has(Capability.RC)) {
            rig.a.way(rig.b, rig.made(AddressHandle.class, domain.createAh(rig.b.path())));
        }
        rig.write(3, ScatterGatherElement.of(memory, 0, 100), WcStatus.SUCCESS);
        // And nothing of another domain.
        if (rig.a.context.queryDevice().maxPd() > 1) {
            ProtectionDomain other = rig.opened(rig.a.context.allocPd());
            ParentDomain foreign = rig.parent(rig.a.context, new ParentDomainInitAttr().pd(other));
            MemoryRegion far = rig.opened(foreign.regMr(Memory.pages(PAGE), AccessFlags.LOCAL_WRITE));
            rig.write(4, ScatterGatherElement.of(far, 0, 100), WcStatus.LOC_PROT_ERR);
        }
    }

    @Rule(
            id = "R19.02",
            since = 3,
            says = "thread domains and parent domains are made and freed, again and again; what is in use is not freed",
            look = {"the function in the slot ALLOC_TD", "the function in the slot DEALLOC_TD", "ContextOps.deallocPd"},
            man = "ibv_alloc_td(3), " + DESCRIBED,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.PARENT_DOMAIN)
    default void r1902Freed(DomainRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        for (int i = 0; i < 20; i++) {
            ThreadDomain td = rig.opened(context.allocTd(new TdInitAttr()));
            ParentDomain domain =
                    rig.parent(context, new ParentDomainInitAttr().pd(pd).td(td));
            CompletionQueue cq = rig.opened(context.createCq(4));
            QueuePair qp = rig.opened(domain.createQp(rig.init(cq)));
            Seen.refuses("close of a parent domain with a queue pair", domain::close, Errno.EBUSY);
            Seen.refuses("close of a thread domain in use", td::close, Errno.EBUSY);
            Seen.refuses("close of a domain that a parent domain uses", pd::close, Errno.EBUSY);
            qp.close();
            cq.close();
            domain.close();
            td.close();
        }
        pd.close();
    }

    // ---- allocators

    @Rule(
            id = "R19.03",
            since = 3,
            says = "rings get their memory from the allocator, and give back what they got when they are destroyed",
            look = {
                "the function in the slot ALLOC_PARENT_DOMAIN",
                "the functions in the slots CREATE_QP_EX and CREATE_CQ_EX"
            },
            man = DESCRIBED,
            needs = {Capability.RC, Capability.PARENT_DOMAIN, Capability.RING_ALLOCATORS})
    default void r1903Allocators(DomainRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        RingLog log = rig.log(pd);
        ParentDomain domain = rig.allocating(context, pd, log);
        DomainRig.Rings rings = rig.rings(context, domain);
        List<String> first = List.copyOf(log.asked);
        Seen.check(!first.isEmpty(), "the allocator was not called");
        Seen.equal("the number of allocations while in use", first.size(), log.given.size());
        rings.close();
        Seen.equal("the number of allocations that were not freed", 0, log.given.size());
        Seen.equal("the list of wrong calls", List.of(), log.wrong);
        log.asked.clear();
        rig.rings(context, domain).close();
        Seen.equal("what was requested the second time", first, log.asked);
        log.answer = RingAllocator.USE_DEFAULT;
        log.asked.clear();
        rig.rings(context, domain).close();
        Seen.equal("what was requested the third time, with USE_DEFAULT returned,", first, log.asked);
        Seen.equal("the list of wrong calls", List.of(), log.wrong);
        RingLog unused = rig.log(pd);
        ParentDomain plain = rig.parent(context, new ParentDomainInitAttr().pd(pd));
        rig.rings(context, plain).close();
        Seen.equal("what was requested of another domain's allocator", List.of(), unused.asked);
    }

    @Rule(
            id = "R19.04",
            since = 3,
            says = "where the allocator has no memory, or throws, nothing is made: ENOMEM",
            look = {
                "the function in the slot ALLOC_PARENT_DOMAIN",
                "the functions in the slots CREATE_QP_EX and CREATE_CQ_EX"
            },
            man = DESCRIBED,
            needs = {Capability.RC, Capability.PARENT_DOMAIN, Capability.RING_ALLOCATORS})
    default void r1904NoMemory(DomainRig rig) {
        Context context = rig.open();
        ProtectionDomain pd = rig.domain(context);
        RingLog log = rig.log(pd);
        ParentDomain domain = rig.allocating(context, pd, log);
        for (boolean throwing : new boolean[] {false, true}) {
            log.answer = throwing ? null : 0L;
            log.thrown = throwing ? new IllegalStateException("thrown by the kit's allocator") : null;
            log.asked.clear();
            String call = "creating queues with an allocator that " + (throwing ? "throws" : "returns 0");
            Seen.refuses(call, () -> rig.rings(context, domain), Errno.ENOMEM);
            Seen.check(!log.asked.isEmpty(), "the allocator was not called");
        }
        log.answer = null;
        log.thrown = null;
        DomainRig.Rings rings = rig.rings(context, domain);
        rings.close();
        Seen.equal("the number of allocations that were not freed", 0, log.given.size());
        Seen.equal("the list of wrong calls", List.of(), log.wrong);
    }

    // ---- create flags

    @Rule(
            id = "R19.05",
            since = 3,
            says = "special behaviour of queue pairs is there where queryDeviceEx tells it, and else refused, but"
                    + " for a hint",
            look = {"the function in the slot CREATE_QP_EX", "the function in the slot QUERY_DEVICE_EX"},
            man = "ibv_create_qp_ex(3) (create_flags), and the Javadoc of QpCreateFlags",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.QUERY_DEVICE_EX)
    default void r1905CreateFlags(DomainRig rig) {
        rig.make(s -> {});
        DeviceAttrEx attr = rig.a.context.queryDeviceEx();
        rig.flag(attr, Capability.CROSS_CHANNEL, QpCreateFlags.CROSS_CHANNEL, rig.reliableType());
        rig.flag(attr, Capability.CROSS_CHANNEL, QpCreateFlags.MANAGED_SEND, rig.reliableType());
        rig.flag(attr, Capability.CROSS_CHANNEL, QpCreateFlags.MANAGED_RECV, rig.reliableType());
        if (rig.has(Capability.UD)) {
            rig.flag(attr, Capability.BLOCK_SELF_MULTICAST, QpCreateFlags.BLOCK_SELF_MCAST_LB, QpType.UD);
        }
        Seen.refuses(
                "createQpEx with createFlags bit 20, which no level defines,",
                () -> rig.made(1 << 20, rig.reliableType()),
                Errno.EOPNOTSUPP);
        rig.a.qp = rig.made(QpCreateFlags.LOW_LATENCY, rig.reliableType());
        Side.connect(rig.a, rig.b);
        rig.a.exchange(rig.b, 1, 0, 0, 100);
    }

    @Rule(
            id = "R19.06",
            since = 3,
            says = "a member of a group gets what it sends there itself, unless it was made so that it does not;"
                    + " others get it in any case",
            look = {"QueuePair.postSend", "the function in the slot CREATE_QP_EX"},
            man = "ibv_create_qp_ex(3) (IBV_QP_CREATE_BLOCK_SELF_MCAST_LB)",
            needs = {
                Capability.UD,
                Capability.SEND,
                Capability.MULTICAST,
                Capability.BLOCK_SELF_MULTICAST,
                Capability.QUERY_DEVICE_EX
            })
    default void r1906OwnMulticasts(DatagramRig rig) {
        Assumptions.assumeTrue(rig.has(Capability.UD), "multicast requires datagrams");
        for (boolean blocked : new boolean[] {false, true}) {
            rig.make(s -> s.qpType = QpType.UD);
            if (blocked) {
                rig.a.createFlags = QpCreateFlags.BLOCK_SELF_MCAST_LB;
                rig.a.qp = rig.a.anotherQp();
            }
            for (Side side : List.of(rig.a, rig.b)) {
                side.toInit(side.qp);
                side.toRtr(side.qp, null, 0, 0);
                side.toRts(side.qp, 1);
                side.qp.attachMcast(rig.group(), 0);
                side.recv(7, 0, 1000);
            }
            rig.a.post(rig.a
                    .wr(WrOpcode.SEND, 1, rig.a.sge(2000, 200))
                    .ah(rig.opened(rig.a.pd.createAh(rig.toGroup())))
                    .remoteQpn(0xffffff)
                    .remoteQkey(Side.QKEY));
            rig.a.next(); // the send, or its multicast that came back before it
            rig.b.next(7, WcStatus.SUCCESS);
            if (blocked) {
                rig.a.nothing("of a multicast that the queue pair sent itself and must not receive");
            } else {
                rig.a.next();
            }
            rig.a.qp.detachMcast(rig.group(), 0);
            rig.b.qp.detachMcast(rig.group(), 0);
        }
    }

    @Rule(
            id = "R19.07",
            since = 3,
            says = "optional bits of create flags are dropped by whoever does not know them",
            look = {"the function in the slot CREATE_QP_EX", "the function in the slot CREATE_CQ_EX"},
            man = "the Javadoc of QpCreateFlags and CqCreateFlags",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.QUERY_DEVICE_EX)
    default void r1907OptionalFlags(Rig rig) {
        rig.make(s -> {});
        QpInitAttrEx attr = QpInitAttrEx.of(rig.a.pd, rig.a.qpInit().qpType(rig.reliableType()));
        attr.createFlags(0).createFlags(NO_OPTIONAL_FLAG); // sets both bits, for flags and for hints
        rig.a.qp = DomainRig.accepted("createQpEx", () -> rig.opened(rig.a.context.createQpEx(attr)));
        Side.connect(rig.a, rig.b);
        rig.a.exchange(rig.b, 1, 0, 0, 100);
        if (rig.has(Capability.EXTENDED_CQ)) {
            CqInitAttrEx cq = new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD);
            cq.flags(0).flags(NO_OPTIONAL_FLAG);
            DomainRig.accepted("createCqEx", () -> rig.opened(rig.a.context.createCqEx(cq)));
        }
    }
}

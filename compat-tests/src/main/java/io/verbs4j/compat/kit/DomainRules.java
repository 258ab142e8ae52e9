/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

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
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RingAllocator;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.AssertionFailedError;

/** R19: thread domains, parent domains, and where rings get their memory. */
abstract class DomainRules extends DmRules {
    private static final String DESCRIBED = "ibv_alloc_parent_domain(3), and the Javadoc of ParentDomain";
    private static final int ARENA = 1 << 20;
    private static final int INLINE = 32;
    private static final int NO_OPTIONAL_FLAG = 1 << 29;

    /** For {@link ProviderKit}. */
    DomainRules() {}

    private ParentDomain parent(Context context, ParentDomainInitAttr attr) {
        return made(ParentDomain.class, context.allocParentDomain(attr));
    }

    @Rule(
            id = "R19.01",
            since = 3,
            says =
                    "what is made of a parent domain and of its protection domain may be used together, and with nothing of another domain",
            look = {"the function in the slot ALLOC_PARENT_DOMAIN", "QueuePair.postSend"},
            man = DESCRIBED,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = {Capability.RDMA_WRITE, Capability.PARENT_DOMAIN})
    final void r1901SameDomain() {
        make(s -> {});
        ThreadDomain td = made(ThreadDomain.class, a.context.allocTd(new TdInitAttr()));
        ParentDomain domain =
                parent(a.context, new ParentDomainInitAttr().pd(a.pd).td(td).pdContext(this));
        Seen.check(domain.pd() == a.pd && domain.td() == td, "pd() and td() are not what it was made of");
        Seen.check(domain.pdContext() == this, "pdContext() is " + domain.pdContext());
        ProtectionDomain base = a.pd;
        // A queue pair of the parent domain, and memory of either.
        a.pd = domain;
        QueuePair parents = a.anotherQp();
        MemoryRegion memory = a.region(pages(PAGE), AccessFlags.LOCAL_WRITE);
        a.pd = base;
        Seen.check(parents.pd() == domain, "pd() of a queue pair of a parent domain is " + parents.pd());
        QueuePair bases = a.qp;
        a.qp = parents;
        Side.connect(a, b);
        write(1, a.sge(0, 100), WcStatus.SUCCESS);
        write(2, ScatterGatherElement.of(memory, 0, 100), WcStatus.SUCCESS);
        a.qp = bases;
        b.qp = b.anotherQp();
        Side.connect(a, b);
        if (!hasRc()) {
            a.way(b, made(AddressHandle.class, domain.createAh(b.path())));
        }
        write(3, ScatterGatherElement.of(memory, 0, 100), WcStatus.SUCCESS);
        // And nothing of another domain.
        if (a.context.queryDevice().maxPd() > 1) {
            ProtectionDomain other = opened(a.context.allocPd());
            ParentDomain foreign = parent(a.context, new ParentDomainInitAttr().pd(other));
            MemoryRegion far = opened(foreign.regMr(pages(PAGE), AccessFlags.LOCAL_WRITE));
            write(4, ScatterGatherElement.of(far, 0, 100), WcStatus.LOC_PROT_ERR);
        }
    }

    private void write(long wrId, ScatterGatherElement from, int status) {
        a.post(a.request(WrOpcode.RDMA_WRITE, b, wrId, 2000, from));
        a.next(wrId, status);
    }

    @Rule(
            id = "R19.02",
            since = 3,
            says = "thread domains and parent domains are made and freed, again and again; what is in use is not freed",
            look = {"the function in the slot ALLOC_TD", "the function in the slot DEALLOC_TD", "ContextOps.deallocPd"},
            man = "ibv_alloc_td(3), " + DESCRIBED,
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.PARENT_DOMAIN)
    final void r1902Freed() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        for (int i = 0; i < 20; i++) {
            ThreadDomain td = opened(context.allocTd(new TdInitAttr()));
            ParentDomain domain =
                    parent(context, new ParentDomainInitAttr().pd(pd).td(td));
            CompletionQueue cq = opened(context.createCq(4));
            QueuePair qp = opened(domain.createQp(init(cq)));
            Seen.refuses("close of a parent domain with a queue pair", domain::close, Errno.EBUSY);
            Seen.refuses("close of a thread domain in use", td::close, Errno.EBUSY);
            Seen.refuses("close of a domain that a parent domain is made of", pd::close, Errno.EBUSY);
            qp.close();
            cq.close();
            domain.close();
            td.close();
        }
        pd.close();
    }

    private QpInitAttr init(CompletionQueue cq) {
        QpInitAttr attr = new QpInitAttr().qpType(reliableType()).sendCq(cq).recvCq(cq);
        attr.cap().maxSendWr(1).maxSendSge(1);
        if (hasReceives()) {
            attr.cap().maxRecvWr(1).maxRecvSge(1);
        }
        return attr;
    }

    // ---- allocators

    /** What is made of a parent domain. */
    private record Rings(CompletionQueue cq, QueuePair qp, SharedReceiveQueue srq) {
        void close() {
            qp.close();
            if (srq != null) {
                srq.close();
            }
            cq.close();
        }
    }

    private Rings rings(Context context, ParentDomain domain) {
        CompletionQueue cq = opened(
                hasExtendedCq()
                        ? context.createCqEx(new CqInitAttrEx().cqe(8).parentDomain(domain))
                        : context.createCq(8));
        QpInitAttr init = init(cq);
        if (hasInline()) {
            init.cap().maxInlineData(INLINE); // which a device may have memory of its own for
        }
        QueuePair qp = opened(domain.createQp(init));
        SrqInitAttr attr = new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1));
        return new Rings(cq, qp, hasSrq() ? opened(domain.createSrq(attr)) : null);
    }

    /** A parent domain with an allocator that has an arena to give from. */
    private ParentDomain allocating(Context context, ProtectionDomain pd, RingLog log) {
        ParentDomain domain = parent(
                context, new ParentDomainInitAttr().pd(pd).allocators(log).pdContext(this));
        log.pd = domain;
        log.pdContext = this;
        return domain;
    }

    private RingLog log(ProtectionDomain pd) {
        return new RingLog(opened(pd.regMr(pages(ARENA), AccessFlags.LOCAL_WRITE)));
    }

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
    final void r1903Allocators() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        RingLog log = log(pd);
        ParentDomain domain = allocating(context, pd, log);
        Rings rings = rings(context, domain);
        List<String> first = List.copyOf(log.asked);
        Seen.check(!first.isEmpty(), "nothing has asked the allocator for memory");
        Seen.equal("what was taken back while it is in use", first.size(), log.given.size());
        rings.close();
        Seen.equal("what was not taken back", 0, log.given.size());
        Seen.equal("calls that are wrong", List.of(), log.wrong);
        log.asked.clear();
        rings(context, domain).close();
        Seen.equal("what was asked the second time", first, log.asked);
        log.answer = RingAllocator.USE_DEFAULT;
        log.asked.clear();
        rings(context, domain).close();
        Seen.equal("what was asked by the third, which got the device's own memory,", first, log.asked);
        Seen.equal("calls that are wrong", List.of(), log.wrong);
        RingLog unused = log(pd);
        ParentDomain plain = parent(context, new ParentDomainInitAttr().pd(pd));
        rings(context, plain).close();
        Seen.equal("what was asked of another domain's allocator", List.of(), unused.asked);
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
    final void r1904NoMemory() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        RingLog log = log(pd);
        ParentDomain domain = allocating(context, pd, log);
        for (boolean throwing : new boolean[] {false, true}) {
            log.answer = throwing ? null : 0L;
            log.thrown = throwing ? new IllegalStateException("the program's own") : null;
            log.asked.clear();
            String call = "making queues with an allocator that " + (throwing ? "throws" : "answers 0");
            Seen.refuses(call, () -> rings(context, domain), Errno.ENOMEM);
            Seen.check(!log.asked.isEmpty(), "nothing has asked the allocator for memory");
        }
        log.answer = null;
        log.thrown = null;
        Rings rings = rings(context, domain);
        rings.close();
        Seen.equal("what was not taken back", 0, log.given.size());
        Seen.equal("calls that are wrong", List.of(), log.wrong);
    }

    // ---- create flags

    @Rule(
            id = "R19.05",
            since = 3,
            says =
                    "special behaviour of queue pairs is there where queryDeviceEx tells it, and else refused, but for a hint",
            look = {"the function in the slot CREATE_QP_EX", "the function in the slot QUERY_DEVICE_EX"},
            man = "ibv_create_qp_ex(3) (create_flags), and the Javadoc of QpCreateFlags",
            oneOf = {Capability.RC, Capability.RELIABLE_DATAGRAMS},
            needs = Capability.QUERY_DEVICE_EX)
    final void r1905CreateFlags() {
        make(s -> {});
        DeviceAttrEx attr = a.context.queryDeviceEx();
        flag(attr, Capability.CROSS_CHANNEL, QpCreateFlags.CROSS_CHANNEL, reliableType());
        flag(attr, Capability.CROSS_CHANNEL, QpCreateFlags.MANAGED_SEND, reliableType());
        flag(attr, Capability.CROSS_CHANNEL, QpCreateFlags.MANAGED_RECV, reliableType());
        if (hasUd()) {
            flag(attr, Capability.BLOCK_SELF_MULTICAST, QpCreateFlags.BLOCK_SELF_MCAST_LB, QpType.UD);
        }
        Seen.refuses(
                "createQpEx with createFlags bit 20, which no level has,",
                () -> made(1 << 20, reliableType()),
                Errno.EOPNOTSUPP);
        a.qp = made(QpCreateFlags.LOW_LATENCY, reliableType());
        Side.connect(a, b);
        a.exchange(b, 1, 0, 0, 100);
    }

    private QueuePair made(int flags, int type) {
        QpInitAttr init = a.qpInit().qpType(type);
        return made(
                QueuePair.class,
                a.context.createQpEx(QpInitAttrEx.of(a.pd, init).createFlags(flags)));
    }

    private void flag(DeviceAttrEx attr, Capability capability, int flag, int type) {
        boolean stated = capability.in(this);
        String where = QpCreateFlags.toString(flag) + ", where " + capability.method() + "() says " + stated + ",";
        Seen.equal("whether qpCreateFlags of queryDeviceEx has " + where, stated, (attr.qpCreateFlags() & flag) != 0);
        if (stated) {
            made(flag, type);
        } else {
            Seen.refuses("createQpEx with " + where, () -> made(flag, type), Errno.EOPNOTSUPP);
        }
    }

    @Rule(
            id = "R19.06",
            since = 3,
            says =
                    "a member of a group gets what it sends there itself, unless it was made so that it does not; others get it in any case",
            look = {"QueuePair.postSend", "the function in the slot CREATE_QP_EX"},
            man = "ibv_create_qp_ex(3) (IBV_QP_CREATE_BLOCK_SELF_MCAST_LB)",
            needs = {
                Capability.UD,
                Capability.SEND,
                Capability.MULTICAST,
                Capability.BLOCK_SELF_MULTICAST,
                Capability.QUERY_DEVICE_EX
            })
    final void r1906OwnMulticasts() {
        Assumptions.assumeTrue(hasUd(), "multicasts are datagrams");
        for (boolean blocked : new boolean[] {false, true}) {
            make(s -> s.qpType = QpType.UD);
            if (blocked) {
                a.createFlags = QpCreateFlags.BLOCK_SELF_MCAST_LB;
                a.qp = a.anotherQp();
            }
            for (Side side : List.of(a, b)) {
                side.toInit(side.qp);
                side.toRtr(side.qp, null, 0, 0);
                side.toRts(side.qp, 1);
                side.qp.attachMcast(group(), 0);
                side.recv(7, 0, 1000);
            }
            a.post(a.wr(WrOpcode.SEND, 1, a.sge(2000, 200))
                    .ah(opened(a.pd.createAh(toGroup())))
                    .remoteQpn(0xffffff)
                    .remoteQkey(Side.QKEY));
            a.next(); // the send, or what has come back before it
            b.next(7, WcStatus.SUCCESS);
            if (blocked) {
                a.nothing("of a multicast that the queue pair has sent itself, and is not to get");
            } else {
                a.next();
            }
            a.qp.detachMcast(group(), 0);
            b.qp.detachMcast(group(), 0);
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
    final void r1907OptionalFlags() {
        make(s -> {});
        QpInitAttrEx attr = QpInitAttrEx.of(a.pd, a.qpInit().qpType(reliableType()));
        attr.createFlags(0).createFlags(NO_OPTIONAL_FLAG); // sets the bits of both, flags and hints
        a.qp = accepted("createQpEx", () -> opened(a.context.createQpEx(attr)));
        Side.connect(a, b);
        a.exchange(b, 1, 0, 0, 100);
        if (hasExtendedCq()) {
            CqInitAttrEx cq = new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD);
            cq.flags(0).flags(NO_OPTIONAL_FLAG);
            accepted("createCqEx", () -> opened(a.context.createCqEx(cq)));
        }
    }

    private static <T> T accepted(String call, Supplier<T> made) {
        try {
            return made.get();
        } catch (VerbsException e) {
            throw new AssertionFailedError(
                    call + " with flag bit 29, which no level has and is optional, answered " + Errno.name(e.errno()),
                    e);
        }
    }
}

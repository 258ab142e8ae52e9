/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.CountersInitAttr;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.FlowAttr;
import io.verbs4j.FlowSpecActionDrop;
import io.verbs4j.FlowSpecActionTag;
import io.verbs4j.FlowSpecEth;
import io.verbs4j.Gid;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.MwType;
import io.verbs4j.OpenAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpRateLimitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RawPacketCaps;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcExFlags;
import io.verbs4j.WqInitAttr;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;
import io.verbs4j.spi.ExtendedProvider;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;

/**
 * R2 again: what the kit is told of the device holds, both ways. What is stated is there, what is not answers EOPNOTSUPP, and so
 * does what nobody has heard of.
 */
abstract class DeclaredRules extends XrcRules {
    private static final int NO_TYPE = 77;
    private static final int NO_RIGHT = 1 << 19;
    private static final int NO_OPTIONAL_RIGHT = 1 << 29;
    private static final long NO_ATTRIBUTE = 1L << 30;
    private static final long NO_OPTIONAL_ATTRIBUTE = 1L << 60;

    /** What is memory by a key or by an address of its own. */
    private static final Set<Capability> KEYED = EnumSet.of(
            Capability.MEMORY_WINDOWS,
            Capability.TYPE_2_WINDOWS,
            Capability.SEND_WITH_INV,
            Capability.FAST_REGISTER,
            Capability.READ_WITH_INV,
            Capability.REG_MR_EX,
            Capability.DMABUF,
            Capability.ZERO_BASED,
            Capability.NULL_MR,
            Capability.DEVICE_MEMORY);

    /** For {@link ProviderKit}. */
    DeclaredRules() {}

    /** A type that no provider knows. */
    private interface Stranger {}

    @Rule(
            id = "R2.12",
            says = "a verb that the kit is told the device does not have answers EOPNOTSUPP",
            look = {"ContextOps.createQp", "ContextOps.createSrq", "ContextOps.allocMw", "ContextOps.createCompChannel"
            },
            man = "the Javadoc of ContextOps, and the has... methods of the kit")
    final void r212Unsupported() {
        verbs((capability, verb) -> {
            if (!capability.in(this)) {
                int answer = verb.getAsInt();
                Seen.check(
                        answer == Errno.EOPNOTSUPP,
                        "the verb behind " + capability.method()
                                + "(), which the kit is told the device does not have, " + said(answer)
                                + "; it must answer EOPNOTSUPP");
            }
        });
    }

    @Rule(
            id = "R2.13",
            says = "a verb that the kit is told the device has is there",
            look = {"ContextOps.createQp", "ContextOps.createSrq", "ContextOps.allocMw", "ContextOps.createCompChannel"
            },
            man = "the Javadoc of ContextOps, and the has... methods of the kit")
    final void r213Supported() {
        verbs((capability, verb) -> {
            if (capability.in(this)) {
                Seen.check(
                        verb.getAsInt() != Errno.EOPNOTSUPP,
                        "the verb behind " + capability.method()
                                + "(), which the kit is told the device has, answered EOPNOTSUPP");
            }
        });
        needs(Capability.UD, hasSend(), "hasSend()");
        needs(Capability.MULTICAST, hasUd(), "hasUd()");
        needs(Capability.RNR, hasSend(), "hasSend()");
        needs(Capability.IMMEDIATE, hasSend() || hasRdmaWrite(), "hasSend() or hasRdmaWrite()");
        needs(Capability.INLINE, hasSend() || hasRdmaWrite(), "hasSend() or hasRdmaWrite()");
        needs(Capability.SEND_WITH_INV, hasSend(), "hasSend()");
        needs(Capability.SEND_WITH_INV, hasTypeTwoWindows(), "hasTypeTwoWindows()");
        for (Capability keyed : KEYED) {
            needs(keyed, hasRegionKeys(), "hasRegionKeys()");
        }
        needs(Capability.XRC, hasExtendedVerbs() && hasSend(), "hasExtendedVerbs() and hasSend()");
        needs(Capability.SEND_OPS, hasExtendedVerbs(), "hasExtendedVerbs()");
        for (Capability verb : EnumSet.range(Capability.EXTENDED_CQ, Capability.RATE_LIMIT)) {
            needs(verb, hasExtendedVerbs(), "hasExtendedVerbs()");
        }
        needs(Capability.COMPLETION_TIMESTAMPS, hasExtendedCq(), "hasExtendedCq()");
        needs(Capability.COMPLETION_TIMESTAMPS, hasQueryDeviceEx(), "hasQueryDeviceEx(), which tells of them");
        needs(Capability.MODIFY_CQ, hasQueryDeviceEx(), "hasQueryDeviceEx(), which tells how far");
        needs(Capability.RATE_LIMIT, hasQueryDeviceEx(), "hasQueryDeviceEx(), which tells how far");
        later();
    }

    /** Those of the rest of level 3. */
    private void later() {
        for (Capability verb : EnumSet.range(Capability.ATOMIC_WRITE, Capability.CROSS_CHANNEL)) {
            needs(verb, hasQueryDeviceEx(), "hasQueryDeviceEx(), which tells of it");
            boolean reliable = verb == Capability.PARENT_DOMAIN && hasReliableDatagrams();
            needs(verb, hasRc() || reliable || verb == Capability.BLOCK_SELF_MULTICAST, "hasRc()");
        }
        needs(Capability.ATOMIC_WRITE, hasRdmaWrite(), "hasRdmaWrite()");
        needs(Capability.FLUSH_PERSISTENT, hasFlush(), "hasFlush()");
        needs(Capability.MASKED_ATOMICS, hasAtomics(), "hasAtomics()");
        needs(Capability.READ_WITH_INV, hasFastRegister(), "hasFastRegister()");
        needs(Capability.READ_WITH_INV, hasRdmaRead(), "hasRdmaRead()");
        needs(Capability.DMABUF, hasRegMrEx(), "hasRegMrEx()");
        needs(Capability.ADVISE_MR, hasOnDemand(), "hasOnDemand()");
        needs(Capability.RING_ALLOCATORS, hasParentDomain(), "hasParentDomain()");
        needs(Capability.BLOCK_SELF_MULTICAST, hasMulticast(), "hasMulticast()");
        needs(Capability.IMPORTS, hasSeveralContexts(), "hasSeveralContexts()");
        needs(Capability.COMPLETION_COUNTERS, hasReliable(), "hasRc() or hasReliableDatagrams()");
        needs(Capability.TAG_MATCHING, hasRc() && hasSend(), "hasRc() and hasSend()");
        needs(Capability.TAG_MATCHING, hasExtendedCq(), "hasExtendedCq(), whose completions report tags");
        needs(Capability.TAG_MATCHING, hasQueryDeviceEx(), "hasQueryDeviceEx(), which reports it");
        needs(Capability.TAG_RENDEZVOUS, hasTagMatching() && hasRdmaRead(), "hasTagMatching() and hasRdmaRead()");
        needs(Capability.ECE, hasRc(), "hasRc()");
        needs(Capability.ETHERNET, hasExtendedVerbs(), "hasExtendedVerbs()");
        for (Capability frames : EnumSet.range(Capability.FLOW_ACTIONS, Capability.WORK_QUEUES)) {
            needs(frames, hasEthernet(), "hasEthernet()");
        }
        for (Capability offload : EnumSet.range(Capability.CHECKSUMS, Capability.TSO)) {
            needs(offload, hasQueryDeviceEx(), "hasQueryDeviceEx(), which reports it");
        }
        needs(Capability.TSO, hasChecksums(), "hasChecksums(), which each segment needs");
    }

    /** What is stated, and comes to nothing without another thing, would be tested by nothing. */
    private void needs(Capability capability, boolean there, String other) {
        Seen.check(
                there || !capability.in(this),
                capability.method() + "() says that the device has " + capability.words()
                        + ", which comes to nothing without " + other);
    }

    /** The verbs that tell whether a capability is there; each answers 0 or an errno. */
    private void verbs(BiConsumer<Capability, IntSupplier> take) {
        boolean extended = provider() instanceof ExtendedProvider;
        take.accept(Capability.EXTENDED, () -> extended ? 0 : Errno.EOPNOTSUPP);
        Context context = open();
        ProtectionDomain pd = domain(context);
        CompletionQueue cq = opened(context.createCq(4));
        take.accept(Capability.RC, () -> answer(() -> opened(pd.createQp(init(QpType.RC, cq)))));
        if (hasReliable()) {
            QpInitAttrEx attr = QpInitAttrEx.of(pd, init(reliableType(), cq)).sendOpsFlags(Operation.stated(this));
            take.accept(Capability.SEND_OPS, () -> answer(() -> opened(context.createQpEx(attr))));
        }
        take.accept(Capability.UC, () -> answer(() -> opened(pd.createQp(init(QpType.UC, cq)))));
        take.accept(Capability.UD, () -> answer(() -> opened(pd.createQp(init(QpType.UD, cq)))));
        take.accept(Capability.RELIABLE_DATAGRAMS, () -> {
            int errno = answer(() -> opened(pd.createQp(init(QpType.DRIVER, cq))));
            return errno == Errno.EINVAL
                    ? Errno.EOPNOTSUPP
                    : errno; // the type is the vendor's: others want attributes with it
        });
        SrqInitAttr srq = new SrqInitAttr().attr(new SrqAttr().maxWr(4).maxSge(1));
        take.accept(Capability.SRQ, () -> answer(() -> opened(pd.createSrq(srq))));
        take.accept(Capability.MEMORY_WINDOWS, () -> answer(() -> opened(pd.allocMw(MwType.TYPE_1))));
        take.accept(Capability.TYPE_2_WINDOWS, () -> answer(() -> opened(pd.allocMw(MwType.TYPE_2))));
        take.accept(Capability.COMPLETION_EVENTS, () -> answer(() -> opened(context.createCompChannel())));
        take.accept(Capability.COMPLETION_EVENTS, () -> cq.reqNotify(false));
        take.accept(Capability.ASYNC_EVENTS, () -> answer(() -> context.getAsyncEvent(0, TimeUnit.NANOSECONDS)));
        take.accept(Capability.RESIZE_CQ, () -> answer(() -> cq.resize(8)));
        grown(take, context, cq);
        XrcdInitAttr xrcd = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
        take.accept(Capability.XRC, () -> answer(() -> opened(context.openXrcd(xrcd))));
        QpInitAttrEx sender = new QpInitAttrEx().qpType(QpType.XRC_SEND).pd(pd).sendCq(cq);
        sender.cap().maxSendWr(1).maxSendSge(1);
        take.accept(Capability.XRC, () -> answer(() -> opened(context.createQpEx(sender))));
        if (hasUd()) {
            Side side = side(1);
            side.qpType = QpType.UD;
            side.create();
            side.toInit(side.qp);
            Gid group = Gid.parseHex("ff0e0000000000000000000000010203");
            take.accept(
                    Capability.MULTICAST,
                    () -> answer(() -> {
                        side.qp.attachMcast(group, 0);
                        side.qp.detachMcast(group, 0);
                    }));
        }
    }

    /** Those of level 3. Where something stands in for a verb, its slot tells whether it is there. */
    private void grown(BiConsumer<Capability, IntSupplier> take, Context context, CompletionQueue cq) {
        ContextAttr parties = context.queryContext();
        Map<Capability, Integer> slots = Map.of(
                Capability.QUERY_DEVICE_EX, ContextSlot.QUERY_DEVICE_EX,
                Capability.QUERY_GID_EX, ContextSlot.QUERY_GID_EX,
                Capability.DATA_IN_ORDER, ContextSlot.QUERY_QP_DATA_IN_ORDER);
        slots.forEach((verb, slot) -> take.accept(verb, () -> parties.hasVerb(slot) ? 0 : Errno.EOPNOTSUPP));
        CqInitAttrEx standard = new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD);
        take.accept(
                Capability.EXTENDED_CQ,
                () -> opened(context.createCqEx(standard)).wcFlags() == 0 ? Errno.EOPNOTSUPP : 0);
        CqInitAttrEx times = new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD | WcExFlags.COMPLETION_TIMESTAMP);
        take.accept(Capability.COMPLETION_TIMESTAMPS, () -> answer(() -> opened(context.createCqEx(times))));
        take.accept(Capability.QUERY_VALUES, () -> answer(() -> context.queryValues(ValuesMask.RAW_CLOCK)));
        ModifyCqAttr off = new ModifyCqAttr().cqCount(0).cqPeriod(0);
        take.accept(Capability.MODIFY_CQ, () -> answer(() -> cq.modify(off)));
        take.accept(
                Capability.IMPORTS,
                () -> answer(() -> {
                    ExportedFd fd = opened(context.exportDevice());
                    open(new OpenAttr().importFd(fd.fd()));
                }));
        take.accept(
                Capability.COMPLETION_COUNTERS,
                () -> answer(() -> opened(context.createCompCntr(new CompCntrInitAttr()))));
        take.accept(Capability.COMPLETION_COUNTERS, () -> answer(context::queryCompCntrCaps));
        take.accept(
                Capability.DMA_BUFFERS,
                () -> answer(() -> opened(domain(context).allocBuf(1))));
        take.accept(Capability.DMA_HINTS, () -> answer(() -> opened(context.allocDmah(new DmahInitAttr().ph(1)))));
        ethernet(take, context, cq);
        tags(take, context, cq);
        if (hasRc()) {
            Side side = side(1).create();
            Side peer = side(2).create();
            Side.connect(side, peer);
            take.accept(Capability.RATE_LIMIT, () -> answer(() -> side.qp.modifyRateLimit(new QpRateLimitAttr())));
        }
    }

    /** Tag matching and options of connections. */
    private void tags(BiConsumer<Capability, IntSupplier> take, Context context, CompletionQueue cq) {
        ProtectionDomain pd = domain(context);
        take.accept(
                Capability.TAG_MATCHING,
                () -> answer(() -> {
                    CqInitAttrEx attr = new CqInitAttrEx().cqe(4).wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO);
                    SrqInitAttrEx srq =
                            new SrqInitAttrEx().srqType(SrqType.TM).pd(pd).cq(opened(context.createCqEx(attr)));
                    opened(context.createSrqEx(
                            srq.attr(new SrqAttr().maxWr(4).maxSge(1)).tmCap(4, 4)));
                }));
        if (hasTagMatching()) {
            int header = context.queryDeviceEx().tmMaxRndvHdrSize();
            take.accept(Capability.TAG_RENDEZVOUS, () -> header > 0 ? 0 : Errno.EOPNOTSUPP);
        }
        if (hasRc()) {
            QueuePair qp = opened(pd.createQp(init(QpType.RC, cq)));
            take.accept(Capability.ECE, () -> {
                int[] options = {0}; // a device that offers no options lacks them
                int answer = answer(() -> options[0] = qp.queryEce().options());
                return answer == 0 && options[0] == 0 ? Errno.EOPNOTSUPP : answer;
            });
        }
    }

    /** Ethernet; the capabilities that need it are asked only of devices that have it. */
    private void ethernet(BiConsumer<Capability, IntSupplier> take, Context context, CompletionQueue cq) {
        ProtectionDomain pd = domain(context);
        QpInitAttr raw = init(QpType.RAW_PACKET, cq);
        take.accept(Capability.ETHERNET, () -> answer(() -> opened(pd.createQp(raw))));
        if (!hasEthernet()) {
            return;
        }
        FrameEnd end = new FrameEnd(this, context, portNum());
        QueuePair qp = end.ready(cq);
        FlowSpecEth nobody = new FlowSpecEth().dstMac(new byte[] {2, 0x25, 0, 0, 0, 1});
        FlowAttr tagged = new FlowAttr().specs(nobody, new FlowSpecActionTag(1));
        FlowAttr dropped = new FlowAttr().priority(1).specs(nobody, new FlowSpecActionDrop());
        take.accept(Capability.FLOW_ACTIONS, () -> answer(() -> end.flow(qp, tagged)));
        take.accept(Capability.FLOW_ACTIONS, () -> answer(() -> end.flow(qp, dropped)));
        CountersInitAttr counters = new CountersInitAttr();
        take.accept(Capability.FLOW_COUNTERS, () -> answer(() -> opened(context.createCounters(counters))));
        boolean sums = (context.queryDeviceEx().rawPacketCaps() & RawPacketCaps.IP_CSUM) != 0;
        take.accept(Capability.CHECKSUMS, () -> sums ? 0 : Errno.EOPNOTSUPP);
        QpInitAttrEx strips = end.init(cq).createFlags(QpCreateFlags.CVLAN_STRIPPING);
        take.accept(Capability.VLAN_STRIPPING, () -> answer(() -> end.queuePair(strips)));
        QpInitAttrEx cuts = end.init(cq).maxTsoHeader(64);
        take.accept(Capability.TSO, () -> answer(() -> end.queuePair(cuts)));
        WqInitAttr wq = new WqInitAttr().maxWr(1).maxSge(1).pd(pd).cq(cq);
        take.accept(Capability.WORK_QUEUES, () -> answer(() -> opened(context.createWq(wq))));
    }

    private QpInitAttr init(int type, CompletionQueue cq) {
        QpInitAttr attr = new QpInitAttr().qpType(type).sendCq(cq).recvCq(cq);
        attr.cap().maxSendWr(1).maxSendSge(1);
        if (hasReceives()) {
            attr.cap().maxRecvWr(1).maxRecvSge(1);
        }
        return attr;
    }

    private static int answer(Runnable verb) {
        try {
            verb.run();
            return 0;
        } catch (VerbsException e) {
            return e.errno();
        }
    }

    private static String said(int errno) {
        return errno == 0 ? "was accepted" : "answered " + Errno.name(errno);
    }

    @Rule(
            id = "R2.15",
            says =
                    "a region gets the rights that the device has; others, and those nobody has heard of, answer EOPNOTSUPP",
            look = {"ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), and the Javadoc of AccessFlags and ContextOps")
    final void r215Rights() {
        ProtectionDomain pd = domain(open());
        right(pd, "hasRemoteWriteRights()", hasRemoteWriteRights(), AccessFlags.REMOTE_WRITE);
        right(pd, Capability.RDMA_READ, AccessFlags.REMOTE_READ);
        right(pd, Capability.ATOMICS, AccessFlags.REMOTE_ATOMIC);
        boolean typeTwoAlone = hasTypeTwoWindows() && !hasMemoryWindows();
        right(pd, typeTwoAlone ? Capability.TYPE_2_WINDOWS : Capability.MEMORY_WINDOWS, AccessFlags.MW_BIND);
        Seen.check(
                hasRemoteWriteRights() || !hasRdmaWrite(),
                "hasRdmaWrite() says true, and hasRemoteWriteRights() that nobody can be let write");
        Seen.refuses("regMr with bit 19, which no level has,", () -> region(pd, NO_RIGHT), Errno.EOPNOTSUPP);
    }

    private void right(ProtectionDomain pd, Capability capability, int access) {
        right(pd, capability.method() + "()", capability.in(this), access);
    }

    private void right(ProtectionDomain pd, String method, boolean stated, int access) {
        String call = "regMr with " + AccessFlags.toString(access) + ", where " + method + " says " + stated + ",";
        if (stated) {
            int answer = answer(() -> region(pd, access));
            Seen.check(answer == 0, call + " answered " + Errno.name(answer));
        } else {
            Seen.refuses(call, () -> region(pd, access), Errno.EOPNOTSUPP);
        }
    }

    private void region(ProtectionDomain pd, int access) {
        opened(pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE | access));
    }

    @Rule(
            id = "R2.16",
            says = "an optional right that the provider does not know is dropped: the region works",
            look = {"ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3) (IBV_ACCESS_OPTIONAL_RANGE), and the Javadoc of AccessFlags")
    final void r216OptionalRight() {
        ProtectionDomain pd = domain(open());
        region(pd, NO_OPTIONAL_RIGHT);
        region(pd, AccessFlags.RELAXED_ORDERING);
        if (hasReliable()) {
            start(s -> s.regionAccess |= NO_OPTIONAL_RIGHT);
            a.exchange(b, 1, 0, 0, 100);
        }
    }

    @Rule(
            id = "R2.17",
            says = "a type of queue pair that nobody has heard of answers EOPNOTSUPP",
            look = {"ContextOps.createQp", "the function in the slot CREATE_QP_EX"},
            man = "the Javadoc of QpType and ContextOps")
    final void r217UnknownType() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        CompletionQueue cq = opened(context.createCq(4));
        Seen.refuses(
                "createQp of type 77, which no level has,",
                () -> opened(pd.createQp(init(NO_TYPE, cq))),
                Errno.EOPNOTSUPP);
        Seen.refuses(
                "createQpEx of type 77, which no level has,",
                () -> opened(context.createQpEx(QpInitAttrEx.of(pd, init(NO_TYPE, cq)))),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R2.18",
            says = "a vendor's type that the provider does not know is not there",
            look = {"ContextOps.vendor"},
            man = "the Javadoc of ContextOps.vendor and Context.vendor")
    final void r218Vendor() {
        Context context = open();
        Seen.refuses(
                "vendor(...) of a type that the provider can't know",
                () -> context.vendor(Stranger.class),
                Errno.EOPNOTSUPP);
    }

    @Rule(
            id = "R2.19",
            says = "a device is not opened with attributes that the provider does not know",
            look = {"VerbsProvider.openDevice"},
            man = "the Javadoc of OpenAttr")
    final void r219OpenAttr() {
        open().close();
        OpenAttr vendor = new OpenAttr().vendor(new Stranger() {});
        Seen.refuses(
                "open with a vendor's attributes of a type that it can't know", () -> open(vendor), Errno.EOPNOTSUPP);
        OpenAttr later = new OpenAttr();
        later.masks(NO_ATTRIBUTE, 0);
        Seen.refuses("open with bit 30, which no level has,", () -> open(later), Errno.EOPNOTSUPP);
        OpenAttr optional = new OpenAttr();
        optional.masks(NO_OPTIONAL_ATTRIBUTE, 0);
        open(optional);
    }

    private Context open(OpenAttr attr) {
        return opened(Verbs.open(device(deviceName()), VerbsLevel.CURRENT, attr));
    }

    @Rule(
            id = "R2.21",
            says = "nothing is made or changed with a vendor's attributes of a type that the provider does not know",
            look = {"ContextOps.createQp", "ContextOps.createCq", "ContextOps.modifyQp"},
            man = "the Javadoc of QpInitAttr.vendor and of ContextOps")
    final void r221VendorAttributes() {
        Context context = open();
        ProtectionDomain pd = domain(context);
        CompletionQueue cq = opened(context.createCq(4));
        Object strange = new Stranger() {};
        String why = " with a vendor's attributes of a type that it can't know";
        Seen.refuses("createCq" + why, () -> opened(context.createCq(4, null, null, 0, strange)), Errno.EOPNOTSUPP);
        if (!hasReliable()) {
            return;
        }
        QpInitAttr attr = init(reliableType(), cq).vendor(strange);
        Seen.refuses("createQp" + why, () -> opened(pd.createQp(attr)), Errno.EOPNOTSUPP);
        Seen.refuses("createQpEx" + why, () -> opened(context.createQpEx(QpInitAttrEx.of(pd, attr))), Errno.EOPNOTSUPP);
        QueuePair qp = opened(pd.createQp(init(reliableType(), cq)));
        QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(portNum());
        QpAttr whole = hasRc() ? init.qpAccessFlags(0) : init.qkey(Side.QKEY);
        Seen.refuses("modify" + why, () -> qp.modify(whole.vendor(strange)), Errno.EOPNOTSUPP);
    }
}

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
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpRateLimitAttr;
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

/** The verbs behind the capabilities, which show whether a declaration is true. See {@link DeclaredRules}. */
final class DeclaredRig extends Rig {
    static final int NO_TYPE = 77;
    static final int NO_RIGHT = 1 << 19;
    static final int NO_OPTIONAL_RIGHT = 1 << 29;
    static final long NO_ATTRIBUTE = 1L << 30;
    static final long NO_OPTIONAL_ATTRIBUTE = 1L << 60;

    /** Capabilities about memory with its own key or address. */
    static final Set<Capability> KEYED = EnumSet.of(
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

    DeclaredRig(ProviderKit kit) {
        super(kit);
    }

    /** A type that no provider knows. */
    interface Stranger {}

    /** Checks the dependencies of the rest of level 3 and of level 4. */
    void later() {
        for (Capability verb : EnumSet.range(Capability.ATOMIC_WRITE, Capability.CROSS_CHANNEL)) {
            needs(verb, Capability.QUERY_DEVICE_EX);
            boolean reliable = verb == Capability.PARENT_DOMAIN && has(Capability.RELIABLE_DATAGRAMS);
            needs(
                    verb,
                    has(Capability.RC) || reliable || verb == Capability.BLOCK_SELF_MULTICAST,
                    Capability.RC.label());
        }
        needs(Capability.ATOMIC_WRITE, Capability.RDMA_WRITE);
        needs(Capability.FLUSH_PERSISTENT, Capability.FLUSH);
        needs(Capability.MASKED_ATOMICS, Capability.ATOMICS);
        needs(Capability.READ_WITH_INV, Capability.FAST_REGISTER, Capability.RDMA_READ);
        needs(Capability.DMABUF, Capability.REG_MR_EX);
        needs(Capability.ADVISE_MR, Capability.ON_DEMAND);
        needs(Capability.RING_ALLOCATORS, Capability.PARENT_DOMAIN);
        needs(Capability.BLOCK_SELF_MULTICAST, Capability.MULTICAST);
        needs(Capability.IMPORTS, Capability.SEVERAL_CONTEXTS);
        needs(Capability.COMPLETION_COUNTERS, hasReliable(), "Capability.RC or Capability.RELIABLE_DATAGRAMS");
        needs(Capability.TAG_MATCHING, Capability.RC, Capability.SEND);
        needs(Capability.TAG_MATCHING, Capability.EXTENDED_CQ, Capability.QUERY_DEVICE_EX);
        needs(Capability.TAG_RENDEZVOUS, Capability.TAG_MATCHING, Capability.RDMA_READ);
        needs(Capability.ECE, Capability.RC);
        needs(Capability.ETHERNET, Capability.EXTENDED);
        for (Capability frames : EnumSet.range(Capability.FLOW_ACTIONS, Capability.WORK_QUEUES)) {
            needs(frames, Capability.ETHERNET);
        }
        for (Capability offload : EnumSet.range(Capability.CHECKSUMS, Capability.TSO)) {
            needs(offload, Capability.QUERY_DEVICE_EX);
        }
        needs(Capability.TSO, Capability.CHECKSUMS);
    }

    /** Checks that what a declared capability depends on is declared too: otherwise nothing would test it. */
    void needs(Capability capability, Capability... others) {
        for (Capability other : others) {
            needs(capability, has(other), other.label());
        }
    }

    void needs(Capability capability, boolean there, String other) {
        Seen.check(
                there || !has(capability),
                capability.label() + " declares " + capability.words() + ", which requires " + other);
    }

    /** Calls each verb that shows whether a capability exists; each returns 0 or an errno. */
    void verbs(BiConsumer<Capability, IntSupplier> take) {
        boolean extended = kit.provider() instanceof ExtendedProvider;
        take.accept(Capability.EXTENDED, () -> extended ? 0 : Errno.EOPNOTSUPP);
        Context context = open();
        ProtectionDomain pd = domain(context);
        CompletionQueue cq = opened(context.createCq(4));
        take.accept(Capability.RC, () -> answer(() -> opened(pd.createQp(init(QpType.RC, cq)))));
        if (hasReliable()) {
            QpInitAttrEx attr = QpInitAttrEx.of(pd, init(reliableType(), cq)).sendOpsFlags(Operation.allStated(this));
            take.accept(Capability.SEND_OPS, () -> answer(() -> opened(context.createQpEx(attr))));
        }
        take.accept(Capability.UC, () -> answer(() -> opened(pd.createQp(init(QpType.UC, cq)))));
        take.accept(Capability.UD, () -> answer(() -> opened(pd.createQp(init(QpType.UD, cq)))));
        take.accept(Capability.RELIABLE_DATAGRAMS, () -> {
            int errno = answer(() -> opened(pd.createQp(init(QpType.DRIVER, cq))));
            return errno == Errno.EINVAL
                    ? Errno.EOPNOTSUPP
                    : errno; // vendors own this type: others require attributes with it
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
        if (has(Capability.UD)) {
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

    /** Calls the verbs of level 3 and later. If another verb can stand in, the slot shows whether the verb exists. */
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
        if (has(Capability.RC)) {
            Side side = side(1).create();
            Side peer = side(2).create();
            Side.connect(side, peer);
            take.accept(Capability.RATE_LIMIT, () -> answer(() -> side.qp.modifyRateLimit(new QpRateLimitAttr())));
        }
    }

    /** Calls the verbs of tag matching and connection options. */
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
        if (has(Capability.TAG_MATCHING)) {
            int header = context.queryDeviceEx().tmMaxRndvHdrSize();
            take.accept(Capability.TAG_RENDEZVOUS, () -> header > 0 ? 0 : Errno.EOPNOTSUPP);
        }
        if (has(Capability.RC)) {
            QueuePair qp = opened(pd.createQp(init(QpType.RC, cq)));
            take.accept(Capability.ECE, () -> {
                int[] options = {0}; // a device that offers no options lacks them
                int answer = answer(() -> options[0] = qp.queryEce().options());
                return answer == 0 && options[0] == 0 ? Errno.EOPNOTSUPP : answer;
            });
        }
    }

    /** Calls the verbs of Ethernet; those that depend on it only if the device has it. */
    private void ethernet(BiConsumer<Capability, IntSupplier> take, Context context, CompletionQueue cq) {
        ProtectionDomain pd = domain(context);
        QpInitAttr raw = init(QpType.RAW_PACKET, cq);
        take.accept(Capability.ETHERNET, () -> answer(() -> opened(pd.createQp(raw))));
        if (!has(Capability.ETHERNET)) {
            return;
        }
        FrameEnd end = new FrameEnd(this, context, kit.portNum());
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

    QpInitAttr init(int type, CompletionQueue cq) {
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

    static String said(int errno) {
        return errno == 0 ? "was accepted" : "failed with " + Errno.name(errno);
    }

    void right(ProtectionDomain pd, Capability capability, int access) {
        right(pd, stated(capability), has(capability), access);
    }

    void right(ProtectionDomain pd, String words, boolean stated, int access) {
        String call = "regMr with " + AccessFlags.toString(access) + " (" + words + ")";
        if (stated) {
            int answer = answer(() -> region(pd, access));
            Seen.check(answer == 0, call + " failed with " + Errno.name(answer));
        } else {
            Seen.refuses(call, () -> region(pd, access), Errno.EOPNOTSUPP);
        }
    }

    void region(ProtectionDomain pd, int access) {
        opened(pd.regMr(ByteBuffer.allocateDirect(64), AccessFlags.LOCAL_WRITE | access));
    }

    Context open(OpenAttr attr) {
        return opened(Verbs.open(device(kit.deviceName()), VerbsLevel.CURRENT, attr));
    }
}

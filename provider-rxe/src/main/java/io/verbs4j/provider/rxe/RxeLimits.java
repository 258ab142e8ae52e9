/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AccessFlags;
import io.verbs4j.AdviseMrAdvice;
import io.verbs4j.AdviseMrFlags;
import io.verbs4j.AtomicCap;
import io.verbs4j.CqCreateFlags;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.InputAttr;
import io.verbs4j.LinkLayer;
import io.verbs4j.Mtu;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.OdpTransportCaps;
import io.verbs4j.PciAtomicSizes;
import io.verbs4j.PortAttr;
import io.verbs4j.PortPhysState;
import io.verbs4j.PortState;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.ReregFlags;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqInitAttrMask;
import io.verbs4j.TmCapFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.clock.TickClock;
import io.verbs4j.provider.rxe.memory.RxeDm;
import io.verbs4j.provider.rxe.port.MulticastGroups;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.SendOps;
import io.verbs4j.provider.rxe.queue.FastRegistration;
import io.verbs4j.provider.rxe.queue.ScatterList;
import io.verbs4j.provider.rxe.queue.TagList;
import io.verbs4j.provider.rxe.queue.TaggedMessage;

/** The limits of the embedded device: reports them and checks arguments against them. */
// Longer than 500 lines because it is a list of limits, and a limit is reported and checked in the same place so that
// the two agree.
final class RxeLimits {
    static final int DEFAULT_PKEY = 0xffff;

    private static final int MAX_WR = 1 << 16;
    private static final int MAX_SGE = ScatterList.MAX_PIECES;
    private static final int MAX_INLINE = 4096;
    private static final int MAX_CQE = 1 << 22;
    private static final int MAX_RD_ATOMIC = 128;
    private static final int MANY = 1 << 20; // bounded only by the heap

    /**
     * Access rights that the device supports for queue pairs. They include ON_DEMAND, because a JVM's pages are always
     * mapped on first touch.
     */
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND
            | AccessFlags.ON_DEMAND
            | AccessFlags.FLUSH_GLOBAL
            | AccessFlags.FLUSH_PERSISTENT;

    /** Capabilities above bit 31. */
    private static final long MORE_CAPS =
            DeviceCap.BLOCK_LIST | DeviceCap.FLUSH_GLOBAL | DeviceCap.FLUSH_PERSISTENT | DeviceCap.ATOMIC_WRITE;

    /** Access rights that the device supports for regions. */
    private static final int REGION_RIGHTS = RIGHTS | AccessFlags.ZERO_BASED;

    /**
     * Access rights for regions of device memory, and, in the next constant, for regions behind a file descriptor.
     * Neither supports on-demand paging.
     */
    private static final int DM_RIGHTS =
            REGION_RIGHTS & ~(AccessFlags.MW_BIND | AccessFlags.ON_DEMAND | AccessFlags.FLUSH_PERSISTENT);

    private static final int FILE_RIGHTS = REGION_RIGHTS & ~AccessFlags.ON_DEMAND;

    /**
     * On-demand paging without implicit regions: a region of all memory would let an unmapped address crash the JVM.
     */
    private static final long ODP = OdpGeneralCaps.SUPPORT;

    private static final int ODP_UD = OdpTransportCaps.SEND | OdpTransportCaps.RECV | OdpTransportCaps.SRQ_RECV;
    private static final int ODP_UC = ODP_UD | OdpTransportCaps.WRITE;
    private static final int ODP_XRC = ODP_UC | OdpTransportCaps.READ | OdpTransportCaps.ATOMIC;
    private static final int ODP_RC = ODP_XRC | OdpTransportCaps.FLUSH | OdpTransportCaps.ATOMIC_WRITE;

    /** Largest alignment of device memory, as a power of two. */
    private static final int MAX_DM_ALIGN = 21;

    /** Completion fields that the device can fill. */
    private static final long WC_FLAGS = WcExFlags.STANDARD
            | WcExFlags.COMPLETION_TIMESTAMP
            | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK
            | WcExFlags.TM_INFO;

    private static final int CREATE_FLAGS = QpCreateFlags.BLOCK_SELF_MCAST_LB
            | QpCreateFlags.CROSS_CHANNEL
            | QpCreateFlags.MANAGED_SEND
            | QpCreateFlags.MANAGED_RECV
            | QpCreateFlags.LOW_LATENCY;

    private static final int CQ_FLAGS = CqCreateFlags.SINGLE_THREADED | CqCreateFlags.IGNORE_OVERRUN;
    private static final int MAX_MODERATION = 0xffff;
    private static final long MIN_KBPS = 1;
    private static final long MAX_KBPS = 100_000_000;

    /** Types of queue pairs whose rate can be limited, by bit. */
    private static final int RATE_TYPES = 1 << QpType.RC | 1 << QpType.UC | 1 << QpType.UD;

    /** Attributes reported as 0 unless a later line reports more. */
    private static final int[] NONE = {
        DeviceAttrEx.TSO_MAX_TSO,
        DeviceAttrEx.TSO_SUPPORTED_QPTS,
        DeviceAttrEx.RSS_SUPPORTED_QPTS,
        DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLES,
        DeviceAttrEx.RSS_MAX_RWQ_INDIRECTION_TABLE_SIZE,
        DeviceAttrEx.RSS_RX_HASH_FUNCTION,
        DeviceAttrEx.MAX_WQ_TYPE_RQ,
        DeviceAttrEx.RAW_PACKET_CAPS,
        DeviceAttrEx.PCI_ATOMIC_FETCH_ADD,
        DeviceAttrEx.PCI_ATOMIC_SWAP,
        DeviceAttrEx.PCI_ATOMIC_COMPARE_SWAP,
        DeviceAttrEx.QP_CREATE_FLAGS,
    };

    // Constants of TagList and TaggedMessage; the compiler copies them, so these classes are not loaded here.
    private static final int MAX_TAGS = TagList.MAX_TAGS;
    private static final int MAX_TAG_OPS = TagList.MAX_OPS;
    private static final int MAX_TAG_SGE = TagList.MAX_SGE;
    private static final int MAX_RNDV_HEADER = TaggedMessage.MAX_RNDV_HEADER;

    private static final long TAG_BITS = SrqInitAttrMask.CQ | SrqInitAttrMask.TM;
    private static final int REREG = ReregFlags.CHANGE_TRANSLATION | ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS;
    private static final int SRQ_ATTR = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;
    private static final int QP_ATTR = (QpAttrMask.DEST_QPN << 1) - 1;
    private static final int XRCD_FLAGS = XrcdOpenFlags.CREAT | XrcdOpenFlags.EXCL;

    void tell(DeviceAttr attr, long guid, boolean windows2a) {
        attr.fwVer("")
                .nodeGuid(guid)
                .sysImageGuid(guid)
                .maxMrSize(Long.MAX_VALUE)
                .pageSizeCap(0xffff_f000L)
                .maxQp(MANY)
                .maxQpWr(MAX_WR)
                .deviceCaps(MORE_CAPS
                        | DeviceCap.BAD_QKEY_CNTR
                        | DeviceCap.RC_RNR_NAK_GEN
                        | DeviceCap.SRQ_RESIZE
                        | DeviceCap.PORT_ACTIVE_EVENT
                        | DeviceCap.SYS_IMAGE_GUID
                        | DeviceCap.MEM_WINDOW
                        | DeviceCap.MEM_MGT_EXTENSIONS
                        | DeviceCap.CURR_QP_STATE_MOD
                        | DeviceCap.XRC
                        | (windows2a ? DeviceCap.MEM_WINDOW_TYPE_2A : DeviceCap.MEM_WINDOW_TYPE_2B))
                .maxSge(MAX_SGE)
                .maxSgeRd(MAX_SGE)
                .maxCq(MANY)
                .maxCqe(MAX_CQE)
                .maxMr(MANY)
                .maxPd(MANY)
                .maxQpRdAtom(MAX_RD_ATOMIC)
                .maxResRdAtom(MANY)
                .maxQpInitRdAtom(MAX_RD_ATOMIC)
                .atomicCap(AtomicCap.HCA)
                .maxMw(MANY)
                .maxMcastGrp(MulticastGroups.MAX_GROUPS)
                .maxMcastQpAttach(MulticastGroups.MAX_ATTACHED)
                .maxTotalMcastQpAttach(MulticastGroups.MAX_GROUPS * MulticastGroups.MAX_ATTACHED)
                .maxAh(MANY)
                .maxSrq(MANY)
                .maxSrqWr(MAX_WR)
                .maxSrqSge(MAX_SGE)
                .maxPkeys(1)
                .localCaAckDelay(15)
                .physPortCnt(1);
    }

    static void tell(DeviceAttrEx attr, DeviceAttr base, TickClock clock) {
        for (int field : NONE) {
            attr.offer(field, 0);
        }
        attr.offer(DeviceAttrEx.ODP_GENERAL_CAPS, ODP);
        attr.offer(DeviceAttrEx.ODP_RC_CAPS, ODP_RC);
        attr.offer(DeviceAttrEx.ODP_UC_CAPS, ODP_UC);
        attr.offer(DeviceAttrEx.ODP_UD_CAPS, ODP_UD);
        attr.offer(DeviceAttrEx.XRC_ODP_CAPS, ODP_XRC);
        attr.offer(DeviceAttrEx.QP_CREATE_FLAGS, CREATE_FLAGS);
        attr.offer(DeviceAttrEx.MR_ACCESS_FLAGS, REGION_RIGHTS | AccessFlags.OPTIONAL_RANGE);
        attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, RIGHTS | AccessFlags.OPTIONAL_RANGE);
        attr.offer(DeviceAttrEx.DEVICE_TRAITS, 0L);
        attr.offer(DeviceAttrEx.INTERNAL_PORTS, 0L);
        attr.offer(DeviceAttrEx.RSS_RX_HASH_FIELDS_MASK, 0L);
        attr.offer(DeviceAttrEx.MAX_DM_SIZE, (long) RxeDm.MOST);
        attr.offer(DeviceAttrEx.ORIG_ATTR, base);
        attr.offer(DeviceAttrEx.COMPLETION_TIMESTAMP_MASK, clock.mask());
        attr.offer(DeviceAttrEx.HCA_CORE_CLOCK, clock.khz());
        attr.offer(DeviceAttrEx.DEVICE_CAP_FLAGS_EX, base.deviceCaps());
        attr.offer(DeviceAttrEx.SEND_OPS_RC, SendOps.of(QpType.RC));
        attr.offer(DeviceAttrEx.SEND_OPS_UC, SendOps.of(QpType.UC));
        attr.offer(DeviceAttrEx.SEND_OPS_UD, SendOps.of(QpType.UD));
        attr.offer(DeviceAttrEx.SEND_OPS_XRC_SEND, SendOps.of(QpType.XRC_SEND));
        attr.offer(DeviceAttrEx.SEND_OPS_DRIVER, 0L);
        attr.offer(DeviceAttrEx.MAX_FAST_REG_LEN, FastRegistration.MAX_PIECES);
        attr.offer(DeviceAttrEx.MASKED_ATOMIC_SIZES, PciAtomicSizes.SIZE_4_BYTE | PciAtomicSizes.SIZE_8_BYTE);
        attr.offer(DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MIN, MIN_KBPS);
        attr.offer(DeviceAttrEx.PACKET_PACING_QP_RATE_LIMIT_MAX, MAX_KBPS);
        attr.offer(DeviceAttrEx.PACKET_PACING_SUPPORTED_QPTS, RATE_TYPES);
        attr.offer(DeviceAttrEx.CQ_MODERATION_MAX_CQ_COUNT, MAX_MODERATION);
        attr.offer(DeviceAttrEx.CQ_MODERATION_MAX_CQ_PERIOD, MAX_MODERATION);
        attr.offer(DeviceAttrEx.TM_MAX_RNDV_HDR_SIZE, MAX_RNDV_HEADER);
        attr.offer(DeviceAttrEx.TM_MAX_NUM_TAGS, MAX_TAGS);
        attr.offer(DeviceAttrEx.TM_FLAGS, TmCapFlags.RC);
        attr.offer(DeviceAttrEx.TM_MAX_OPS, MAX_TAG_OPS);
        attr.offer(DeviceAttrEx.TM_MAX_SGE, MAX_TAG_SGE);
        attr.offer(DeviceAttrEx.PHYS_PORT_CNT_EX, base.physPortCnt());
    }

    void tell(PortAttr attr, Port port) {
        attr.state(PortState.ACTIVE)
                .maxMtu(Mtu.fromBytes(Port.MTU))
                .activeMtu(Mtu.fromBytes(port.pathMtu(0))) // one value for all GIDs: that of index 0
                .gidTblLen(port.gids().size())
                .maxMsgSz(RxeQp.MAX_MESSAGE)
                .pkeyTblLen(1)
                .maxVlNum(1)
                .activeWidth(1)
                .activeSpeed(1)
                .physState(PortPhysState.LINK_UP)
                .linkLayer(LinkLayer.ETHERNET);
    }

    /**
     * Returns the queue pair's access rights without the optional ones, which the device ignores. Throws for
     * unsupported rights.
     */
    static int rights(String verb, int access) {
        return among(RIGHTS, verb, access);
    }

    /** As {@link #rights}, for a region. */
    static int regionRights(String verb, int access) {
        return among(REGION_RIGHTS, verb, access);
    }

    /** As {@link #rights}, for a region of device memory. */
    static int dmRights(String verb, int access) {
        return among(DM_RIGHTS, verb, access);
    }

    static void checkFileRights(String verb, int access) {
        among(FILE_RIGHTS, verb, access);
    }

    private static int among(int rights, String verb, int access) {
        int asked = access & ~AccessFlags.OPTIONAL_RANGE;
        int unknown = asked & ~rights;
        if (unknown != 0) {
            throw lacks(verb, "access", AccessFlags.toString(unknown), AccessFlags.toString(rights));
        }
        return asked;
    }

    static void checkAdvice(int advice, int flags) {
        if (advice < AdviseMrAdvice.PREFETCH || advice > AdviseMrAdvice.PREFETCH_NO_FAULT) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "advise_mr",
                    "advice: the device does not support " + AdviseMrAdvice.toString(advice));
        }
        if ((flags & ~AdviseMrFlags.FLUSH) != 0) {
            throw lacks(
                    "advise_mr",
                    "flags",
                    AdviseMrFlags.toString(flags & ~AdviseMrFlags.FLUSH),
                    AdviseMrFlags.toString(AdviseMrFlags.FLUSH));
        }
    }

    static void checkDm(long length, int logAlign) {
        if (length > RxeDm.MOST) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "alloc_dm",
                    "length is " + length + ", but the device has " + RxeDm.MOST + " (maxDmSize)");
        }
        check("alloc_dm", "logAlignReq", logAlign, 0, MAX_DM_ALIGN);
    }

    static void checkReregFlags(int flags) {
        if ((flags & ~REREG) != 0) {
            throw lacks("rereg_mr", "flags", ReregFlags.toString(flags & ~REREG), ReregFlags.toString(REREG));
        }
    }

    static void checkSrqMask(int mask) {
        if ((mask & ~SRQ_ATTR) != 0) {
            throw lacks(
                    "modify_srq", "the mask", SrqAttrMask.toString(mask & ~SRQ_ATTR), SrqAttrMask.toString(SRQ_ATTR));
        }
    }

    static void checkQpMask(String verb, int mask) {
        if ((mask & ~QP_ATTR) != 0) {
            throw lacks(verb, "the mask", QpAttrMask.toString(mask & ~QP_ATTR), QpAttrMask.toString(QP_ATTR));
        }
    }

    /** Rejects attributes that the device does not know; the library passes them through. */
    static void refuseUnknown(String verb, InputAttr attr, long known) {
        if (!attr.hasOnly(known, 0)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the mask is 0x" + Long.toHexString(attr.compMask()) + ", but the device supports only 0x"
                            + Long.toHexString(known) + "; leave out the other attributes");
        }
    }

    static void checkXrcdFlags(int oflags) {
        if ((oflags & ~XRCD_FLAGS) != 0) {
            throw lacks(
                    "open_xrcd",
                    "oflags",
                    XrcdOpenFlags.toString(oflags & ~XRCD_FLAGS),
                    XrcdOpenFlags.toString(XRCD_FLAGS));
        }
    }

    /** Checks that the creation flags fit the type of the queue pair. */
    static void checkCreateFlags(String verb, QpInitAttrEx attr) {
        if ((attr.compMask() & QpInitAttrMask.CREATE_FLAGS) == 0) {
            return;
        }
        boolean xrc = attr.qpType() == QpType.XRC_SEND || attr.qpType() == QpType.XRC_RECV;
        int flags = attr.createFlags() & ~QpCreateFlags.OPTIONAL_RANGE;
        int known = xrc ? 0 : CREATE_FLAGS;
        if ((flags & ~known) != 0) {
            throw lacks(
                    verb,
                    "createFlags for type " + QpType.toString(attr.qpType()),
                    QpCreateFlags.toString(flags & ~known),
                    QpCreateFlags.toString(known));
        }
        if ((flags & QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0 && attr.qpType() != QpType.UD) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "createFlags has BLOCK_SELF_MCAST_LB, but queue pairs of type " + QpType.toString(attr.qpType())
                            + " do not send to multicast groups; leave it out");
        }
        if ((flags & QpCreateFlags.MANAGED_RECV) != 0 && attr.srq() != null) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "createFlags has MANAGED_RECV, but the queue pair has no receive queue of its own; leave srq out");
        }
    }

    /** Checks that the operations to be posted fit the type of the queue pair. */
    static void checkSendOps(String verb, QpInitAttrEx attr) {
        long known = SendOps.of(attr.qpType());
        long unknown = attr.sendOpsFlags() & ~known;
        if ((attr.compMask() & QpInitAttrMask.SEND_OPS_FLAGS) != 0 && unknown != 0) {
            throw lacks(
                    verb,
                    "sendOpsFlags for type " + QpType.toString(attr.qpType()),
                    QpCreateSendOps.toString(unknown),
                    QpCreateSendOps.toString(known));
        }
    }

    private static VerbsException lacks(String verb, String what, String unknown, String known) {
        return new VerbsException(
                Errno.EOPNOTSUPP, verb, what + ": the device does not support " + unknown + "; it supports " + known);
    }

    void checkCqe(String verb, int cqe) {
        check(verb, "cqe", cqe, MAX_CQE);
    }

    static void checkCqFlags(String verb, long wcFlags, int flags) {
        if ((wcFlags & ~WC_FLAGS) != 0) {
            throw lacks(verb, "wcFlags", WcExFlags.toString(wcFlags & ~WC_FLAGS), WcExFlags.toString(WC_FLAGS));
        }
        int lacking = flags & ~(CQ_FLAGS | CqCreateFlags.OPTIONAL_RANGE);
        if (lacking != 0) {
            throw lacks(verb, "flags", CqCreateFlags.toString(lacking), CqCreateFlags.toString(CQ_FLAGS));
        }
    }

    static void checkModeration(String verb, int count, int period) {
        check(verb, "cqCount", count, 0, MAX_MODERATION);
        check(verb, "cqPeriod", period, 0, MAX_MODERATION);
    }

    static void checkRate(String verb, int qpType, long kbps) {
        if (qpType < 0 || qpType >= Integer.SIZE || (RATE_TYPES >>> qpType & 1) == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device limits the rate of queue pairs of type RC, UC and UD, not " + QpType.toString(qpType));
        }
        if (kbps != 0) {
            check(verb, "rateLimit", kbps, MIN_KBPS, MAX_KBPS);
        }
    }

    static void checkCap(String verb, QpCap cap) {
        check(verb, "maxSendWr", cap.maxSendWr(), MAX_WR);
        check(verb, "maxSendSge", cap.maxSendSge(), MAX_SGE);
        check(verb, "maxInlineData", cap.maxInlineData(), MAX_INLINE);
        check(verb, "maxRecvWr", cap.maxRecvWr(), MAX_WR);
        check(verb, "maxRecvSge", cap.maxRecvSge(), MAX_SGE);
    }

    /**
     * Checks the attributes of a shared receive queue of type TM. The check is needed because an older library does not
     * know what this type requires.
     */
    static void checkTagMatching(String verb, SrqInitAttrEx attr) {
        long lacking = TAG_BITS & ~attr.compMask();
        if (lacking != 0) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "a queue of type TM also needs " + SrqInitAttrMask.toString(lacking));
        }
        check(verb, "tmMaxNumTags", attr.tmMaxNumTags(), 1, MAX_TAGS);
        check(verb, "tmMaxOps", attr.tmMaxOps(), 1, MAX_TAG_OPS);
    }

    /** Checks the type of a queue pair that receives from a queue of type TM. */
    static void checkTagMatching(String verb, QpInitAttrEx attr) {
        if (attr.qpType() != QpType.RC) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the device matches tags on queue pairs of type RC (tmFlags), not "
                            + QpType.toString(attr.qpType()));
        }
    }

    void checkSrq(String verb, SrqAttr attr) {
        check(verb, "maxWr", attr.maxWr(), MAX_WR);
        check(verb, "maxSge", attr.maxSge(), MAX_SGE);
    }

    void checkQpAttr(QpAttr attr, int mask) {
        checkQpMask("modify_qp", mask);
        if ((mask & QpAttrMask.ACCESS_FLAGS) != 0) {
            rights("modify_qp", attr.qpAccessFlags());
        }
        if ((mask & QpAttrMask.MAX_QP_RD_ATOMIC) != 0) {
            check("modify_qp", "maxRdAtomic", attr.maxRdAtomic(), MAX_RD_ATOMIC);
        }
        if ((mask & QpAttrMask.MAX_DEST_RD_ATOMIC) != 0) {
            check("modify_qp", "maxDestRdAtomic", attr.maxDestRdAtomic(), MAX_RD_ATOMIC);
        }
        if ((mask & QpAttrMask.CAP) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "modify_qp", "the device can't change the capacities of a queue pair");
        }
        if ((mask & QpAttrMask.ALT_PATH) != 0 || (mask & QpAttrMask.PATH_MIG_STATE) != 0 && attr.pathMigState() != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "modify_qp",
                    "the device does not support automatic path migration (no AUTO_PATH_MIG)");
        }
    }

    static void checkMaxEntries(String verb, int maxEntries) {
        check(verb, "maxEntries", maxEntries, 1, FastRegistration.MAX_PIECES);
    }

    /** Checks at the transition to RTR that packets fit the MTU of the source's network interface. */
    void checkPathMtu(QpAttr attr, int mask, Port port) {
        if ((mask & QpAttrMask.PATH_MTU) != 0 && (mask & QpAttrMask.AV) != 0) {
            int index = attr.ahAttr().grh().sgidIndex();
            checkPathMtu(attr.pathMtu(), index, port.gid(index), port.pathMtu(index));
        }
    }

    static void checkPathMtu(int pathMtu, int index, Gid source, int carried) {
        int most = Mtu.fromBytes(carried);
        if (pathMtu > most) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "modify_qp",
                    "the path MTU is " + Mtu.toString(pathMtu) + ", but the network interface of GID index " + index
                            + " (" + source + ") carries at most " + Mtu.toString(most)
                            + (index == 0 ? " (active_mtu of query_port)" : "") + ": use that on both sides");
        }
    }

    private static void check(String verb, String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    what + " is " + value + ", but the device accepts " + least + " to " + most + " (query_device_ex)");
        }
    }

    private static void check(String verb, String what, int value, int most) {
        if (value > most) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    what + " is " + value + ", but the device's limit is " + most + " (query_device)");
        }
    }
}

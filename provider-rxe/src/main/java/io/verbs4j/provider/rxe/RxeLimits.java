/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.AccessFlags;
import io.verbs4j.AtomicCap;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.Mtu;
import io.verbs4j.PortAttr;
import io.verbs4j.PortPhysState;
import io.verbs4j.PortState;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.ReregFlags;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqAttrMask;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.port.MulticastGroups;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.queue.ScatterList;
import java.util.function.IntFunction;

/** The limits of the embedded device, what it tells of them, and the checks against them. */
final class RxeLimits {
    static final int DEFAULT_PKEY = 0xffff;

    private static final int MAX_WR = 1 << 16;
    private static final int MAX_SGE = ScatterList.MAX_PIECES;
    private static final int MAX_INLINE = 4096;
    private static final int MAX_CQE = 1 << 22;
    private static final int MAX_RD_ATOMIC = 128;
    private static final int MANY = 1 << 20; // bounded by the heap only

    /** Rights that the device gives; ON_DEMAND among them, as a JVM's pages come when they are touched in any case. */
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND
            | AccessFlags.ON_DEMAND;

    private static final int REREG = ReregFlags.CHANGE_TRANSLATION | ReregFlags.CHANGE_PD | ReregFlags.CHANGE_ACCESS;
    private static final int SRQ_ATTR = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;
    private static final int QP_ATTR = (QpAttrMask.DEST_QPN << 1) - 1;

    void tell(DeviceAttr attr, long guid) {
        attr.fwVer("")
                .nodeGuid(guid)
                .sysImageGuid(guid)
                .maxMrSize(Long.MAX_VALUE)
                .pageSizeCap(0xffff_f000L)
                .maxQp(MANY)
                .maxQpWr(MAX_WR)
                .deviceCapFlags(DeviceCap.BAD_QKEY_CNTR
                        | DeviceCap.RC_RNR_NAK_GEN
                        | DeviceCap.SRQ_RESIZE
                        | DeviceCap.PORT_ACTIVE_EVENT
                        | DeviceCap.SYS_IMAGE_GUID
                        | DeviceCap.MEM_WINDOW
                        | DeviceCap.CURR_QP_STATE_MOD)
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

    void tell(PortAttr attr, Port port) {
        attr.state(PortState.ACTIVE)
                .maxMtu(Mtu.fromBytes(Port.MTU))
                .activeMtu(Mtu.fromBytes(port.pathMtu(0))) // one number for all GIDs: that of the usual one
                .gidTblLen(port.gids().size())
                .maxMsgSz(RxeQueuePair.MAX_MESSAGE)
                .pkeyTblLen(1)
                .maxVlNum(1)
                .activeWidth(1)
                .activeSpeed(1)
                .physState(PortPhysState.LINK_UP)
                .linkLayer(LinkLayer.ETHERNET);
    }

    /** The rights of a region or queue pair without optional ones, which the device does without. */
    static int rights(String verb, int access) {
        int asked = access & ~AccessFlags.OPTIONAL_RANGE;
        knownFlags(verb, "access", asked, RIGHTS, AccessFlags::toString);
        return asked;
    }

    static void checkReregFlags(int flags) {
        knownFlags("rereg_mr", "flags", flags, REREG, ReregFlags::toString);
    }

    static void checkSrqMask(int mask) {
        knownFlags("modify_srq", "the mask", mask, SRQ_ATTR, SrqAttrMask::toString);
    }

    static void checkQpMask(String verb, int mask) {
        knownFlags(verb, "the mask", mask, QP_ATTR, QpAttrMask::toString);
    }

    private static void knownFlags(String verb, String what, int bits, int known, IntFunction<String> names) {
        if ((bits & ~known) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    what + ": the device does not have " + names.apply(bits & ~known) + "; it has "
                            + names.apply(known));
        }
    }

    void checkCqe(String verb, int cqe) {
        check(verb, "completion queue entries", cqe, MAX_CQE);
    }

    void checkCap(String verb, QpInitAttr attr) {
        QpCap cap = attr.cap();
        check(verb, "maxSendWr", cap.maxSendWr(), MAX_WR);
        check(verb, "maxSendSge", cap.maxSendSge(), MAX_SGE);
        check(verb, "maxInlineData", cap.maxInlineData(), MAX_INLINE);
        if (attr.srq() == null) {
            check(verb, "maxRecvWr", cap.maxRecvWr(), MAX_WR);
            check(verb, "maxRecvSge", cap.maxRecvSge(), MAX_SGE);
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
                    Errno.EOPNOTSUPP, "modify_qp", "the device has no automatic path migration (no AUTO_PATH_MIG)");
        }
    }

    /** At the transition to RTR: packets must fit what the interface of the source carries. */
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

    private static void check(String verb, String what, int value, int most) {
        if (value > most) {
            throw new VerbsException(
                    Errno.EINVAL, verb, what + " is " + value + ", the device's limit is " + most + " (query_device)");
        }
    }
}

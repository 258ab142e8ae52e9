/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.Errno;
import io.verbs4j.MigState;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpStateTable;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Arguments;

/** Checks of a queue pair's attributes: each number must fit its field of the wire format or the interface. */
final class QpChecks {
    private static final int MAX_24_BITS = 0xffffff;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_RETRY = 7;

    private QpChecks() {}

    /**
     * Whether the library has rules for a type: which domains and queues it needs, and which states it has. For others
     * it keeps references and life cycle, and the provider judges.
     */
    static boolean knows(int type) {
        return QpStateTable.knows(type);
    }

    /** Refuses XRC_RECV in the verb of level 1, which has no attribute for an XRC domain. */
    static void baseType(String verb, int type) {
        if (type == QpType.XRC_SEND || type == QpType.XRC_RECV) {
            throw Arguments.invalid(
                    verb,
                    "a queue pair of type " + QpType.toString(type) + " is created by create_qp_ex: use createQpEx");
        }
    }

    /**
     * Refuses queues of an XRC queue pair: it receives through the queues that senders name, and a receiving one has no
     * queue at all.
     */
    static void noQueues(String verb, QpInitAttrEx attr, boolean noSendQueue) {
        String what = "a queue pair of type " + QpType.toString(attr.qpType());
        if (noSendQueue && attr.sendCq() != null || attr.recvCq() != null || attr.srq() != null) {
            throw Arguments.invalid(
                    verb,
                    what + (noSendQueue ? " has no sendCq, recvCq or srq" : " has no recvCq or srq")
                            + "; leave them out");
        }
    }

    static void cap(String verb, QpCap cap) {
        Arguments.notNull(verb, "cap", cap);
        Arguments.atLeast(verb, "cap.maxSendWr", cap.maxSendWr(), 0);
        Arguments.atLeast(verb, "cap.maxRecvWr", cap.maxRecvWr(), 0);
        Arguments.atLeast(verb, "cap.maxSendSge", cap.maxSendSge(), 0);
        Arguments.atLeast(verb, "cap.maxRecvSge", cap.maxRecvSge(), 0);
        Arguments.atLeast(verb, "cap.maxInlineData", cap.maxInlineData(), 0);
    }

    /** Checks the attributes in the mask. The state table and the provider judge which bits the mask may have. */
    static void attributes(String verb, QpAttr attr, int mask) {
        int unknown = mask & QpAttrMask.LIBRARY_RANGE;
        if (unknown != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the mask has bits that a library must know, and this one does not: " + QpAttrMask.toString(unknown)
                            + "; use a newer verbs-core, or do without those attributes");
        }
        range(verb, mask, QpAttrMask.PKEY_INDEX, "pkeyIndex", attr.pkeyIndex(), 0, 0xffff);
        range(verb, mask, QpAttrMask.PORT, "portNum", attr.portNum(), 1, 255);
        if ((mask & QpAttrMask.PATH_MTU) != 0) {
            pathMtu(verb, attr.pathMtu());
        }
        range(verb, mask, QpAttrMask.TIMEOUT, "timeout", attr.timeout(), 0, MAX_TIMEOUT);
        range(verb, mask, QpAttrMask.RETRY_CNT, "retryCnt", attr.retryCnt(), 0, MAX_RETRY);
        range(verb, mask, QpAttrMask.RNR_RETRY, "rnrRetry", attr.rnrRetry(), 0, MAX_RETRY);
        range(verb, mask, QpAttrMask.MIN_RNR_TIMER, "minRnrTimer", attr.minRnrTimer(), 0, MAX_TIMEOUT);
        range(verb, mask, QpAttrMask.RQ_PSN, "rqPsn", attr.rqPsn(), 0, MAX_24_BITS);
        range(verb, mask, QpAttrMask.SQ_PSN, "sqPsn", attr.sqPsn(), 0, MAX_24_BITS);
        range(verb, mask, QpAttrMask.DEST_QPN, "destQpNum", attr.destQpNum(), 0, MAX_24_BITS);
        range(verb, mask, QpAttrMask.MAX_QP_RD_ATOMIC, "maxRdAtomic", attr.maxRdAtomic(), 0, 255);
        range(verb, mask, QpAttrMask.MAX_DEST_RD_ATOMIC, "maxDestRdAtomic", attr.maxDestRdAtomic(), 0, 255);
        range(
                verb,
                mask,
                QpAttrMask.PATH_MIG_STATE,
                "pathMigState",
                attr.pathMigState(),
                MigState.MIGRATED,
                MigState.ARMED);
        if ((mask & QpAttrMask.ACCESS_FLAGS) != 0) {
            MemoryChecks.knownAccess(verb, "qpAccessFlags", attr.qpAccessFlags());
        }
        if ((mask & QpAttrMask.CAP) != 0) {
            cap(verb, attr.cap());
        }
        if ((mask & QpAttrMask.AV) != 0) {
            AddressChecks.check(verb, "ahAttr", attr.ahAttr());
        }
        if ((mask & QpAttrMask.ALT_PATH) != 0) {
            alternatePath(verb, attr);
        }
    }

    /** Checks an MTU: a code, which is easily mistaken for a number of bytes. */
    private static void pathMtu(String verb, int mtu) {
        if (mtu >= Mtu.MTU_256 && mtu <= Mtu.MTU_4096) {
            return;
        }
        for (int code = Mtu.MTU_256; code <= Mtu.MTU_4096; code++) {
            if (Mtu.toBytes(code) == mtu) {
                throw Arguments.invalid(
                        verb,
                        "pathMtu is " + mtu + ", a number of bytes; it must be a code: Mtu." + Mtu.toString(code));
            }
        }
        throw Arguments.invalid(verb, "pathMtu is " + mtu + "; it must be a code, Mtu.MTU_256 to Mtu.MTU_4096");
    }

    private static void alternatePath(String verb, QpAttr attr) {
        AddressChecks.check(verb, "altAhAttr", attr.altAhAttr());
        Arguments.range(verb, "altPkeyIndex", attr.altPkeyIndex(), 0, 0xffff);
        Arguments.range(verb, "altTimeout", attr.altTimeout(), 0, MAX_TIMEOUT);
        Arguments.port(verb, "altPortNum", attr.altPortNum());
        if (attr.altPortNum() != attr.altAhAttr().portNum()) {
            throw Arguments.invalid(
                    verb,
                    "altPortNum is " + attr.altPortNum() + " and altAhAttr.portNum is "
                            + attr.altAhAttr().portNum() + "; they must be the same");
        }
    }

    private static void range(String verb, int mask, int bit, String name, int value, int min, int max) {
        if ((mask & bit) != 0) {
            Arguments.range(verb, name, value, min, max);
        }
    }
}

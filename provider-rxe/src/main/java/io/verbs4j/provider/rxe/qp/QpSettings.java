/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.MigState;
import io.verbs4j.Mtu;
import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;

/** The attributes of a queue pair that {@code modify_qp} sets, in the units the device works in. */
public final class QpSettings {
    /**
     * Code of the shortest acknowledgement timeout, 16.8 ms. With more runnable threads than processors, the peer's
     * thread may wait that long to run at all. The specification sets only a lower bound for each code.
     */
    private static final int LEAST_TIMEOUT = 12;

    // As set, for queries.
    private int pkeyIndex;
    private int portNum = 1;
    private int timeoutCode;
    private int minRnrTimerCode;
    private int pathMtuCode = Mtu.MTU_1024;
    private int pathMigState = MigState.MIGRATED;
    private AhAttr path = new AhAttr();
    private AhAttr alternatePath = new AhAttr();
    private int altPkeyIndex;
    private int altPortNum;
    private int altTimeout;
    private boolean enSqdAsyncNotify;

    // Read by the data path; written under both locks of the queue pair.
    int accessFlags;
    int qkey;
    int destQpn;
    int firstSqPsn;
    int firstRqPsn;
    int maxRdAtomic;
    int maxDestRdAtomic;
    int retryCnt;
    int rnrRetry;
    Gid remoteGid = Gid.ZERO;
    int sourceGidIndex;

    /** Applies the attributes that a mask selects. */
    void apply(QpAttr a, int mask) {
        if (has(mask, QpAttrMask.ACCESS_FLAGS)) {
            accessFlags = a.qpAccessFlags() & ~AccessFlags.OPTIONAL_RANGE;
        }
        if (has(mask, QpAttrMask.PKEY_INDEX)) {
            pkeyIndex = a.pkeyIndex();
        }
        if (has(mask, QpAttrMask.PORT)) {
            portNum = a.portNum();
        }
        if (has(mask, QpAttrMask.QKEY)) {
            qkey = a.qkey();
        }
        if (has(mask, QpAttrMask.AV)) {
            path = copy(a.ahAttr());
            remoteGid = path.grh().dgid();
            sourceGidIndex = path.grh().sgidIndex();
        }
        if (has(mask, QpAttrMask.PATH_MTU)) {
            pathMtuCode = a.pathMtu();
        }
        if (has(mask, QpAttrMask.TIMEOUT)) {
            timeoutCode = a.timeout();
        }
        if (has(mask, QpAttrMask.RETRY_CNT)) {
            retryCnt = a.retryCnt();
        }
        if (has(mask, QpAttrMask.RNR_RETRY)) {
            rnrRetry = a.rnrRetry();
        }
        if (has(mask, QpAttrMask.RQ_PSN)) {
            firstRqPsn = a.rqPsn();
        }
        if (has(mask, QpAttrMask.SQ_PSN)) {
            firstSqPsn = a.sqPsn();
        }
        if (has(mask, QpAttrMask.MAX_QP_RD_ATOMIC)) {
            maxRdAtomic = a.maxRdAtomic();
        }
        if (has(mask, QpAttrMask.MAX_DEST_RD_ATOMIC)) {
            maxDestRdAtomic = a.maxDestRdAtomic();
        }
        if (has(mask, QpAttrMask.MIN_RNR_TIMER)) {
            minRnrTimerCode = a.minRnrTimer();
        }
        if (has(mask, QpAttrMask.DEST_QPN)) {
            destQpn = a.destQpNum();
        }
        if (has(mask, QpAttrMask.ALT_PATH)) {
            alternatePath = copy(a.altAhAttr());
            altPkeyIndex = a.altPkeyIndex();
            altPortNum = a.altPortNum();
            altTimeout = a.altTimeout();
        }
        if (has(mask, QpAttrMask.PATH_MIG_STATE)) {
            pathMigState = a.pathMigState();
        }
        enSqdAsyncNotify = has(mask, QpAttrMask.EN_SQD_ASYNC_NOTIFY) && a.enSqdAsyncNotify();
    }

    private static boolean has(int mask, int bit) {
        return (mask & bit) != 0;
    }

    private static AhAttr copy(AhAttr a) {
        GlobalRoute g = a.grh();
        return new AhAttr()
                .dlid(a.dlid())
                .sl(a.sl())
                .srcPathBits(a.srcPathBits())
                .staticRate(a.staticRate())
                .isGlobal(a.isGlobal())
                .portNum(a.portNum())
                .grh(new GlobalRoute()
                        .dgid(g.dgid())
                        .flowLabel(g.flowLabel())
                        .sgidIndex(g.sgidIndex())
                        .hopLimit(g.hopLimit())
                        .trafficClass(g.trafficClass()));
    }

    /** Reports all attributes. */
    void tell(QpAttr a, QpInitAttr init) {
        QpCap cap = init.cap();
        a.pathMtu(pathMtuCode)
                .pathMigState(pathMigState)
                .qkey(qkey)
                .destQpNum(destQpn)
                .qpAccessFlags(accessFlags)
                .cap(cap)
                .ahAttr(copy(path))
                .altAhAttr(copy(alternatePath))
                .pkeyIndex(pkeyIndex)
                .altPkeyIndex(altPkeyIndex)
                .enSqdAsyncNotify(enSqdAsyncNotify)
                .maxRdAtomic(maxRdAtomic)
                .maxDestRdAtomic(maxDestRdAtomic)
                .minRnrTimer(minRnrTimerCode)
                .portNum(portNum)
                .timeout(timeoutCode)
                .retryCnt(retryCnt)
                .rnrRetry(rnrRetry)
                .altPortNum(altPortNum)
                .altTimeout(altTimeout);
    }

    boolean wantsSqDrained() {
        return enSqdAsyncNotify;
    }

    /** {@return the peer's access rights} */
    public int accessFlags() {
        return accessFlags;
    }

    /** {@return the Q_Key} */
    public int qkey() {
        return qkey;
    }

    /** {@return the number of the peer's queue pair} */
    public int destQpn() {
        return destQpn;
    }

    /** {@return the first PSN of the send queue} */
    public int firstSqPsn() {
        return firstSqPsn;
    }

    /** {@return the first PSN that the receive queue expects} */
    public int firstRqPsn() {
        return firstRqPsn;
    }

    /** {@return the maximum number of outstanding reads and atomics as the initiator} */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** {@return the maximum number of outstanding reads and atomics as the responder} */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /** {@return the number of retries after timeouts and sequence errors} */
    public int retryCnt() {
        return retryCnt;
    }

    /** {@return the number of retries after a receiver-not-ready NAK; 7 means unlimited} */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** {@return the GID of the peer's port} */
    public Gid remoteGid() {
        return remoteGid;
    }

    /** {@return the index of the local GID} */
    public int sourceGidIndex() {
        return sourceGidIndex;
    }

    /** {@return the path MTU in bytes} */
    public int mtu() {
        return Mtu.toBytes(pathMtuCode);
    }

    /**
     * {@return the acknowledgement timeout in nanoseconds; 0 means none} The timeout is 4.096 µs × 2^code, for a code
     * of at least 12.
     */
    public long timeoutNanos() {
        return timeoutCode == 0 ? 0 : 4096L << Math.max(timeoutCode, LEAST_TIMEOUT);
    }

    /** {@return the timer code that goes into receiver-not-ready NAKs} */
    public int minRnrTimerCode() {
        return minRnrTimerCode;
    }

    /** {@return the index into the P_Key table} */
    public int pkeyIndex() {
        return pkeyIndex;
    }
}

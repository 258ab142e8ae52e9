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
     * Code of the shortest time to wait for an acknowledgement, 16.8 ms: where more threads are ready than there are processors,
     * the peer's may wait as long to run at all. The specification asks for the time of the code at least.
     */
    private static final int LEAST_TIMEOUT = 12;

    // As they were given, for query.
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

    // What the data path reads; written under both locks of the queue pair.
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

    /** Takes over the attributes of a mask. */
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

    /** Tells all attributes. */
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

    /** What the remote side may do. */
    public int accessFlags() {
        return accessFlags;
    }

    /** The Q_Key. */
    public int qkey() {
        return qkey;
    }

    /** Number of the remote queue pair. */
    public int destQpn() {
        return destQpn;
    }

    /** First PSN of the send queue. */
    public int firstSqPsn() {
        return firstSqPsn;
    }

    /** First PSN that the receive queue expects. */
    public int firstRqPsn() {
        return firstRqPsn;
    }

    /** Most reads and atomics outstanding as the initiator. */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** Most reads and atomics outstanding as the responder. */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /** Retries after timeouts and sequence errors. */
    public int retryCnt() {
        return retryCnt;
    }

    /** Retries after a receiver-not-ready NAK; 7 is for ever. */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** GID of the remote port. */
    public Gid remoteGid() {
        return remoteGid;
    }

    /** Index of the local GID. */
    public int sourceGidIndex() {
        return sourceGidIndex;
    }

    /** Path MTU in bytes. */
    public int mtu() {
        return Mtu.toBytes(pathMtuCode);
    }

    /** Time to wait for an acknowledgement in nanoseconds; 0 waits for ever. 4.096 µs × 2^code, for a code of 12 at least. */
    public long timeoutNanos() {
        return timeoutCode == 0 ? 0 : 4096L << Math.max(timeoutCode, LEAST_TIMEOUT);
    }

    /** The coded timer that goes into receiver-not-ready NAKs. */
    public int minRnrTimerCode() {
        return minRnrTimerCode;
    }

    /** Index into the P_Key table. */
    public int pkeyIndex() {
        return pkeyIndex;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes of a queue pair: {@link QueuePair#modify(QpAttr)} changes them and {@link QueuePair#query(int)} returns
 * them.
 *
 * <p>Each setter adds its bit to {@link #mask()}: only attributes that were set are changed. Source:
 * {@code ibv_modify_qp(3)}, {@code ibv_query_qp(3)}. Not thread-safe.
 */
// Longer than 500 lines because each attribute has a documented getter and setter, as `struct ibv_qp_attr` has a field.
// More than 30 public methods because each field of the C structure is two, and the API is frozen.
public final class QpAttr {
    private int qpState;
    private int curQpState;
    private int pathMtu;
    private int pathMigState;
    private int qkey;
    private int rqPsn;
    private int sqPsn;
    private int destQpNum;
    private int qpAccessFlags;
    private QpCap cap;
    private AhAttr ahAttr;
    private AhAttr altAhAttr;
    private int pkeyIndex;
    private int altPkeyIndex;
    private boolean enSqdAsyncNotify;
    private boolean sqDraining;
    private int maxRdAtomic;
    private int maxDestRdAtomic;
    private int minRnrTimer;
    private int portNum;
    private int timeout;
    private int retryCnt;
    private int rnrRetry;
    private int altPortNum;
    private int altTimeout;
    private Object vendor;
    private int mask;

    /** Creates an instance with every attribute zero and an empty mask. */
    public QpAttr() {}

    /** {@return the state to move to, a {@link QpState} value} */
    public int qpState() {
        return qpState;
    }

    /**
     * Sets {@link #qpState()}, and adds {@link QpAttrMask#STATE} to the mask.
     *
     * @param value state to move to, a {@link QpState} value
     * @return this
     */
    public QpAttr qpState(int value) {
        qpState = value;
        mask |= QpAttrMask.STATE;
        return this;
    }

    /** {@return the state that the caller expects the queue pair to be in, a {@link QpState} value} */
    public int curQpState() {
        return curQpState;
    }

    /**
     * Sets {@link #curQpState()}, and adds {@link QpAttrMask#CUR_STATE} to the mask.
     *
     * @param value state that the caller expects the queue pair to be in, a {@link QpState} value
     * @return this
     */
    public QpAttr curQpState(int value) {
        curQpState = value;
        mask |= QpAttrMask.CUR_STATE;
        return this;
    }

    /** {@return the path MTU, an {@link Mtu} value} */
    public int pathMtu() {
        return pathMtu;
    }

    /**
     * Sets {@link #pathMtu()}, and adds {@link QpAttrMask#PATH_MTU} to the mask.
     *
     * @param value path MTU, an {@link Mtu} value
     * @return this
     */
    public QpAttr pathMtu(int value) {
        pathMtu = value;
        mask |= QpAttrMask.PATH_MTU;
        return this;
    }

    /** {@return the path migration state, a {@link MigState} value} */
    public int pathMigState() {
        return pathMigState;
    }

    /**
     * Sets {@link #pathMigState()}, and adds {@link QpAttrMask#PATH_MIG_STATE} to the mask.
     *
     * @param value path migration state, a {@link MigState} value
     * @return this
     */
    public QpAttr pathMigState(int value) {
        pathMigState = value;
        mask |= QpAttrMask.PATH_MIG_STATE;
        return this;
    }

    /** {@return the Q_Key, 32 bits} */
    public int qkey() {
        return qkey;
    }

    /**
     * Sets {@link #qkey()}, and adds {@link QpAttrMask#QKEY} to the mask.
     *
     * @param value Q_Key, 32 bits
     * @return this
     */
    public QpAttr qkey(int value) {
        qkey = value;
        mask |= QpAttrMask.QKEY;
        return this;
    }

    /** {@return the PSN of the first packet that the receive queue expects, 24 bits} */
    public int rqPsn() {
        return rqPsn;
    }

    /**
     * Sets {@link #rqPsn()}, and adds {@link QpAttrMask#RQ_PSN} to the mask.
     *
     * @param value PSN of the first packet that the receive queue expects, 24 bits
     * @return this
     */
    public QpAttr rqPsn(int value) {
        rqPsn = value;
        mask |= QpAttrMask.RQ_PSN;
        return this;
    }

    /** {@return the PSN of the first packet that the send queue sends, 24 bits} */
    public int sqPsn() {
        return sqPsn;
    }

    /**
     * Sets {@link #sqPsn()}, and adds {@link QpAttrMask#SQ_PSN} to the mask.
     *
     * @param value PSN of the first packet that the send queue sends, 24 bits
     * @return this
     */
    public QpAttr sqPsn(int value) {
        sqPsn = value;
        mask |= QpAttrMask.SQ_PSN;
        return this;
    }

    /** {@return the number of the remote queue pair, 24 bits} */
    public int destQpNum() {
        return destQpNum;
    }

    /**
     * Sets {@link #destQpNum()}, and adds {@link QpAttrMask#DEST_QPN} to the mask.
     *
     * @param value number of the remote queue pair, 24 bits
     * @return this
     */
    public QpAttr destQpNum(int value) {
        destQpNum = value;
        mask |= QpAttrMask.DEST_QPN;
        return this;
    }

    /** {@return the operations allowed to the remote side, {@link AccessFlags} bits} */
    public int qpAccessFlags() {
        return qpAccessFlags;
    }

    /**
     * Sets {@link #qpAccessFlags()}, and adds {@link QpAttrMask#ACCESS_FLAGS} to the mask.
     *
     * @param value operations allowed to the remote side, {@link AccessFlags} bits
     * @return this
     */
    public QpAttr qpAccessFlags(int value) {
        qpAccessFlags = value;
        mask |= QpAttrMask.ACCESS_FLAGS;
        return this;
    }

    /** {@return the capacities} */
    public QpCap cap() {
        return cap;
    }

    /**
     * Sets {@link #cap()}, and adds {@link QpAttrMask#CAP} to the mask.
     *
     * @param value capacities
     * @return this
     */
    public QpAttr cap(QpCap value) {
        cap = value;
        mask |= QpAttrMask.CAP;
        return this;
    }

    /** {@return the primary path} */
    public AhAttr ahAttr() {
        return ahAttr;
    }

    /**
     * Sets {@link #ahAttr()}, and adds {@link QpAttrMask#AV} to the mask.
     *
     * @param value primary path
     * @return this
     */
    public QpAttr ahAttr(AhAttr value) {
        ahAttr = value;
        mask |= QpAttrMask.AV;
        return this;
    }

    /** {@return the alternate path} */
    public AhAttr altAhAttr() {
        return altAhAttr;
    }

    /**
     * Sets {@link #altAhAttr()}, and adds {@link QpAttrMask#ALT_PATH} to the mask.
     *
     * @param value alternate path
     * @return this
     */
    public QpAttr altAhAttr(AhAttr value) {
        altAhAttr = value;
        mask |= QpAttrMask.ALT_PATH;
        return this;
    }

    /** {@return the index into the port's P_Key table} */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /**
     * Sets {@link #pkeyIndex()}, and adds {@link QpAttrMask#PKEY_INDEX} to the mask.
     *
     * @param value index into the port's P_Key table
     * @return this
     */
    public QpAttr pkeyIndex(int value) {
        pkeyIndex = value;
        mask |= QpAttrMask.PKEY_INDEX;
        return this;
    }

    /** {@return the index into the P_Key table of the alternate port} */
    public int altPkeyIndex() {
        return altPkeyIndex;
    }

    /**
     * Sets {@link #altPkeyIndex()}.
     *
     * @param value index into the P_Key table of the alternate port
     * @return this
     */
    public QpAttr altPkeyIndex(int value) {
        altPkeyIndex = value;
        return this;
    }

    /** {@return whether {@link EventType#SQ_DRAINED} is raised when the send queue has drained} */
    public boolean enSqdAsyncNotify() {
        return enSqdAsyncNotify;
    }

    /**
     * Sets {@link #enSqdAsyncNotify()}, and adds {@link QpAttrMask#EN_SQD_ASYNC_NOTIFY} to the mask.
     *
     * @param value whether {@link EventType#SQ_DRAINED} is raised when the send queue has drained
     * @return this
     */
    public QpAttr enSqdAsyncNotify(boolean value) {
        enSqdAsyncNotify = value;
        mask |= QpAttrMask.EN_SQD_ASYNC_NOTIFY;
        return this;
    }

    /** {@return whether the send queue is still draining; only a query sets it} */
    public boolean sqDraining() {
        return sqDraining;
    }

    /**
     * Sets {@link #sqDraining()}.
     *
     * @param value whether the send queue is still draining; only a query sets it
     * @return this
     */
    public QpAttr sqDraining(boolean value) {
        sqDraining = value;
        return this;
    }

    /** {@return the maximum number of RDMA READ and atomic requests outstanding as the initiator} */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /**
     * Sets {@link #maxRdAtomic()}, and adds {@link QpAttrMask#MAX_QP_RD_ATOMIC} to the mask.
     *
     * @param value maximum number of RDMA READ and atomic requests outstanding as the initiator
     * @return this
     */
    public QpAttr maxRdAtomic(int value) {
        maxRdAtomic = value;
        mask |= QpAttrMask.MAX_QP_RD_ATOMIC;
        return this;
    }

    /** {@return the maximum number of RDMA READ and atomic requests outstanding as the responder} */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /**
     * Sets {@link #maxDestRdAtomic()}, and adds {@link QpAttrMask#MAX_DEST_RD_ATOMIC} to the mask.
     *
     * @param value maximum number of RDMA READ and atomic requests outstanding as the responder
     * @return this
     */
    public QpAttr maxDestRdAtomic(int value) {
        maxDestRdAtomic = value;
        mask |= QpAttrMask.MAX_DEST_RD_ATOMIC;
        return this;
    }

    /**
     * {@return the minimum time that a sender waits after a receiver-not-ready NAK, as a code from 0 to 31: 0 is 655.36
     * ms, 1 is 0.01 ms, 31 is 491.52 ms}
     */
    public int minRnrTimer() {
        return minRnrTimer;
    }

    /**
     * Sets {@link #minRnrTimer()}, and adds {@link QpAttrMask#MIN_RNR_TIMER} to the mask.
     *
     * @param value minimum time that a sender waits after a receiver-not-ready NAK, as a code from 0 to 31: 0 is 655.36
     *     ms, 1 is 0.01 ms, 31 is 491.52 ms
     * @return this
     */
    public QpAttr minRnrTimer(int value) {
        minRnrTimer = value;
        mask |= QpAttrMask.MIN_RNR_TIMER;
        return this;
    }

    /** {@return the primary port, from 1} */
    public int portNum() {
        return portNum;
    }

    /**
     * Sets {@link #portNum()}, and adds {@link QpAttrMask#PORT} to the mask.
     *
     * @param value primary port, from 1
     * @return this
     */
    public QpAttr portNum(int value) {
        portNum = value;
        mask |= QpAttrMask.PORT;
        return this;
    }

    /**
     * {@return the time to wait for an acknowledgement as an exponent, 0 to 31: 4.096 µs × 2 to this power; 0 waits
     * forever}
     */
    public int timeout() {
        return timeout;
    }

    /**
     * Sets {@link #timeout()}, and adds {@link QpAttrMask#TIMEOUT} to the mask.
     *
     * @param value time to wait for an acknowledgement as an exponent, 0 to 31: 4.096 µs × 2 to this power; 0 waits
     *     forever
     * @return this
     */
    public QpAttr timeout(int value) {
        timeout = value;
        mask |= QpAttrMask.TIMEOUT;
        return this;
    }

    /** {@return the retries after a timeout or a sequence error before the queue pair fails, 0 to 7} */
    public int retryCnt() {
        return retryCnt;
    }

    /**
     * Sets {@link #retryCnt()}, and adds {@link QpAttrMask#RETRY_CNT} to the mask.
     *
     * @param value retries after a timeout or a sequence error before the queue pair fails, 0 to 7
     * @return this
     */
    public QpAttr retryCnt(int value) {
        retryCnt = value;
        mask |= QpAttrMask.RETRY_CNT;
        return this;
    }

    /** {@return the retries after a receiver-not-ready NAK, 0 to 7; 7 retries forever} */
    public int rnrRetry() {
        return rnrRetry;
    }

    /**
     * Sets {@link #rnrRetry()}, and adds {@link QpAttrMask#RNR_RETRY} to the mask.
     *
     * @param value retries after a receiver-not-ready NAK, 0 to 7; 7 retries forever
     * @return this
     */
    public QpAttr rnrRetry(int value) {
        rnrRetry = value;
        mask |= QpAttrMask.RNR_RETRY;
        return this;
    }

    /** {@return the alternate port, from 1} */
    public int altPortNum() {
        return altPortNum;
    }

    /**
     * Sets {@link #altPortNum()}.
     *
     * @param value alternate port, from 1
     * @return this
     */
    public QpAttr altPortNum(int value) {
        altPortNum = value;
        return this;
    }

    /** {@return the timeout of the alternate path, coded as {@link #timeout()}} */
    public int altTimeout() {
        return altTimeout;
    }

    /**
     * Sets {@link #altTimeout()}.
     *
     * @param value timeout of the alternate path, coded as {@link #timeout()}
     * @return this
     */
    public QpAttr altTimeout(int value) {
        altTimeout = value;
        return this;
    }

    /**
     * {@return the vendor's own attributes, of a type that the provider exports; or null} A provider that does not know
     * the type fails with EOPNOTSUPP.
     */
    public Object vendor() {
        return vendor;
    }

    /**
     * Sets {@link #vendor()}, and adds {@link QpAttrMask#VENDOR} to the mask.
     *
     * @param value the vendor's own attributes; null clears the bit
     * @return this
     */
    public QpAttr vendor(Object value) {
        vendor = value;
        mask = value == null ? mask & ~QpAttrMask.VENDOR : mask | QpAttrMask.VENDOR;
        return this;
    }

    /** {@return which attributes were set, {@link QpAttrMask} bits} */
    public int mask() {
        return mask;
    }

    /**
     * Clears the mask, so that this instance can be used for another call; the values stay.
     *
     * @return this
     */
    public QpAttr clearMask() {
        mask = 0;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import java.util.Objects;

/**
 * Parameters of a connection. Source: {@code struct rdma_conn_param}, rdma_connect(3).
 *
 * <p>A program passes them to {@link CmId#connect(ConnParam)} and {@link CmId#accept(ConnParam)}; an event reports the
 * peer's, from the receiver's point of view. Immutable.
 */
public final class ConnParam {
    /**
     * Value of {@link #responderResources()} and {@link #initiatorDepth()} that means the device's maximum. Source:
     * {@code RDMA_MAX_RESP_RES}, rdma_connect(3).
     */
    public static final int MAX = 0xff;

    /** No private data, all resources of the device, seven retries. */
    public static final ConnParam DEFAULT = new ConnParam(new byte[0], MAX, MAX, 7, 7, false, 0);

    private static final int MAX_QPN = 0xff_ffff;

    private static final String VERB = "conn_param";

    private final byte[] privateData;
    private final int responderResources;
    private final int initiatorDepth;
    private final int retryCount;
    private final int rnrRetryCount;
    private final boolean srq;
    private final int qpNum;

    private ConnParam(
            byte[] privateData,
            int responderResources,
            int initiatorDepth,
            int retryCount,
            int rnrRetryCount,
            boolean srq,
            int qpNum) {
        this.privateData = privateData;
        this.responderResources = responderResources;
        this.initiatorDepth = initiatorDepth;
        this.retryCount = retryCount;
        this.rnrRetryCount = rnrRetryCount;
        this.srq = srq;
        this.qpNum = qpNum;
    }

    /**
     * Returns the private data for the program at the peer. An event has all bytes that the message has room for,
     * padded with zeros; the number that the peer sent is unknown.
     *
     * @return a copy, never null
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Sets {@link #privateData()}.
     *
     * @param value the data; at most 56 bytes to connect and 196 to accept; in port space UDP, 180 and 136
     * @return parameters with this value
     */
    public ConnParam withPrivateData(byte... value) {
        return new ConnParam(
                Arguments.require(VERB, "privateData", value).clone(),
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                srq,
                qpNum);
    }

    /** {@return how many RDMA reads and atomics of the peer this side answers at a time, 0 to 255} */
    public int responderResources() {
        return responderResources;
    }

    /**
     * Sets {@link #responderResources()}.
     *
     * @param value 0 to 255; {@link #MAX} for the device's maximum
     * @return parameters with this value
     */
    public ConnParam withResponderResources(int value) {
        Arguments.require(VERB, "responderResources", value, MAX);
        return new ConnParam(privateData, value, initiatorDepth, retryCount, rnrRetryCount, srq, qpNum);
    }

    /** {@return how many RDMA reads and atomics this side has outstanding at a time, 0 to 255} */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /**
     * Sets {@link #initiatorDepth()}.
     *
     * @param value 0 to 255; {@link #MAX} for the device's maximum
     * @return parameters with this value
     */
    public ConnParam withInitiatorDepth(int value) {
        Arguments.require(VERB, "initiatorDepth", value, MAX);
        return new ConnParam(privateData, responderResources, value, retryCount, rnrRetryCount, srq, qpNum);
    }

    /** {@return how often the queue pairs retry unanswered requests, 0 to 7; the connecting side decides} */
    public int retryCount() {
        return retryCount;
    }

    /**
     * Sets {@link #retryCount()}.
     *
     * @param value 0 to 7
     * @return parameters with this value
     */
    public ConnParam withRetryCount(int value) {
        Arguments.require(VERB, "retryCount", value, 7);
        return new ConnParam(privateData, responderResources, initiatorDepth, value, rnrRetryCount, srq, qpNum);
    }

    /** {@return how often the peer retries messages that find no receive at this side, 0 to 7; 7 means no limit} */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /**
     * Sets {@link #rnrRetryCount()}.
     *
     * @param value 0 to 7
     * @return parameters with this value
     */
    public ConnParam withRnrRetryCount(int value) {
        Arguments.require(VERB, "rnrRetryCount", value, 7);
        return new ConnParam(privateData, responderResources, initiatorDepth, retryCount, value, srq, qpNum);
    }

    /** {@return whether an external queue pair has a shared receive queue; ignored if the id has a queue pair} */
    public boolean srq() {
        return srq;
    }

    /**
     * Sets {@link #srq()}.
     *
     * @param value whether it has one
     * @return parameters with this value
     */
    public ConnParam withSrq(boolean value) {
        return new ConnParam(privateData, responderResources, initiatorDepth, retryCount, rnrRetryCount, value, qpNum);
    }

    /** {@return the number of an external queue pair; ignored if the id has a queue pair} */
    public int qpNum() {
        return qpNum;
    }

    /**
     * Sets {@link #qpNum()}.
     *
     * @param value the number, 24 bits
     * @return parameters with this value
     */
    public ConnParam withQpNum(int value) {
        Arguments.require(VERB, "qpNum", value, MAX_QPN);
        return new ConnParam(privateData, responderResources, initiatorDepth, retryCount, rnrRetryCount, srq, value);
    }

    @Override
    public String toString() {
        return "responderResources=" + responderResources + " initiatorDepth=" + initiatorDepth + " retryCount="
                + retryCount + " rnrRetryCount=" + rnrRetryCount + " srq=" + srq + " qpNum=" + qpNum
                + " privateData=" + Objects.requireNonNull(privateData).length + " bytes";
    }
}

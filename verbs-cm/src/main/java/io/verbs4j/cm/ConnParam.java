/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm;

import java.util.Objects;

/**
 * Parameters of a connection: what a program gives to {@link CmId#connect(ConnParam)} and {@link CmId#accept(ConnParam)}, and what an event tells of those
 * of the peer, from the receiver's point of view. Immutable. Source: {@code struct rdma_conn_param}, rdma_connect(3).
 */
public final class ConnParam {
    /** For {@link #responderResources()} and {@link #initiatorDepth()}: as much as the device has. Source: {@code RDMA_MAX_RESP_RES}, rdma_connect(3). */
    public static final int MAX = 0xff;

    /** Nothing to tell the peer, all the device's resources, seven retries. */
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
     * Data for the program at the peer. An event has all the bytes that the message has room for, filled with zeros: it does not tell how many the peer sent.
     *
     * @return a copy, never null
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Changes {@link #privateData()}.
     *
     * @param value the data; at most 56 bytes to connect, 196 to accept; 180 and 136 where it is about datagrams
     * @return parameters with it
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
     * Changes {@link #responderResources()}.
     *
     * @param value 0 to 255; {@link #MAX} for what the device has
     * @return parameters with it
     */
    public ConnParam withResponderResources(int value) {
        Arguments.require(VERB, "responderResources", value, MAX);
        return new ConnParam(privateData, value, initiatorDepth, retryCount, rnrRetryCount, srq, qpNum);
    }

    /** {@return how many RDMA reads and atomics this side has under way at a time, 0 to 255} */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /**
     * Changes {@link #initiatorDepth()}.
     *
     * @param value 0 to 255; {@link #MAX} for what the device has
     * @return parameters with it
     */
    public ConnParam withInitiatorDepth(int value) {
        Arguments.require(VERB, "initiatorDepth", value, MAX);
        return new ConnParam(privateData, responderResources, value, retryCount, rnrRetryCount, srq, qpNum);
    }

    /** {@return how often the queue pairs repeat what is not answered, 0 to 7; the side that connects decides} */
    public int retryCount() {
        return retryCount;
    }

    /**
     * Changes {@link #retryCount()}.
     *
     * @param value 0 to 7
     * @return parameters with it
     */
    public ConnParam withRetryCount(int value) {
        Arguments.require(VERB, "retryCount", value, 7);
        return new ConnParam(privateData, responderResources, initiatorDepth, value, rnrRetryCount, srq, qpNum);
    }

    /** {@return how often the peer repeats what finds no receive at this side, 0 to 7; 7 is without limit} */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /**
     * Changes {@link #rnrRetryCount()}.
     *
     * @param value 0 to 7
     * @return parameters with it
     */
    public ConnParam withRnrRetryCount(int value) {
        Arguments.require(VERB, "rnrRetryCount", value, 7);
        return new ConnParam(privateData, responderResources, initiatorDepth, retryCount, value, srq, qpNum);
    }

    /** {@return whether a queue pair that is not the id's has a shared receive queue} */
    public boolean srq() {
        return srq;
    }

    /**
     * Changes {@link #srq()}.
     *
     * @param value whether it has
     * @return parameters with it
     */
    public ConnParam withSrq(boolean value) {
        return new ConnParam(privateData, responderResources, initiatorDepth, retryCount, rnrRetryCount, value, qpNum);
    }

    /** {@return the number of a queue pair that is not the id's; it does not count where the id has one} */
    public int qpNum() {
        return qpNum;
    }

    /**
     * Changes {@link #qpNum()}.
     *
     * @param value the number, 24 bits
     * @return parameters with it
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

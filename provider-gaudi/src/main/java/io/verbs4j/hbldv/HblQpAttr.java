/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.QueuePair;

/**
 * What a change of a queue pair's state has beyond the verbs, for {@link io.verbs4j.QpAttr#vendor(Object)}. Each attribute counts at the step
 * that it names, and is to be left out at others. Not thread-safe. Source: {@code struct hbldv_qp_attr}.
 */
public final class HblQpAttr {
    private int localKey;
    private int remoteKey;
    private boolean hasLocalKey;
    private boolean hasRemoteKey;
    private long caps;
    private int wqType;
    private int wqGranularity;
    private int qpNumHint;
    private int priority;
    private int encapNum;
    private int congestionWnd;
    private int destWqSize;
    private int collLagIdx;
    private boolean collLastInLag;
    private int collLagSize;
    private QueuePair qpToMigrate;

    /** With what each attribute says of itself. */
    public HblQpAttr() {}

    /** {@return what it is to be, {@link HblQpCaps} bits} */
    public long caps() {
        return caps;
    }

    /**
     * Says what the connection is to be.
     *
     * @param value bits of {@link HblQpCaps}
     * @return this
     */
    public HblQpAttr caps(long value) {
        caps = value;
        return this;
    }

    /** {@return what its work queues do, {@link HblWqTypes} bits; 0 for RDMA writes} */
    public int wqType() {
        return wqType;
    }

    /**
     * Says what its work queues do, at INIT.
     *
     * @param value bits of {@link HblWqTypes}; 0 for RDMA writes
     * @return this
     */
    public HblQpAttr wqType(int value) {
        wqType = value;
        return this;
    }

    /** {@return how long its elements are, an {@link HblGranularities} value} */
    public int wqGranularity() {
        return wqGranularity;
    }

    /**
     * Says how long its elements are, at INIT.
     *
     * @param value of {@link HblGranularities}
     * @return this
     */
    public HblQpAttr wqGranularity(int value) {
        wqGranularity = value;
        return this;
    }

    /** {@return the number that is asked for} */
    public int qpNumHint() {
        return qpNumHint;
    }

    /**
     * Asks for a number, at INIT with {@link HblQpCaps#COLL}.
     *
     * @param value the number that was reserved, and the port's {@link HblPortAttr#collQpsOffset()}
     * @return this
     */
    public HblQpAttr qpNumHint(int value) {
        qpNumHint = value;
        return this;
    }

    /** {@return the priority; 0 for the usual one, 1} */
    public int priority() {
        return priority;
    }

    /**
     * Sets the priority, at RTR and RTS.
     *
     * @param value 1 to 3; 0 for the usual one
     * @return this
     */
    public HblQpAttr priority(int value) {
        priority = value;
        return this;
    }

    /** {@return which encapsulation it goes by} */
    public int encapNum() {
        return encapNum;
    }

    /**
     * Says how packets are wrapped, at RTR with {@link HblQpCaps#ENCAP}.
     *
     * @param value {@link HblEncap#encapNum()}
     * @return this
     */
    public HblQpAttr encapNum(int value) {
        encapNum = value;
        return this;
    }

    /** {@return the window of congestion control} */
    public int congestionWnd() {
        return congestionWnd;
    }

    /**
     * Sets the window of congestion control, at RTS.
     *
     * @param value packets
     * @return this
     */
    public HblQpAttr congestionWnd(int value) {
        congestionWnd = value;
        return this;
    }

    /** {@return how long the peer's ring is} */
    public int destWqSize() {
        return destWqSize;
    }

    /**
     * Says how long the peer's ring is, at RTS; rendezvous only.
     *
     * @param value a power of two, at least four times the own; 0 for writes
     * @return this
     */
    public HblQpAttr destWqSize(int value) {
        destWqSize = value;
        return this;
    }

    /** {@return which of bonded ports this is} */
    public int collLagIdx() {
        return collLagIdx;
    }

    /**
     * Says which of bonded ports this is, at RTS.
     *
     * @param value from 0
     * @return this
     */
    public HblQpAttr collLagIdx(int value) {
        collLagIdx = value;
        return this;
    }

    /** {@return whether it is the last of them} */
    public boolean collLastInLag() {
        return collLastInLag;
    }

    /**
     * Says that it is the last of them, at RTS.
     *
     * @param value whether it is
     * @return this
     */
    public HblQpAttr collLastInLag(boolean value) {
        collLastInLag = value;
        return this;
    }

    /** {@return how many are bonded} */
    public int collLagSize() {
        return collLagSize;
    }

    /**
     * Says how many are bonded, at RTS.
     *
     * @param value the number
     * @return this
     */
    public HblQpAttr collLagSize(int value) {
        collLagSize = value;
        return this;
    }

    /** {@return whose place it is to take; or null} */
    public QueuePair qpToMigrate() {
        return qpToMigrate;
    }

    /**
     * Says whose place it is to take, at RTR with {@link HblQpCaps#MIGRATE}.
     *
     * @param value another queue pair of the context
     * @return this
     */
    public HblQpAttr qpToMigrate(QueuePair value) {
        qpToMigrate = value;
        return this;
    }

    /**
     * Sets the key that the peer's packets must carry, at RTR; {@link HblOpenAttr#key()} unless it is set.
     *
     * @param value any number
     * @return this
     */
    public HblQpAttr localKey(int value) {
        localKey = value;
        hasLocalKey = true;
        return this;
    }

    /**
     * The key that the peer's packets must carry.
     *
     * @param usual what to tell where it was not set
     * @return the key
     */
    public int localKeyOr(int usual) {
        return hasLocalKey ? localKey : usual;
    }

    /**
     * Sets the key that its packets carry, at RTS; {@link HblOpenAttr#key()} unless it is set. It is the {@code rkey} of all requests.
     *
     * @param value the peer's local key
     * @return this
     */
    public HblQpAttr remoteKey(int value) {
        remoteKey = value;
        hasRemoteKey = true;
        return this;
    }

    /**
     * The key that its packets carry.
     *
     * @param usual what to tell where it was not set
     * @return the key
     */
    public int remoteKeyOr(int usual) {
        return hasRemoteKey ? remoteKey : usual;
    }
}

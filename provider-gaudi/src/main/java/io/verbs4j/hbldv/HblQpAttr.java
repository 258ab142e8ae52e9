/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.QueuePair;

/**
 * Gaudi's attributes of a queue pair's state change, for {@link io.verbs4j.QpAttr#vendor(Object)}. Each attribute
 * applies to the state that it names, and must be left out elsewhere. Not thread-safe. Source: {@code struct
 * hbldv_qp_attr}.
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

    /** Creates attributes with their defaults. */
    public HblQpAttr() {}

    /** {@return the properties of the connection, {@link HblQpCaps} bits} */
    public long caps() {
        return caps;
    }

    /**
     * Sets the properties of the connection.
     *
     * @param value {@link HblQpCaps} bits
     * @return this
     */
    public HblQpAttr caps(long value) {
        caps = value;
        return this;
    }

    /** {@return the purpose of the work queues, {@link HblWqTypes} bits; 0 for RDMA writes} */
    public int wqType() {
        return wqType;
    }

    /**
     * Sets the purpose of the work queues, at INIT.
     *
     * @param value {@link HblWqTypes} bits; 0 for RDMA writes
     * @return this
     */
    public HblQpAttr wqType(int value) {
        wqType = value;
        return this;
    }

    /** {@return the element size, an {@link HblGranularities} value} */
    public int wqGranularity() {
        return wqGranularity;
    }

    /**
     * Sets the element size, at INIT.
     *
     * @param value an {@link HblGranularities} value
     * @return this
     */
    public HblQpAttr wqGranularity(int value) {
        wqGranularity = value;
        return this;
    }

    /** {@return the requested number} */
    public int qpNumHint() {
        return qpNumHint;
    }

    /**
     * Requests a number, at INIT with {@link HblQpCaps#COLL}.
     *
     * @param value the reserved number plus the port's {@link HblPortAttr#collQpsOffset()}
     * @return this
     */
    public HblQpAttr qpNumHint(int value) {
        qpNumHint = value;
        return this;
    }

    /** {@return the priority; 0 for the default, 1} */
    public int priority() {
        return priority;
    }

    /**
     * Sets the priority, at RTR and RTS.
     *
     * @param value 1 to 3; 0 for the default, 1
     * @return this
     */
    public HblQpAttr priority(int value) {
        priority = value;
        return this;
    }

    /** {@return the number of the encapsulation} */
    public int encapNum() {
        return encapNum;
    }

    /**
     * Sets the encapsulation, at RTR with {@link HblQpCaps#ENCAP}.
     *
     * @param value {@link HblEncap#encapNum()}
     * @return this
     */
    public HblQpAttr encapNum(int value) {
        encapNum = value;
        return this;
    }

    /** {@return the congestion window} */
    public int congestionWnd() {
        return congestionWnd;
    }

    /**
     * Sets the congestion window, at RTS.
     *
     * @param value packets
     * @return this
     */
    public HblQpAttr congestionWnd(int value) {
        congestionWnd = value;
        return this;
    }

    /** {@return the size of the peer's ring} */
    public int destWqSize() {
        return destWqSize;
    }

    /**
     * Sets the size of the peer's ring, at RTS; for rendezvous only.
     *
     * @param value a power of two, at least four times that of the own ring; 0 for writes
     * @return this
     */
    public HblQpAttr destWqSize(int value) {
        destWqSize = value;
        return this;
    }

    /** {@return the index of this port among the bonded ports} */
    public int collLagIdx() {
        return collLagIdx;
    }

    /**
     * Sets the index of this port among the bonded ports, at RTS.
     *
     * @param value from 0
     * @return this
     */
    public HblQpAttr collLagIdx(int value) {
        collLagIdx = value;
        return this;
    }

    /** {@return whether this is the last of the bonded ports} */
    public boolean collLastInLag() {
        return collLastInLag;
    }

    /**
     * Sets whether this is the last of the bonded ports, at RTS.
     *
     * @param value whether it is the last
     * @return this
     */
    public HblQpAttr collLastInLag(boolean value) {
        collLastInLag = value;
        return this;
    }

    /** {@return the number of bonded ports} */
    public int collLagSize() {
        return collLagSize;
    }

    /**
     * Sets the number of bonded ports, at RTS.
     *
     * @param value the number
     * @return this
     */
    public HblQpAttr collLagSize(int value) {
        collLagSize = value;
        return this;
    }

    /** {@return the queue pair to replace, or null} */
    public QueuePair qpToMigrate() {
        return qpToMigrate;
    }

    /**
     * Sets the queue pair to replace, at RTR with {@link HblQpCaps#MIGRATE}.
     *
     * @param value another queue pair of the context
     * @return this
     */
    public HblQpAttr qpToMigrate(QueuePair value) {
        qpToMigrate = value;
        return this;
    }

    /**
     * Sets the key that the peer's packets must carry, at RTR. The default is {@link HblOpenAttr#key()}.
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
     * Returns the key that the peer's packets must carry.
     *
     * @param usual the value to return if none was set
     * @return the key
     */
    public int localKeyOr(int usual) {
        return hasLocalKey ? localKey : usual;
    }

    /**
     * Sets the key that this queue pair's packets carry, at RTS. The default is {@link HblOpenAttr#key()}. It is the
     * {@code rkey} of all requests.
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
     * Returns the key that this queue pair's packets carry.
     *
     * @param usual the value to return if none was set
     * @return the key
     */
    public int remoteKeyOr(int usual) {
        return hasRemoteKey ? remoteKey : usual;
    }
}

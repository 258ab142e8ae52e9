/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * State and limits of a port: the result of {@link Context#queryPort(int)}.
 *
 * <p>Source: {@code ibv_query_port(3)}. Not thread-safe.
 */
// More than 30 public methods because each field of `struct ibv_port_attr` is two, and the API is frozen.
public final class PortAttr {
    private int state;
    private int maxMtu;
    private int activeMtu;
    private int gidTblLen;
    private int portCapFlags;
    private long maxMsgSz;
    private int badPkeyCntr;
    private int qkeyViolCntr;
    private int pkeyTblLen;
    private int lid;
    private int smLid;
    private int lmc;
    private int maxVlNum;
    private int smSl;
    private int subnetTimeout;
    private int initTypeReply;
    private int activeWidth;
    private int activeSpeed;
    private int physState;
    private int linkLayer;

    /** Creates an instance with every attribute zero. */
    public PortAttr() {}

    /** {@return the logical state, a {@link PortState} value} */
    public int state() {
        return state;
    }

    /**
     * Sets {@link #state()}.
     *
     * @param value logical state, a {@link PortState} value
     * @return this
     */
    public PortAttr state(int value) {
        state = value;
        return this;
    }

    /** {@return the largest path MTU that the port supports, an {@link Mtu} value} */
    public int maxMtu() {
        return maxMtu;
    }

    /**
     * Sets {@link #maxMtu()}.
     *
     * @param value largest path MTU that the port supports, an {@link Mtu} value
     * @return this
     */
    public PortAttr maxMtu(int value) {
        maxMtu = value;
        return this;
    }

    /** {@return the path MTU in use, an {@link Mtu} value} */
    public int activeMtu() {
        return activeMtu;
    }

    /**
     * Sets {@link #activeMtu()}.
     *
     * @param value path MTU in use, an {@link Mtu} value
     * @return this
     */
    public PortAttr activeMtu(int value) {
        activeMtu = value;
        return this;
    }

    /** {@return the number of entries of the GID table} */
    public int gidTblLen() {
        return gidTblLen;
    }

    /**
     * Sets {@link #gidTblLen()}.
     *
     * @param value number of entries of the GID table
     * @return this
     */
    public PortAttr gidTblLen(int value) {
        gidTblLen = value;
        return this;
    }

    /** {@return the capabilities, {@link PortCap} bits} */
    public int portCapFlags() {
        return portCapFlags;
    }

    /**
     * Sets {@link #portCapFlags()}.
     *
     * @param value capabilities, {@link PortCap} bits
     * @return this
     */
    public PortAttr portCapFlags(int value) {
        portCapFlags = value;
        return this;
    }

    /** {@return the largest message, in bytes} */
    public long maxMsgSz() {
        return maxMsgSz;
    }

    /**
     * Sets {@link #maxMsgSz()}.
     *
     * @param value largest message, in bytes
     * @return this
     */
    public PortAttr maxMsgSz(long value) {
        maxMsgSz = value;
        return this;
    }

    /** {@return the count of packets with a bad P_Key} */
    public int badPkeyCntr() {
        return badPkeyCntr;
    }

    /**
     * Sets {@link #badPkeyCntr()}.
     *
     * @param value count of packets with a bad P_Key
     * @return this
     */
    public PortAttr badPkeyCntr(int value) {
        badPkeyCntr = value;
        return this;
    }

    /** {@return the count of packets with a bad Q_Key} */
    public int qkeyViolCntr() {
        return qkeyViolCntr;
    }

    /**
     * Sets {@link #qkeyViolCntr()}.
     *
     * @param value count of packets with a bad Q_Key
     * @return this
     */
    public PortAttr qkeyViolCntr(int value) {
        qkeyViolCntr = value;
        return this;
    }

    /** {@return the number of entries of the P_Key table} */
    public int pkeyTblLen() {
        return pkeyTblLen;
    }

    /**
     * Sets {@link #pkeyTblLen()}.
     *
     * @param value number of entries of the P_Key table
     * @return this
     */
    public PortAttr pkeyTblLen(int value) {
        pkeyTblLen = value;
        return this;
    }

    /** {@return the base LID; 0 on RoCE} */
    public int lid() {
        return lid;
    }

    /**
     * Sets {@link #lid()}.
     *
     * @param value base LID; 0 on RoCE
     * @return this
     */
    public PortAttr lid(int value) {
        lid = value;
        return this;
    }

    /** {@return the LID of the subnet manager; 0 on RoCE} */
    public int smLid() {
        return smLid;
    }

    /**
     * Sets {@link #smLid()}.
     *
     * @param value LID of the subnet manager; 0 on RoCE
     * @return this
     */
    public PortAttr smLid(int value) {
        smLid = value;
        return this;
    }

    /** {@return the LID mask count} */
    public int lmc() {
        return lmc;
    }

    /**
     * Sets {@link #lmc()}.
     *
     * @param value LID mask count
     * @return this
     */
    public PortAttr lmc(int value) {
        lmc = value;
        return this;
    }

    /** {@return the virtual lanes, coded as in the specification} */
    public int maxVlNum() {
        return maxVlNum;
    }

    /**
     * Sets {@link #maxVlNum()}.
     *
     * @param value virtual lanes, coded as in the specification
     * @return this
     */
    public PortAttr maxVlNum(int value) {
        maxVlNum = value;
        return this;
    }

    /** {@return the service level of the subnet manager} */
    public int smSl() {
        return smSl;
    }

    /**
     * Sets {@link #smSl()}.
     *
     * @param value service level of the subnet manager
     * @return this
     */
    public PortAttr smSl(int value) {
        smSl = value;
        return this;
    }

    /** {@return the subnet propagation delay as an exponent: 4.096 µs × 2 to this power} */
    public int subnetTimeout() {
        return subnetTimeout;
    }

    /**
     * Sets {@link #subnetTimeout()}.
     *
     * @param value subnet propagation delay as an exponent: 4.096 µs × 2 to this power
     * @return this
     */
    public PortAttr subnetTimeout(int value) {
        subnetTimeout = value;
        return this;
    }

    /** {@return the kind of initialisation that the subnet manager did} */
    public int initTypeReply() {
        return initTypeReply;
    }

    /**
     * Sets {@link #initTypeReply()}.
     *
     * @param value kind of initialisation that the subnet manager did
     * @return this
     */
    public PortAttr initTypeReply(int value) {
        initTypeReply = value;
        return this;
    }

    /** {@return the link width in use, coded: 1 is 1X, 2 is 4X, 4 is 8X, 8 is 12X, 16 is 2X} */
    public int activeWidth() {
        return activeWidth;
    }

    /**
     * Sets {@link #activeWidth()}.
     *
     * @param value link width in use, coded: 1 is 1X, 2 is 4X, 4 is 8X, 8 is 12X, 16 is 2X
     * @return this
     */
    public PortAttr activeWidth(int value) {
        activeWidth = value;
        return this;
    }

    /** {@return the link speed in use, coded: 1 is 2.5 Gb/s per lane, 2 is 5, 4 is 10, 16 is 14, 32 is 25} */
    public int activeSpeed() {
        return activeSpeed;
    }

    /**
     * Sets {@link #activeSpeed()}.
     *
     * @param value link speed in use, coded: 1 is 2.5 Gb/s per lane, 2 is 5, 4 is 10, 16 is 14, 32 is 25
     * @return this
     */
    public PortAttr activeSpeed(int value) {
        activeSpeed = value;
        return this;
    }

    /** {@return the physical state, a {@link PortPhysState} value} */
    public int physState() {
        return physState;
    }

    /**
     * Sets {@link #physState()}.
     *
     * @param value physical state, a {@link PortPhysState} value
     * @return this
     */
    public PortAttr physState(int value) {
        physState = value;
        return this;
    }

    /** {@return the link layer, a {@link LinkLayer} value} */
    public int linkLayer() {
        return linkLayer;
    }

    /**
     * Sets {@link #linkLayer()}.
     *
     * @param value link layer, a {@link LinkLayer} value
     * @return this
     */
    public PortAttr linkLayer(int value) {
        linkLayer = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}

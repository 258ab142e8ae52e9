/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Attributes of a new FIFO. Not thread-safe. Source: {@code struct hbldv_usr_fifo_attr}. */
public final class HblUsrFifoAttr {
    private int portNum;
    private int type;
    private int numHint;
    private int baseSobAddr;
    private int numSobs;
    private int dirDupMask;

    /** Creates attributes with their defaults. */
    public HblUsrFifoAttr() {}

    /** {@return the port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Sets the port.
     *
     * @param value from 1
     * @return this
     */
    public HblUsrFifoAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return the purpose, an {@link HblUsrFifoTypes} value} */
    public int type() {
        return type;
    }

    /**
     * Sets the purpose.
     *
     * @param value an {@link HblUsrFifoTypes} value
     * @return this
     */
    public HblUsrFifoAttr type(int value) {
        type = value;
        return this;
    }

    /** {@return the requested number; 0 for any} */
    public int numHint() {
        return numHint;
    }

    /**
     * Requests a number.
     *
     * @param value 1 to 30, or 0 for any
     * @return this
     */
    public HblUsrFifoAttr numHint(int value) {
        numHint = value;
        return this;
    }

    /** {@return the address of its first sync object} */
    public int baseSobAddr() {
        return baseSobAddr;
    }

    /**
     * Sets the address of its first sync object.
     *
     * @param value a device address
     * @return this
     */
    public HblUsrFifoAttr baseSobAddr(int value) {
        baseSobAddr = value;
        return this;
    }

    /** {@return the number of its sync objects} */
    public int numSobs() {
        return numSobs;
    }

    /**
     * Sets the number of its sync objects.
     *
     * @param value the number
     * @return this
     */
    public HblUsrFifoAttr numSobs(int value) {
        numSobs = value;
        return this;
    }

    /** {@return the duplication mask of direct operations} */
    public int dirDupMask() {
        return dirDupMask;
    }

    /**
     * Sets the duplication mask of direct operations.
     *
     * @param value 8 bits
     * @return this
     */
    public HblUsrFifoAttr dirDupMask(int value) {
        dirDupMask = value;
        return this;
    }
}

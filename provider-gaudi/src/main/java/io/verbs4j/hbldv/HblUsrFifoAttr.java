/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * What a FIFO is made of. Not thread-safe. Source: {@code struct hbldv_usr_fifo_attr}.
 */
public final class HblUsrFifoAttr {
    private int portNum;
    private int type;
    private int numHint;
    private int baseSobAddr;
    private int numSobs;
    private int dirDupMask;

    /** With what each attribute says of itself. */
    public HblUsrFifoAttr() {}

    /** {@return the port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Says which port's it is.
     *
     * @param value from 1
     * @return this
     */
    public HblUsrFifoAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return what it is for, an {@link HblUsrFifoTypes} value} */
    public int type() {
        return type;
    }

    /**
     * Says what it is for.
     *
     * @param value of {@link HblUsrFifoTypes}
     * @return this
     */
    public HblUsrFifoAttr type(int value) {
        type = value;
        return this;
    }

    /** {@return the number that is asked for; 0 for any} */
    public int numHint() {
        return numHint;
    }

    /**
     * Asks for a number.
     *
     * @param value 1 to 30, or 0 for any
     * @return this
     */
    public HblUsrFifoAttr numHint(int value) {
        numHint = value;
        return this;
    }

    /** {@return where its sync objects begin} */
    public int baseSobAddr() {
        return baseSobAddr;
    }

    /**
     * Says where its sync objects begin.
     *
     * @param value an address of the device's
     * @return this
     */
    public HblUsrFifoAttr baseSobAddr(int value) {
        baseSobAddr = value;
        return this;
    }

    /** {@return how many sync objects it has} */
    public int numSobs() {
        return numSobs;
    }

    /**
     * Says how many sync objects it has.
     *
     * @param value the number
     * @return this
     */
    public HblUsrFifoAttr numSobs(int value) {
        numSobs = value;
        return this;
    }

    /** {@return the mask by which direct operations are doubled} */
    public int dirDupMask() {
        return dirDupMask;
    }

    /**
     * Sets the mask by which direct operations are doubled.
     *
     * @param value 8 bits
     * @return this
     */
    public HblUsrFifoAttr dirDupMask(int value) {
        dirDupMask = value;
        return this;
    }
}

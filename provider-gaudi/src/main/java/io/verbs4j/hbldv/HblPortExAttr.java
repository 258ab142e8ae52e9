/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * How a port is set up. A port that a program does not set up itself gets, when it is first used, {@link HblWqArrays#GENERIC} of 128 queues with
 * 256 elements of 32 bytes in memory of this process. Not thread-safe. Source: {@code struct hbldv_port_ex_attr}.
 */
public final class HblPortExAttr {
    private final HblWqArray[] arrays = new HblWqArray[HblWqArrays.MAX];
    private final int[] qpWqBpOffs = new int[16];
    private int portNum;
    private long caps;
    private int atomicFnaMaskSize;

    /** With what each attribute says of itself. */
    public HblPortExAttr() {}

    /** {@return the port} */
    public int portNum() {
        return portNum;
    }

    /**
     * Says which port it is about.
     *
     * @param value from 1
     * @return this
     */
    public HblPortExAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return how it is set up, {@link HblPortCaps} bits} */
    public long caps() {
        return caps;
    }

    /**
     * Says how it is set up.
     *
     * @param value bits of {@link HblPortCaps}
     * @return this
     */
    public HblPortExAttr caps(long value) {
        caps = value;
        return this;
    }

    /** {@return the size of the mask of fetch-and-add} */
    public int atomicFnaMaskSize() {
        return atomicFnaMaskSize;
    }

    /**
     * Sets the size of the mask of fetch-and-add; releases 1.16 and newer.
     *
     * @param value 8 bits
     * @return this
     */
    public HblPortExAttr atomicFnaMaskSize(int value) {
        atomicFnaMaskSize = value;
        return this;
    }

    /**
     * Sets up an array of work queues. What is not set up has none.
     *
     * @param array of {@link HblWqArrays}
     * @param wqs how many queues, from 2; queue pairs get one less
     * @param wqes elements of each: a power of two, 16 to 32768
     * @param memId where it lies, an {@link HblMemIds} value
     * @param granularity how long elements are, an {@link HblGranularities} value
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for no place of an array
     */
    public HblPortExAttr wqArray(int array, int wqs, int wqes, int memId, int granularity) {
        if (array < 0 || array >= HblWqArrays.MAX) {
            throw new VerbsException(Errno.EINVAL, "hbldv_set_port_ex", "array is " + array + ", but it is 0 to 4");
        }
        arrays[array] = new HblWqArray(wqs, wqes, memId, granularity);
        return this;
    }

    /**
     * An array of work queues.
     *
     * @param array of {@link HblWqArrays}
     * @return what was set; null where nothing was
     */
    public HblWqArray wqArray(int array) {
        return arrays[array];
    }

    /** {@return the offsets of back-pressure, 16 of them} */
    public int[] qpWqBpOffs() {
        return qpWqBpOffs.clone();
    }

    /**
     * Sets an offset of back-pressure; with {@link HblPortCaps#ADVANCED}.
     *
     * @param index 0 to 15
     * @param value the offset
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for another index
     */
    public HblPortExAttr qpWqBpOffs(int index, int value) {
        if (index < 0 || index >= qpWqBpOffs.length) {
            throw new VerbsException(Errno.EINVAL, "hbldv_set_port_ex", "index is " + index + ", but it is 0 to 15");
        }
        qpWqBpOffs[index] = value;
        return this;
    }
}

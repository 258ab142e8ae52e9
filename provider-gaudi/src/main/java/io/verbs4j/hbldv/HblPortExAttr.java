/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Attributes for setting up a port. A port that the program does not set up gets, at first use, the array
 * {@link HblWqArrays#GENERIC} of 128 queues with 256 elements of 32 bytes in memory of this process. Not thread-safe.
 * Source: {@code struct hbldv_port_ex_attr}.
 */
public final class HblPortExAttr {
    private final HblWqArray[] arrays = new HblWqArray[HblWqArrays.MAX];
    private final int[] qpWqBpOffs = new int[16];
    private int portNum;
    private long caps;
    private int atomicFnaMaskSize;

    /** Creates attributes with their defaults. */
    public HblPortExAttr() {}

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
    public HblPortExAttr portNum(int value) {
        portNum = value;
        return this;
    }

    /** {@return the features, {@link HblPortCaps} bits} */
    public long caps() {
        return caps;
    }

    /**
     * Sets the features.
     *
     * @param value {@link HblPortCaps} bits
     * @return this
     */
    public HblPortExAttr caps(long value) {
        caps = value;
        return this;
    }

    /** {@return the size of the fetch-and-add mask} */
    public int atomicFnaMaskSize() {
        return atomicFnaMaskSize;
    }

    /**
     * Sets the size of the fetch-and-add mask. Requires release 1.16.
     *
     * @param value 8 bits
     * @return this
     */
    public HblPortExAttr atomicFnaMaskSize(int value) {
        atomicFnaMaskSize = value;
        return this;
    }

    /**
     * Sets up an array of work queues. An array that is not set up has no queues.
     *
     * @param array an {@link HblWqArrays} value
     * @param wqs number of queues, from 2; one less is available to queue pairs
     * @param wqes elements of each queue: a power of two, 16 to 32768
     * @param memId memory that it lies in, an {@link HblMemIds} value
     * @param granularity element size, an {@link HblGranularities} value
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} if {@code array} is out of range
     */
    public HblPortExAttr wqArray(int array, int wqs, int wqes, int memId, int granularity) {
        if (array < 0 || array >= HblWqArrays.MAX) {
            throw new VerbsException(Errno.EINVAL, "hbldv_set_port_ex", "array is " + array + ", but must be 0 to 4");
        }
        arrays[array] = new HblWqArray(wqs, wqes, memId, granularity);
        return this;
    }

    /**
     * Returns an array of work queues.
     *
     * @param array an {@link HblWqArrays} value
     * @return the array that was set; null if none was
     */
    public HblWqArray wqArray(int array) {
        return arrays[array];
    }

    /** {@return the 16 back-pressure offsets} */
    public int[] qpWqBpOffs() {
        return qpWqBpOffs.clone();
    }

    /**
     * Sets a back-pressure offset. Requires {@link HblPortCaps#ADVANCED}.
     *
     * @param index 0 to 15
     * @param value the offset
     * @return this
     * @throws VerbsException {@link Errno#EINVAL} for another index
     */
    public HblPortExAttr qpWqBpOffs(int index, int value) {
        if (index < 0 || index >= qpWqBpOffs.length) {
            throw new VerbsException(Errno.EINVAL, "hbldv_set_port_ex", "index is " + index + ", but must be 0 to 15");
        }
        qpWqBpOffs[index] = value;
        return this;
    }
}

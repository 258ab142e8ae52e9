/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Where the queues of a {@link DevxQueuePair} lie, and how long they are. {@link #memory} and {@link #uar} are
 * required. Not thread-safe.
 */
public final class DevxQueuePairAttr {
    private DevxUmem memory;
    private long offset;
    private long laneAddress;
    private long hostAddress;
    private Uar uar;
    private int maxSendWr = 64;

    /** Creates attributes for 64 requests, without memory and doorbell page. */
    public DevxQueuePairAttr() {}

    /**
     * Sets the memory for the queues and the doorbell records: {@link DevxQueuePair#memoryLength} bytes.
     *
     * @param umem registered with {@link io.verbs4j.AccessFlags#LOCAL_WRITE}; close it after the queue pair
     * @param at offset of the first byte in the registered memory, a multiple of 4096
     * @return this
     */
    public DevxQueuePairAttr memory(DevxUmem umem, long at) {
        memory = umem;
        offset = at;
        return this;
    }

    /**
     * Sets the address at which lanes see the first byte, for instance the address of the GPU's memory.
     *
     * @param address the address; default 0, for which the queues' addresses are offsets
     * @return this
     */
    public DevxQueuePairAttr laneAddress(long address) {
        laneAddress = address;
        return this;
    }

    /**
     * Sets the address at which this process sees the first byte. Then the library prepares the memory, and a
     * {@code CpuProxy} can ring.
     *
     * @param address the address; default 0, if this process does not see the memory. The program then sets the bytes
     *     of the completions to 0xff and those of the records to 0 before it creates the queue pair
     * @return this
     */
    public DevxQueuePairAttr hostAddress(long address) {
        hostAddress = address;
        return this;
    }

    /**
     * Sets the page whose first register is the doorbell. Lanes store 8 bytes there without a lock between queue pairs;
     * so use a page that is not cached, which several queue pairs may ring.
     *
     * @param page a page of type {@link UarType#NC} or {@link UarType#NC_DEDICATED}; close it after the queue pair
     * @return this
     */
    public DevxQueuePairAttr uar(Uar page) {
        uar = page;
        return this;
    }

    /**
     * Sets the maximum number of outstanding requests.
     *
     * @param count 1 to 32768, rounded up to a power of 2; default 64
     * @return this
     */
    public DevxQueuePairAttr maxSendWr(int count) {
        maxSendWr = count;
        return this;
    }

    /** {@return the memory for the queues, or null} */
    public DevxUmem memory() {
        return memory;
    }

    /** {@return the offset of the first byte in the registered memory} */
    public long offset() {
        return offset;
    }

    /** {@return the address at which lanes see the first byte} */
    public long laneAddress() {
        return laneAddress;
    }

    /** {@return the address at which this process sees the first byte; 0 if it does not} */
    public long hostAddress() {
        return hostAddress;
    }

    /** {@return the page with the doorbell register, or null} */
    public Uar uar() {
        return uar;
    }

    /** {@return the maximum number of outstanding requests} */
    public int maxSendWr() {
        return maxSendWr;
    }
}

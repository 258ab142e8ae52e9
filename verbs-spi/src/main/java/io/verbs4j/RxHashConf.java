/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Configuration of how a queue pair spreads received packets over the work queues of its table:
 * {@link QpInitAttrEx#rxHashConf()}. A hash of the selected fields is the index into the {@link RwqIndTable}.
 *
 * <p>Since level 4. Source: {@code struct ibv_rx_hash_conf}, {@code ibv_create_qp_ex(3)}. Not thread-safe.
 */
public final class RxHashConf {
    private int rxHashFunction;
    private byte[] rxHashKey = {};
    private long rxHashFieldsMask;

    /** Creates an instance with nothing set. */
    public RxHashConf() {}

    /** {@return the function, a {@link RxHashFunction} bit} */
    public int rxHashFunction() {
        return rxHashFunction;
    }

    /**
     * Sets {@link #rxHashFunction()}.
     *
     * @param value the function, a {@link RxHashFunction} bit
     * @return this
     */
    public RxHashConf rxHashFunction(int value) {
        rxHashFunction = value;
        return this;
    }

    /** {@return the key of the function, 40 bytes for Toeplitz; copied} */
    public byte[] rxHashKey() {
        return rxHashKey.clone();
    }

    /**
     * Sets {@link #rxHashKey()}.
     *
     * @param value the key of the function, 40 bytes for Toeplitz; copied
     * @return this
     */
    public RxHashConf rxHashKey(byte[] value) {
        rxHashKey = value.clone();
        return this;
    }

    /** {@return the fields that are hashed, {@link RxHashFields} bits; 0 sends all packets to the first work queue} */
    public long rxHashFieldsMask() {
        return rxHashFieldsMask;
    }

    /**
     * Sets {@link #rxHashFieldsMask()}.
     *
     * @param value the fields that are hashed, {@link RxHashFields} bits; 0 sends all packets to the first work queue
     * @return this
     */
    public RxHashConf rxHashFieldsMask(long value) {
        rxHashFieldsMask = value;
        return this;
    }

    @Override
    public String toString() {
        return RxHashFunction.toString(rxHashFunction) + " of " + RxHashFields.toString(rxHashFieldsMask)
                + " with a key of " + rxHashKey.length + " bytes";
    }
}

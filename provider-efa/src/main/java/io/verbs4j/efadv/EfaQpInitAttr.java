/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * EFA's attributes of a new queue pair of type {@link io.verbs4j.QpType#DRIVER}. Not thread-safe. Source:
 * {@code efadv_create_qp_ex(3)}, {@code struct efadv_qp_init_attr}.
 */
public final class EfaQpInitAttr {
    /** Scalable reliable datagram, the only type. Source: {@code EFADV_QP_DRIVER_TYPE_SRD}. */
    public static final int SRD = 0;

    private int driverQpType;
    private int flags;
    private int sl;
    private long wrFlags;

    /** Creates attributes of a plain SRD queue pair. */
    public EfaQpInitAttr() {}

    /** {@return the type of the queue pair} */
    public int driverQpType() {
        return driverQpType;
    }

    /**
     * Sets the type of the queue pair.
     *
     * @param type {@link #SRD}
     * @return this
     */
    public EfaQpInitAttr driverQpType(int type) {
        driverQpType = type;
        return this;
    }

    /** {@return the flags, {@link EfaQpFlags} bits} */
    public int flags() {
        return flags;
    }

    /**
     * Sets the flags.
     *
     * @param bits {@link EfaQpFlags} bits; each requires an rdma-core release that has it
     * @return this
     */
    public EfaQpInitAttr flags(int bits) {
        flags = bits;
        return this;
    }

    /** {@return the service level} */
    public int sl() {
        return sl;
    }

    /**
     * Sets the service level. Requires rdma-core 55.
     *
     * @param level 0 to 255; 8 is for low latency
     * @return this
     */
    public EfaQpInitAttr sl(int level) {
        sl = level;
        return this;
    }

    /** {@return the additions that work requests may carry, {@link EfaWrFlags} bits} */
    public long wrFlags() {
        return wrFlags;
    }

    /**
     * Sets the additions that work requests may carry. Requires rdma-core 64.
     *
     * @param bits {@link EfaWrFlags} bits
     * @return this
     */
    public EfaQpInitAttr wrFlags(long bits) {
        wrFlags = bits;
        return this;
    }
}

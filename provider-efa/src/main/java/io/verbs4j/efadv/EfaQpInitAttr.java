/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.efadv;

/**
 * What a queue pair of type {@link io.verbs4j.QpType#DRIVER} is made of beyond the verbs. Not thread-safe. Source: efadv_create_qp_ex(3), {@code struct
 * efadv_qp_init_attr}.
 */
public final class EfaQpInitAttr {
    /** A scalable reliable datagram: the only type there is. Source: {@code EFADV_QP_DRIVER_TYPE_SRD}. */
    public static final int SRD = 0;

    private int driverQpType;
    private int flags;
    private int sl;
    private long wrFlags;

    /** An SRD queue pair without anything special. */
    public EfaQpInitAttr() {}

    /** {@return which type it is} */
    public int driverQpType() {
        return driverQpType;
    }

    /**
     * Says which type it is.
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
     * Sets flags.
     *
     * @param bits of {@link EfaQpFlags}; each needs a release of rdma-core that has it
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
     * Sets the service level; rdma-core 55.
     *
     * @param level 0 to 255; 8 is that of low latency
     * @return this
     */
    public EfaQpInitAttr sl(int level) {
        sl = level;
        return this;
    }

    /** {@return what work requests may have, {@link EfaWrFlags} bits} */
    public long wrFlags() {
        return wrFlags;
    }

    /**
     * Sets what work requests may have; rdma-core 64.
     *
     * @param bits of {@link EfaWrFlags}
     * @return this
     */
    public EfaQpInitAttr wrFlags(long bits) {
        wrFlags = bits;
        return this;
    }
}

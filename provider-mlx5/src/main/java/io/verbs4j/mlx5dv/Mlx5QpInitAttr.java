/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Queue pair attributes beyond the verbs. Each setter sets its bit of the mask. Not thread-safe. Source:
 * mlx5dv_create_qp(3), {@code struct mlx5dv_qp_init_attr}.
 */
public final class Mlx5QpInitAttr {
    private long compMask;
    private int createFlags;
    private int dcType;
    private long accessKey;
    private int logConcurrentStreams;
    private int logErroredStreams;
    private long sendOpsFlags;

    /** Creates attributes of which none is set. */
    public Mlx5QpInitAttr() {}

    /** {@return the attributes that are set, bits of {@link Mlx5QpInitAttrMask}} */
    public long compMask() {
        return compMask;
    }

    /**
     * Sets the mask itself, for programs that copy attributes from elsewhere; the other setters update it.
     *
     * @param mask bits of {@link Mlx5QpInitAttrMask}
     * @return this
     */
    public Mlx5QpInitAttr compMask(long mask) {
        compMask = mask;
        return this;
    }

    /**
     * Creates attributes for a DC target. The queue pair must be of type {@link io.verbs4j.QpType#DRIVER} and have a
     * shared receive queue.
     *
     * @param accessKey the key that initiators must know
     * @return new attributes
     */
    public static Mlx5QpInitAttr target(long accessKey) {
        return new Mlx5QpInitAttr().dc(Mlx5DcType.DCT, accessKey);
    }

    /**
     * Creates attributes for a DC initiator. The queue pair must be of type {@link io.verbs4j.QpType#DRIVER}; it only
     * sends.
     *
     * @return new attributes
     */
    public static Mlx5QpInitAttr initiator() {
        return new Mlx5QpInitAttr().dc(Mlx5DcType.DCI, 0);
    }

    /** {@return the flags, bits of {@link Mlx5QpCreateFlags}} */
    public int createFlags() {
        return createFlags;
    }

    /**
     * Sets the flags.
     *
     * @param value bits of {@link Mlx5QpCreateFlags}
     * @return this
     */
    public Mlx5QpInitAttr createFlags(int value) {
        createFlags = value;
        compMask |= Mlx5QpInitAttrMask.QP_CREATE_FLAGS;
        return this;
    }

    /** {@return the end of DC, a {@link Mlx5DcType} value; 0 if it was not set} */
    public int dcType() {
        return dcType;
    }

    /** {@return the access key of a target} */
    public long accessKey() {
        return accessKey;
    }

    /**
     * Sets the end of DC.
     *
     * @param type a {@link Mlx5DcType} value
     * @param key for a target, the key that initiators must know; for an initiator, 0
     * @return this
     */
    public Mlx5QpInitAttr dc(int type, long key) {
        dcType = type;
        accessKey = key;
        compMask |= Mlx5QpInitAttrMask.DC;
        return this;
    }

    /** {@return the binary logarithm of the number of concurrent streams of an initiator} */
    public int logConcurrentStreams() {
        return logConcurrentStreams;
    }

    /** {@return the binary logarithm of the number of streams in error at which all streams enter the error state} */
    public int logErroredStreams() {
        return logErroredStreams;
    }

    /**
     * Gives an initiator streams: a request that fails stops only the requests of its stream. Since rdma-core 37.
     *
     * @param logConcurrent binary logarithm of the number of concurrent streams; at most what
     *     {@link Mlx5DeviceAttr#dciStreams()} reports
     * @param logErrored binary logarithm of the number of streams in error before all of them are; likewise limited
     * @return this
     */
    public Mlx5QpInitAttr dciStreams(int logConcurrent, int logErrored) {
        logConcurrentStreams = logConcurrent;
        logErroredStreams = logErrored;
        compMask |= Mlx5QpInitAttrMask.DCI_STREAMS;
        return this;
    }

    /** {@return the operations that may be posted, bits of {@link Mlx5SendOps}} */
    public long sendOpsFlags() {
        return sendOpsFlags;
    }

    /**
     * Sets the operations that may be posted; the elements of the send queue are made large enough for them.
     *
     * @param value bits of {@link Mlx5SendOps}
     * @return this
     */
    public Mlx5QpInitAttr sendOpsFlags(long value) {
        sendOpsFlags = value;
        compMask |= Mlx5QpInitAttrMask.SEND_OPS_FLAGS;
        return this;
    }
}

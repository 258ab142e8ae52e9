/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * What a queue pair is made of beyond the verbs. Each setter sets its bit of the mask. Not thread-safe. Source:
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

    /** Nothing beyond the verbs. */
    public Mlx5QpInitAttr() {}

    /** {@return which attributes are there, bits of {@link Mlx5QpInitAttrMask}} */
    public long compMask() {
        return compMask;
    }

    /**
     * Sets the mask as it is given, for programs that build attributes from elsewhere; setters do it by themselves.
     *
     * @param mask bits of {@link Mlx5QpInitAttrMask}
     * @return this
     */
    public Mlx5QpInitAttr compMask(long mask) {
        compMask = mask;
        return this;
    }

    /**
     * A DC target. The queue pair is of type {@link io.verbs4j.QpType#DRIVER} and has a shared receive queue.
     *
     * @param accessKey what initiators have to know
     * @return new attributes
     */
    public static Mlx5QpInitAttr target(long accessKey) {
        return new Mlx5QpInitAttr().dc(Mlx5DcType.DCT, accessKey);
    }

    /**
     * A DC initiator. The queue pair is of type {@link io.verbs4j.QpType#DRIVER} and sends only.
     *
     * @return new attributes
     */
    public static Mlx5QpInitAttr initiator() {
        return new Mlx5QpInitAttr().dc(Mlx5DcType.DCI, 0);
    }

    /**
     * The flags.
     *
     * @return bits of {@link Mlx5QpCreateFlags}
     */
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

    /**
     * Which end of DC it is.
     *
     * @return a {@link Mlx5DcType} value; 0 where it was not set
     */
    public int dcType() {
        return dcType;
    }

    /**
     * The access key of a target.
     *
     * @return the key
     */
    public long accessKey() {
        return accessKey;
    }

    /**
     * Sets which end of DC it is.
     *
     * @param type a {@link Mlx5DcType} value
     * @param key of a target, what initiators have to know; of an initiator 0
     * @return this
     */
    public Mlx5QpInitAttr dc(int type, long key) {
        dcType = type;
        accessKey = key;
        compMask |= Mlx5QpInitAttrMask.DC;
        return this;
    }

    /**
     * How many streams of an initiator may be under way.
     *
     * @return the logarithm to the base 2
     */
    public int logConcurrentStreams() {
        return logConcurrentStreams;
    }

    /**
     * How many streams may be in error before all are.
     *
     * @return the logarithm to the base 2
     */
    public int logErroredStreams() {
        return logErroredStreams;
    }

    /**
     * Gives an initiator streams: a request that fails stops those of its stream only. Rdma-core 37.
     *
     * @param logConcurrent how many, as logarithm to the base 2; at most what {@link Mlx5DeviceAttr#dciStreams()} says
     * @param logErrored how many may be in error before all are, likewise
     * @return this
     */
    public Mlx5QpInitAttr dciStreams(int logConcurrent, int logErrored) {
        logConcurrentStreams = logConcurrent;
        logErroredStreams = logErrored;
        compMask |= Mlx5QpInitAttrMask.DCI_STREAMS;
        return this;
    }

    /**
     * The operations that are to be posted.
     *
     * @return bits of {@link Mlx5SendOps}
     */
    public long sendOpsFlags() {
        return sendOpsFlags;
    }

    /**
     * Tells the operations that are to be posted, for which the elements of the send queue are made large enough.
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

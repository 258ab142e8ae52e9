/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * What a completion queue is made of beyond the verbs. Each setter sets its bit of the mask. Not thread-safe. Source:
 * mlx5dv_create_cq(3), {@code struct mlx5dv_cq_init_attr}.
 */
public final class Mlx5CqInitAttr {
    private long compMask;
    private int cqeCompression;
    private int flags;
    private int cqeSize;

    /** Nothing beyond the verbs. */
    public Mlx5CqInitAttr() {}

    /** {@return which attributes are there, bits of {@link Mlx5CqInitAttrMask}} */
    public long compMask() {
        return compMask;
    }

    /**
     * Sets the mask as it is given, for programs that build attributes from elsewhere; setters do it by themselves.
     *
     * @param mask bits of {@link Mlx5CqInitAttrMask}
     * @return this
     */
    public Mlx5CqInitAttr compMask(long mask) {
        compMask = mask;
        return this;
    }

    /**
     * What compressed completions keep.
     *
     * @return a {@link Mlx5CqeFormat} value; 0 where it was not set
     */
    public int cqeCompression() {
        return cqeCompression;
    }

    /**
     * Has the device compress completions. Java does not read them: this is for contexts whose queues libmlx5 polls.
     *
     * @param format a {@link Mlx5CqeFormat} value that {@link Mlx5DeviceAttr#cqeCompression()} has
     * @return this
     */
    public Mlx5CqInitAttr cqeCompression(int format) {
        cqeCompression = format;
        compMask |= Mlx5CqInitAttrMask.COMPRESSED_CQE;
        return this;
    }

    /**
     * The flags.
     *
     * @return bits of {@link Mlx5CqFlags}
     */
    public int flags() {
        return flags;
    }

    /**
     * Sets the flags.
     *
     * @param value bits of {@link Mlx5CqFlags}
     * @return this
     */
    public Mlx5CqInitAttr flags(int value) {
        flags = value;
        compMask |= Mlx5CqInitAttrMask.FLAGS;
        return this;
    }

    /**
     * The size of a completion.
     *
     * @return in bytes; 0 where it was not set
     */
    public int cqeSize() {
        return cqeSize;
    }

    /**
     * Sets the size of a completion.
     *
     * @param bytes 64, or 128: then up to 64 bytes of data come inside
     * @return this
     */
    public Mlx5CqInitAttr cqeSize(int bytes) {
        cqeSize = bytes;
        compMask |= Mlx5CqInitAttrMask.CQE_SIZE;
        return this;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Completion queue attributes beyond the verbs. Each setter sets its bit of the mask. Not thread-safe. Source:
 * mlx5dv_create_cq(3), {@code struct mlx5dv_cq_init_attr}.
 */
public final class Mlx5CqInitAttr {
    private long compMask;
    private int cqeCompression;
    private int flags;
    private int cqeSize;

    /** Creates attributes of which none is set. */
    public Mlx5CqInitAttr() {}

    /** {@return the attributes that are set, bits of {@link Mlx5CqInitAttrMask}} */
    public long compMask() {
        return compMask;
    }

    /**
     * Sets the mask itself, for programs that copy attributes from elsewhere; the other setters update it.
     *
     * @param mask bits of {@link Mlx5CqInitAttrMask}
     * @return this
     */
    public Mlx5CqInitAttr compMask(long mask) {
        compMask = mask;
        return this;
    }

    /** {@return what compressed completions keep, a {@link Mlx5CqeFormat} value; 0 if it was not set} */
    public int cqeCompression() {
        return cqeCompression;
    }

    /**
     * Enables compressed completions. The Java data path does not support them: they are for contexts whose queues
     * libmlx5 polls.
     *
     * @param format a {@link Mlx5CqeFormat} value that {@link Mlx5DeviceAttr#cqeCompression()} includes
     * @return this
     */
    public Mlx5CqInitAttr cqeCompression(int format) {
        cqeCompression = format;
        compMask |= Mlx5CqInitAttrMask.COMPRESSED_CQE;
        return this;
    }

    /** {@return the flags, bits of {@link Mlx5CqFlags}} */
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

    /** {@return the size of a completion in bytes; 0 if it was not set} */
    public int cqeSize() {
        return cqeSize;
    }

    /**
     * Sets the size of a completion.
     *
     * @param bytes 64, or 128: completions then contain up to 64 bytes of data
     * @return this
     */
    public Mlx5CqInitAttr cqeSize(int bytes) {
        cqeSize = bytes;
        compMask |= Mlx5CqInitAttrMask.CQE_SIZE;
        return this;
    }
}

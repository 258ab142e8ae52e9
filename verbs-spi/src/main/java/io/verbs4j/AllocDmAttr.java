/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes that allocate memory on the device: the argument of {@link Context#allocDm(AllocDmAttr)}.
 *
 * <p>Since level 3. Source: {@code ibv_alloc_dm(3)}. Not thread-safe.
 */
public final class AllocDmAttr extends InputAttr {
    private long length;
    private int logAlignReq;

    /** Creates an instance whose masks are empty. */
    public AllocDmAttr() {}

    /** {@return the length in bytes, 1 to {@link DeviceAttrEx#maxDmSize()}} */
    public long length() {
        return length;
    }

    /**
     * Sets {@link #length()}.
     *
     * @param value length in bytes, 1 to {@link DeviceAttrEx#maxDmSize()}
     * @return this
     */
    public AllocDmAttr length(long value) {
        length = value;
        return this;
    }

    /** {@return the required alignment as the exponent of a power of two; 0 accepts any} */
    public int logAlignReq() {
        return logAlignReq;
    }

    /**
     * Sets {@link #logAlignReq()}.
     *
     * @param value required alignment as the exponent of a power of two; 0 accepts any
     * @return this
     */
    public AllocDmAttr logAlignReq(int value) {
        logAlignReq = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Limits of how fast a queue pair may send: the argument of {@link QueuePair#modifyRateLimit(QpRateLimitAttr)}. No bit
 * of the mask is defined yet.
 *
 * <p>Since level 3. Source: {@code ibv_modify_qp_rate_limit(3)}. Not thread-safe.
 */
public final class QpRateLimitAttr extends InputAttr {
    private long rateLimit;
    private long maxBurstSz;
    private int typicalPktSz;

    /** Creates an instance whose masks are empty. */
    public QpRateLimitAttr() {}

    /** {@return the maximum rate in kilobits per second, 0 to 2<sup>32</sup> - 1; 0 means no limit} */
    public long rateLimit() {
        return rateLimit;
    }

    /**
     * Sets {@link #rateLimit()}.
     *
     * @param value the maximum rate in kilobits per second, 0 to 2<sup>32</sup> - 1; 0 means no limit
     * @return this
     */
    public QpRateLimitAttr rateLimit(long value) {
        rateLimit = value;
        return this;
    }

    /** {@return the maximum number of bytes sent in a burst, 0 to 2<sup>32</sup> - 1; 0 leaves it to the device} */
    public long maxBurstSz() {
        return maxBurstSz;
    }

    /**
     * Sets {@link #maxBurstSz()}.
     *
     * @param value maximum number of bytes sent in a burst, 0 to 2<sup>32</sup> - 1; 0 leaves it to the device
     * @return this
     */
    public QpRateLimitAttr maxBurstSz(long value) {
        maxBurstSz = value;
        return this;
    }

    /** {@return the typical packet size in bytes, 0 to 65535; 0 leaves it to the device} */
    public int typicalPktSz() {
        return typicalPktSz;
    }

    /**
     * Sets {@link #typicalPktSz()}.
     *
     * @param value typical packet size in bytes, 0 to 65535; 0 leaves it to the device
     * @return this
     */
    public QpRateLimitAttr typicalPktSz(int value) {
        typicalPktSz = value;
        return this;
    }

    @Override
    public String toString() {
        return AttrText.of(this);
    }
}

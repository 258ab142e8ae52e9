/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * How fast a queue pair may send: the argument of {@link QueuePair#modifyRateLimit(QpRateLimitAttr)}. No bit of the mask is
 * defined so far.
 *
 * <p>Since level 3. Source: {@code ibv_modify_qp_rate_limit(3)}. Not thread-safe.
 */
public final class QpRateLimitAttr extends InputAttr {
    private long rateLimit;
    private long maxBurstSz;
    private int typicalPktSz;

    /** Creates an instance whose masks are empty. */
    public QpRateLimitAttr() {}

    /** {@return the most, in kilobits per second, 0 to 2<sup>32</sup> - 1; 0 is no limit} */
    public long rateLimit() {
        return rateLimit;
    }

    /**
     * Sets {@link #rateLimit()}.
     *
     * @param value the most, in kilobits per second, 0 to 2<sup>32</sup> - 1; 0 is no limit
     * @return this
     */
    public QpRateLimitAttr rateLimit(long value) {
        rateLimit = value;
        return this;
    }

    /** {@return bytes that may be sent at once at most, 0 to 2<sup>32</sup> - 1; 0 to leave it to the device} */
    public long maxBurstSz() {
        return maxBurstSz;
    }

    /**
     * Sets {@link #maxBurstSz()}.
     *
     * @param value bytes that may be sent at once at most, 0 to 2<sup>32</sup> - 1; 0 to leave it to the device
     * @return this
     */
    public QpRateLimitAttr maxBurstSz(long value) {
        maxBurstSz = value;
        return this;
    }

    /** {@return bytes of a usual packet, 0 to 65535; 0 to leave it to the device} */
    public int typicalPktSz() {
        return typicalPktSz;
    }

    /**
     * Sets {@link #typicalPktSz()}.
     *
     * @param value bytes of a usual packet, 0 to 65535; 0 to leave it to the device
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

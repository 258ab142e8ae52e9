/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_qp_rate_limit_attr}: how fast a queue pair may send.
 *
 * <pre>
 * 0 rate_limit(4)  4 max_burst_sz(4)  8 typical_pkt_sz(2)  12 comp_mask(4)    16 in all
 * </pre>
 */
@CStruct(value = "struct ibv_qp_rate_limit_attr", since = 18)
public final class QpRateLimitAttrLayout {
    @CSize(since = 18, size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "rate_limit", size = 4, since = 18)
    public static final int RATE_LIMIT = 0;

    @CField(value = "max_burst_sz", size = 4, since = 18)
    public static final int MAX_BURST_SZ = 4;

    @CField(value = "typical_pkt_sz", size = 2, since = 18)
    public static final int TYPICAL_PKT_SZ = 8;

    @CField(value = "comp_mask", size = 4, since = 18)
    public static final int COMP_MASK = 12;

    private QpRateLimitAttrLayout() {}
}

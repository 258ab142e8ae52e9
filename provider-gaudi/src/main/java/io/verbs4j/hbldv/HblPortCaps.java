/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/** Features of a port, for {@link HblPortExAttr#caps(long)}. Source: {@code HBLDV_PORT_CAP_*}. */
public final class HblPortCaps {
    /** Back-pressure, rendezvous and congestion control queues. */
    public static final long ADVANCED = 1 << 0;

    /** Adaptive timeouts; up to release 1.17. */
    public static final long ADAPTIVE_TIMEOUT = 1 << 1;

    private HblPortCaps() {}
}

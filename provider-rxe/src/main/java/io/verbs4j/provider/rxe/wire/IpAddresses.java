/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.wire;

/** IPv4 addresses in GID form: ten bytes of zero, two of 0xff, then the address. */
final class IpAddresses {
    private static final long MAPPED_PREFIX = 0xffffL;

    private IpAddresses() {}

    static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == MAPPED_PREFIX;
    }

    /** Returns whether a packet between two addresses is an IPv4 packet: both are IPv4-mapped. */
    static boolean isIpv4(long srcHigh, long srcLow, long dstHigh, long dstLow) {
        return isIpv4(srcHigh, srcLow) && isIpv4(dstHigh, dstLow);
    }
}

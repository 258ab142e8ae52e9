/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/**
 * Linux socket addresses in native memory.
 *
 * <pre>
 * sockaddr_in    0 family(2)  2 port(2, network order)  4 address(4)                                  16 in all
 * sockaddr_in6   0 family(2)  2 port(2, network order)  4 flow(4)  8 address(16)  24 scope(4)         28 in all
 * </pre>
 */
final class SockAddr {
    static final int IN_SIZE = 16;
    static final int IN6_SIZE = 28;
    /** Room for either. */
    static final int SPACE = 32;

    private static final int PORT = 2;
    private static final int IN_ADDRESS = 4;
    private static final int IN6_FLOW = 4;
    private static final int IN6_ADDRESS = 8;
    private static final int IN6_SCOPE = 24;
    private static final long MAPPED = 0xffffL;

    private SockAddr() {}

    static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == MAPPED;
    }

    /** Returns whether an address is valid only with an interface: fe80::/10, and ff01 and ff02 groups. */
    static boolean isLinkLocal(long high) {
        int top = (int) (high >>> 48);
        return (top & 0xffc0) == 0xfe80 || (top & 0xff0f) == 0xff01 || (top & 0xff0f) == 0xff02;
    }

    /**
     * Writes an address.
     *
     * @param m the memory
     * @param at offset to write at
     * @param high upper half of the GID
     * @param low lower half of the GID
     * @param port the UDP port
     * @param scope index of the interface, used for link-local addresses
     * @return its size
     */
    static int put(StructBuffer m, int at, long high, long low, int port, int scope) {
        m.putNetShort(at + PORT, port);
        if (isIpv4(high, low)) {
            m.putShort(at, Posix.AF_INET);
            m.putNetInt(at + IN_ADDRESS, (int) low);
            m.putLong(at + 8, 0);
            return IN_SIZE;
        }
        m.putShort(at, Posix.AF_INET6);
        m.putInt(at + IN6_FLOW, 0);
        m.putNetLong(at + IN6_ADDRESS, high);
        m.putNetLong(at + IN6_ADDRESS + 8, low);
        m.putInt(at + IN6_SCOPE, isLinkLocal(high) ? scope : 0);
        return IN6_SIZE;
    }

    static int family(StructBuffer m, int at) {
        return m.getShort(at);
    }

    static int port(StructBuffer m, int at) {
        return m.getNetShort(at + PORT);
    }

    static long high(StructBuffer m, int at) {
        return family(m, at) == Posix.AF_INET ? 0 : m.getNetLong(at + IN6_ADDRESS);
    }

    static long low(StructBuffer m, int at) {
        return family(m, at) == Posix.AF_INET
                ? MAPPED << 32 | Integer.toUnsignedLong(m.getNetInt(at + IN_ADDRESS))
                : m.getNetLong(at + IN6_ADDRESS + 8);
    }
}

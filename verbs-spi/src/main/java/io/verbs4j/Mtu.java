/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Codes of the path MTU, the largest payload of one packet.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_query_port(3)}.
 */
public final class Mtu {
    /** At most 256 bytes of payload in a packet. Source: {@code IBV_MTU_256}, {@code ibv_query_port(3)}. */
    public static final int MTU_256 = 1;

    /** At most 512 bytes of payload in a packet. Source: {@code IBV_MTU_512}, {@code ibv_query_port(3)}. */
    public static final int MTU_512 = 2;

    /** At most 1024 bytes of payload in a packet. Source: {@code IBV_MTU_1024}, {@code ibv_query_port(3)}. */
    public static final int MTU_1024 = 3;

    /** At most 2048 bytes of payload in a packet. Source: {@code IBV_MTU_2048}, {@code ibv_query_port(3)}. */
    public static final int MTU_2048 = 4;

    /** At most 4096 bytes of payload in a packet. Source: {@code IBV_MTU_4096}, {@code ibv_query_port(3)}. */
    public static final int MTU_4096 = 5;

    private Mtu() {}

    /**
     * Returns the payload size that an MTU code stands for.
     *
     * @param mtu one of the constants of this class
     * @return size in bytes
     * @throws IllegalArgumentException if the code is not one of the constants
     */
    public static int toBytes(int mtu) {
        if (mtu < MTU_256 || mtu > MTU_4096) {
            throw new IllegalArgumentException("not an MTU code: " + mtu
                    + "; allowed are MTU_256 (1), MTU_512 (2), MTU_1024 (3), MTU_2048 (4), MTU_4096 (5)");
        }
        return 128 << mtu;
    }

    /**
     * Returns the MTU code of a payload size.
     *
     * @param bytes size in bytes: 256, 512, 1024, 2048 or 4096
     * @return one of the constants of this class
     * @throws IllegalArgumentException if no code stands for exactly that size
     */
    public static int fromBytes(int bytes) {
        switch (bytes) {
            case 256:
                return MTU_256;
            case 512:
                return MTU_512;
            case 1024:
                return MTU_1024;
            case 2048:
                return MTU_2048;
            case 4096:
                return MTU_4096;
            default:
                throw new IllegalArgumentException(
                        "not an MTU: " + bytes + " bytes; allowed are 256, 512, 1024, 2048, 4096");
        }
    }

    /**
     * Returns the name of a value.
     *
     * @param mtu one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int mtu) {
        switch (mtu) {
            case MTU_256:
                return "MTU_256";
            case MTU_512:
                return "MTU_512";
            case MTU_1024:
                return "MTU_1024";
            case MTU_2048:
                return "MTU_2048";
            case MTU_4096:
                return "MTU_4096";
            default:
                return "unknown (" + mtu + ")";
        }
    }
}

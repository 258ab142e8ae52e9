/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * The scope within which a device's atomic operations are atomic.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_query_device(3)}.
 */
public final class AtomicCap {
    /** The device has no atomic operations. Source: {@code IBV_ATOMIC_NONE}, {@code ibv_query_device(3)}. */
    public static final int NONE = 0;

    /**
     * Operations are atomic among all queue pairs of this device only. Source: {@code IBV_ATOMIC_HCA},
     * {@code ibv_query_device(3)}.
     */
    public static final int HCA = 1;

    /**
     * Operations are atomic against every device and processor that accesses the same memory. Source:
     * {@code IBV_ATOMIC_GLOB}, {@code ibv_query_device(3)}.
     */
    public static final int GLOB = 2;

    private AtomicCap() {}

    /**
     * Returns the text of an atomic capability as {@code ibv_devinfo(1)} prints it.
     *
     * @param atomicCap one of the constants of this class
     * @return the text, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int atomicCap) {
        switch (atomicCap) {
            case NONE:
                return "ATOMIC_NONE";
            case HCA:
                return "ATOMIC_HCA";
            case GLOB:
                return "ATOMIC_GLOB";
            default:
                return "unknown (" + atomicCap + ")";
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * How far the atomicity of a device's atomic operations reaches.
 *
 * <p>A device newer than this class may report further values. Source: {@code ibv_query_device(3)}.
 */
public final class AtomicCap {
    /** The device has no atomic operations. Source: {@code IBV_ATOMIC_NONE}, ibv_query_device(3). */
    public static final int NONE = 0;

    /**
     * Operations are atomic among all queue pairs of this device only. Source: {@code IBV_ATOMIC_HCA},
     * ibv_query_device(3).
     */
    public static final int HCA = 1;

    /**
     * Operations are atomic against every device and processor that accesses the same memory. Source: {@code
     * IBV_ATOMIC_GLOB}, ibv_query_device(3).
     */
    public static final int GLOB = 2;

    private AtomicCap() {}

    /**
     * Text of an atomic capability as {@code ibv_devinfo(1)} prints it.
     *
     * @param atomicCap one of the constants of this class
     * @return the text, {@code "unknown (99)"} for a value 99 without one
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

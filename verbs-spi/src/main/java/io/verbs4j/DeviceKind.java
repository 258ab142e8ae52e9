/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Kinds of devices, by what performs their work. The list of devices is in this order, hardware first.
 *
 * <p>A device newer than this class may report further values. Since level 1.
 */
public final class DeviceKind {
    /** An adapter. */
    public static final int HARDWARE = 0;

    /** The operating system, over an adapter without RDMA: {@code rdma_rxe}, {@code siw}. */
    public static final int KERNEL = 1;

    /** The program itself: the device works on every machine and exists as long as the process. */
    public static final int EMBEDDED = 2;

    private DeviceKind() {}

    /**
     * Returns the name of a value.
     *
     * @param kind one of the constants of this class
     * @return the name, or {@code "unknown (99)"} if the value, here 99, has none
     */
    public static String toString(int kind) {
        switch (kind) {
            case HARDWARE:
                return "HARDWARE";
            case KERNEL:
                return "KERNEL";
            case EMBEDDED:
                return "EMBEDDED";
            default:
                return "unknown (" + kind + ")";
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode;

/**
 * A piece of memory that lanes read or write. For lanes that see host memory at other addresses, map each part and
 * write its address into the block by {@link DeviceRing#map}.
 *
 * @param kind {@link #SENDS} or another of the constants
 * @param address where the host has it
 * @param length in bytes
 */
public record RingPart(int kind, long address, long length) {
    /** The send queue. */
    public static final int SENDS = 0;

    /** The doorbell record. */
    public static final int RECORD = 1;

    /** The doorbell register: memory of the device, to be mapped as I/O memory. */
    public static final int BELL = 2;

    /** The completion queue. */
    public static final int CQES = 3;

    /** The consumer index: a record in memory, or a register of the device. */
    public static final int CQ_RECORD = 4;

    /** The table of completed requests, of a device that completes them in any order. */
    public static final int DONE = 5;

    /** The block itself, {@code struct v4j_ring}. */
    public static final int BLOCK = 6;

    /**
     * The name of a part.
     *
     * @param kind one of the constants
     * @return the name, or {@code part N} for others
     */
    public static String toString(int kind) {
        return switch (kind) {
            case SENDS -> "send queue";
            case RECORD -> "doorbell record";
            case BELL -> "doorbell register";
            case CQES -> "completion queue";
            case CQ_RECORD -> "consumer index";
            case DONE -> "table of completed requests";
            case BLOCK -> "block";
            default -> "part " + kind;
        };
    }
}

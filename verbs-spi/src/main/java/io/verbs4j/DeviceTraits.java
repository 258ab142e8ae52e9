/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that tell in what a device is unlike most others: {@link DeviceAttrEx#deviceTraits()}. A device without any is as the manual pages
 * of libibverbs have it, and so is one whose provider is too old to tell.
 *
 * <p>libibverbs has no words for these: there a program finds out by what is refused. What it does have words for is told by other
 * attributes, and has no bit here: one protection domain by {@link DeviceAttr#maxPd()}, no shared receive queues by {@link
 * DeviceAttr#maxSrq()} of 0, no address handles by {@link DeviceAttr#maxAh()} of 0, no messages and no receives by {@link
 * DeviceAttrEx#sendOps(int)} without SEND.
 *
 * <p>Since level 3.
 */
public final class DeviceTraits {
    /**
     * Bit: the device is open once at a time, on the whole machine. While it is, opening it again answers {@link Errno#EBUSY}, to this
     * process as to others. verbs4j's own.
     */
    public static final long EXCLUSIVE = 1L << 0;

    /**
     * Bit: remote keys belong to connections, not to regions. What a queue pair's peers may touch is all memory that the device knows, by
     * the one key of that queue pair; {@link MemoryRegion#rkey()} guards no region by itself. Without it each region has a key of its own
     * that is good for that region alone. verbs4j's own.
     */
    public static final long KEYS_BY_CONNECTION = 1L << 1;

    /**
     * Bit: memory has another address for the device than for the program. {@link MemoryRegion#addr()} is the device's, which peers are
     * told; requests count from there. Without it the two are the same, unless a region was made with another address. verbs4j's own.
     */
    public static final long DEVICE_ADDRESSES = 1L << 2;

    /**
     * Bit: completion channels get nothing; {@link CompletionQueue#reqNotify(boolean)} answers {@link Errno#EOPNOTSUPP}, and what has
     * completed is seen by polling. verbs4j's own.
     */
    public static final long NO_COMPLETION_EVENTS = 1L << 3;

    /**
     * Bit: queue pairs of one number on several ports can be had, by the vendor's own verbs, as collectives take them that run over
     * all ports at once. verbs4j's own.
     */
    public static final long COLLECTIVES = 1L << 4;

    private static final String[] NAMES = {
        "EXCLUSIVE", "KEYS_BY_CONNECTION", "DEVICE_ADDRESSES", "NO_COMPLETION_EVENTS", "COLLECTIVES",
    };

    private DeviceTraits() {}

    /**
     * Names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "EXCLUSIVE|KEYS_BY_CONNECTION"}; {@code "0"} if no bit is set; bits without a name come last, as one
     *     hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Bits that report how a device differs from most others: {@link DeviceAttrEx#deviceTraits()}. A device without any
 * behaves as the manual pages of libibverbs describe; a provider too old to report traits reports none.
 *
 * <p>libibverbs has no equivalent: there a program learns of these differences when calls fail. Differences that
 * libibverbs can express are reported by other attributes and have no bit here: a single protection domain by
 * {@link DeviceAttr#maxPd()}, no shared receive queues by {@link DeviceAttr#maxSrq()} of 0, no address handles by
 * {@link DeviceAttr#maxAh()} of 0, no messages and no receives by {@link DeviceAttrEx#sendOps(int)} without SEND.
 *
 * <p>Since level 3.
 */
public final class DeviceTraits {
    /**
     * Bit: the device can be open only once at a time on the whole machine. While it is, opening it again fails with
     * {@link Errno#EBUSY}, in this process and in others. verbs4j's own.
     */
    public static final long EXCLUSIVE = 1L << 0;

    /**
     * Bit: remote keys belong to connections, not to regions. The key of a queue pair gives its peers access to all
     * memory that is registered with the device; {@link MemoryRegion#rkey()} protects no single region. Without this
     * bit each region has its own key, valid only for that region. verbs4j's own.
     */
    public static final long KEYS_BY_CONNECTION = 1L << 1;

    /**
     * Bit: the device uses other addresses for memory than the program. {@link MemoryRegion#addr()} is the device's
     * address, which peers and requests use. Without this bit the two are the same, unless a region was created with
     * another address. verbs4j's own.
     */
    public static final long DEVICE_ADDRESSES = 1L << 2;

    /**
     * Bit: completion channels receive no events; {@link CompletionQueue#reqNotify(boolean)} returns
     * {@link Errno#EOPNOTSUPP}, and completions are found only by polling. verbs4j's own.
     */
    public static final long NO_COMPLETION_EVENTS = 1L << 3;

    /**
     * Bit: the vendor's own verbs can create queue pairs with the same number on several ports, for collectives that
     * use all ports at once. verbs4j's own.
     */
    public static final long COLLECTIVES = 1L << 4;

    private static final String[] NAMES = {
        "EXCLUSIVE", "KEYS_BY_CONNECTION", "DEVICE_ADDRESSES", "NO_COMPLETION_EVENTS", "COLLECTIVES",
    };

    private DeviceTraits() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "EXCLUSIVE|KEYS_BY_CONNECTION"}; {@code "0"} if no bit is set; bits without a name
     *     come last, as one hexadecimal number
     */
    public static String toString(long bits) {
        return InputAttr.join(bits, NAMES);
    }
}

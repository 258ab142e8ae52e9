/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Sizes of atomic operations that a device can perform on the bus, as in {@link DeviceAttrEx#pciAtomicFetchAdd()}.
 * Since level 3. Source: {@code ibv_query_device_ex(3)}, {@code ibv_pci_atomic_op_size}.
 */
public final class PciAtomicSizes {
    /** Bit: 4 bytes. Source: {@code IBV_PCI_ATOMIC_OPERATION_SIZE_4_BYTE_SUP}, {@code ibv_query_device_ex(3)}. */
    public static final int SIZE_4_BYTE = 1 << 0;

    /** Bit: 8 bytes. Source: {@code IBV_PCI_ATOMIC_OPERATION_SIZE_8_BYTE_SUP}, {@code ibv_query_device_ex(3)}. */
    public static final int SIZE_8_BYTE = 1 << 1;

    /** Bit: 16 bytes. Source: {@code IBV_PCI_ATOMIC_OPERATION_SIZE_16_BYTE_SUP}, {@code ibv_query_device_ex(3)}. */
    public static final int SIZE_16_BYTE = 1 << 2;

    private static final String[] NAMES = {
        "SIZE_4_BYTE", "SIZE_8_BYTE", "SIZE_16_BYTE",
    };

    private PciAtomicSizes() {}

    /**
     * Returns the names of the bits that are set, joined by {@code |} in ascending order.
     *
     * @param bits bits of this class
     * @return for instance {@code "SIZE_4_BYTE|SIZE_8_BYTE"}; {@code "0"} if no bit is set; bits without a name come
     *     last, as one hexadecimal number
     */
    public static String toString(int bits) {
        return InputAttr.join(Integer.toUnsignedLong(bits), NAMES);
    }
}

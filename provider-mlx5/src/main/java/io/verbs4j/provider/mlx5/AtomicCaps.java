/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.PciAtomicSizes;
import io.verbs4j.mlx5dv.Mailbox;

/**
 * Detects support for masked atomics, which only the device's firmware reports, through DevX. Source:
 * {@code atomic_caps} of the programmer's reference.
 */
final class AtomicCaps {
    private static final int OPERATIONS = 0x90;
    private static final int SIZES = 0xb0;
    private static final int FIELD = 16;
    private static final int MASKED = 1 << 2 | 1 << 3; // compare and swap, fetch and add

    private AtomicCaps() {}

    /** Returns the sizes of masked atomics, {@link PciAtomicSizes} bits; 0 if they are unsupported or unknown. */
    static int maskedSizes(Mlx5Context base) {
        Mailbox caps = HcaCaps.of(base, HcaCaps.ATOMIC);
        if (caps == null || (HcaCaps.field(caps, OPERATIONS, FIELD) & MASKED) != MASKED) {
            return 0;
        }
        int sizes = HcaCaps.field(caps, SIZES, FIELD);
        return ((sizes & Integer.BYTES) != 0 ? PciAtomicSizes.SIZE_4_BYTE : 0)
                | ((sizes & Long.BYTES) != 0 ? PciAtomicSizes.SIZE_8_BYTE : 0);
    }
}

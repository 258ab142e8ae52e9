/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.PciAtomicSizes;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mailbox;

/**
 * Whether a device has masked atomics, which only its firmware tells, by DevX. Source: {@code atomic_caps} of the programmer's reference.
 */
final class AtomicCaps {
    private static final int ATOMIC = 3;
    private static final int CURRENT = 1;
    private static final int LENGTH = 4096;
    private static final int HEADER_BITS = Mailbox.HEADER_LENGTH * Byte.SIZE;
    private static final int OPERATIONS = HEADER_BITS + 0x90;
    private static final int SIZES = HEADER_BITS + 0xb0;
    private static final int FIELD = 16;
    private static final int MASKED = 1 << 2 | 1 << 3; // compare and swap, fetch and add

    private AtomicCaps() {}

    /** Their sizes, {@link PciAtomicSizes} bits; 0 where there are none, or nobody tells. */
    static int maskedSizes(Mlx5Context base) {
        Mailbox out = new Mailbox(Mailbox.HEADER_LENGTH + LENGTH);
        try {
            base.vendor(Devx.class)
                    .generalCmd(
                            new Mailbox(Mailbox.HEADER_LENGTH)
                                    .opcode(DevxOpcode.QUERY_HCA_CAP)
                                    .opMod(ATOMIC << 1 | CURRENT),
                            out);
        } catch (VerbsException e) {
            return 0;
        }
        if ((out.getInt(OPERATIONS, FIELD) & MASKED) != MASKED) {
            return 0;
        }
        int sizes = out.getInt(SIZES, FIELD);
        return ((sizes & Integer.BYTES) != 0 ? PciAtomicSizes.SIZE_4_BYTE : 0)
                | ((sizes & Long.BYTES) != 0 ? PciAtomicSizes.SIZE_8_BYTE : 0);
    }
}

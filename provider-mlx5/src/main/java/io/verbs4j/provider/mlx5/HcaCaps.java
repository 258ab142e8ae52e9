/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mailbox;

/**
 * Capabilities that only the device's firmware reports, through DevX. Source: QUERY_HCA_CAP of the programmer's
 * reference.
 */
final class HcaCaps {
    /** The type of general capabilities. */
    static final int GENERAL = 0;
    /** The type of atomic capabilities. */
    static final int ATOMIC = 3;

    private static final int CURRENT = 1;
    private static final int LENGTH = 4096;
    private static final int HEADER_BITS = Mailbox.HEADER_LENGTH * Byte.SIZE;

    private HcaCaps() {}

    /** Returns the capabilities of a type; null if they cannot be queried. */
    static Mailbox of(Mlx5Context base, int kind) {
        Mailbox out = new Mailbox(Mailbox.HEADER_LENGTH + LENGTH);
        try {
            base.vendor(Devx.class)
                    .generalCmd(
                            new Mailbox(Mailbox.HEADER_LENGTH)
                                    .opcode(DevxOpcode.QUERY_HCA_CAP)
                                    .opMod(kind << 1 | CURRENT),
                            out);
        } catch (VerbsException e) {
            return null;
        }
        return out;
    }

    /** Reads a field of the capabilities, by the offset of its first bit. */
    static int field(Mailbox caps, int bit, int width) {
        return caps.getInt(HEADER_BITS + bit, width);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.VerbsException;

/**
 * Thrown when the device refuses a DevX command. The status and the syndrome are the device's. They are fields because
 * method names are reserved for later versions of {@link VerbsException}.
 */
public final class DevxException extends VerbsException {
    /** The errno of such a failure, "remote I/O error". Source: {@code EREMOTEIO}, errno(3). */
    public static final int EREMOTEIO = 121;

    private static final long serialVersionUID = 1L;

    /** The refused command, a {@link DevxOpcode} value. */
    public final int opcode;

    /** The device's status: a {@link DevxStatus} value other than {@link DevxStatus#OK}. */
    public final int status;

    /** The device's syndrome: a vendor-specific number that details the reason. */
    public final int syndrome;

    DevxException(String verb, String what, int opcode, Mailbox out) {
        super(
                EREMOTEIO,
                verb,
                String.format(
                        "the device refused the %s with status 0x%02x (%s), syndrome 0x%08x; see the fields of this"
                                + " command in the programmer's reference, or ask the vendor about the syndrome",
                        what, out.status(), DevxStatus.toString(out.status()), out.syndrome()));
        this.opcode = opcode;
        this.status = out.status();
        this.syndrome = out.syndrome();
    }
}

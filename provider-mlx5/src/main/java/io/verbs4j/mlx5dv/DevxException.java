/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

import io.verbs4j.VerbsException;

/** The device refused a DevX command. Status and syndrome are what it answered; method names are the header's, so these are fields. */
public final class DevxException extends VerbsException {
    /** The errno of such a failure, "remote I/O error". Source: {@code EREMOTEIO}, errno(3). */
    public static final int EREMOTEIO = 121;

    private static final long serialVersionUID = 1L;

    /** The command that was refused, a {@link DevxOpcode} value. */
    public final int opcode;

    /** What the device made of it: a {@link DevxStatus} value, not {@link DevxStatus#OK}. */
    public final int status;

    /** Why the device refused it: a number that the vendor can explain. */
    public final int syndrome;

    DevxException(String verb, String what, int opcode, Mailbox out) {
        super(
                EREMOTEIO,
                verb,
                String.format(
                        "the device refused the %s with status 0x%02x (%s), syndrome 0x%08x; see the fields of this command in the"
                                + " programmer's reference, or ask the vendor about the syndrome",
                        what, out.status(), DevxStatus.toString(out.status()), out.syndrome()));
        this.opcode = opcode;
        this.status = out.status();
        this.syndrome = out.syndrome();
    }
}

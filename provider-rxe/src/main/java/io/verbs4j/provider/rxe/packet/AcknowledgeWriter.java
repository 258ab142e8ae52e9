/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.Aeth;
import io.verbs4j.provider.rxe.wire.Bth;
import io.verbs4j.provider.rxe.wire.Opcode;

/** Writes ACKs and NAKs. */
final class AcknowledgeWriter {
    private final PacketOutput out;
    private final int opcode;

    AcknowledgeWriter(PacketOutput out, int service) {
        this.out = out;
        this.opcode = service | Opcode.RC_ACKNOWLEDGE;
    }

    void write(int psn, int syndrome, int msn) {
        int at = out.begin(Bth.LENGTH + Aeth.LENGTH);
        out.header(at, opcode, false, 0, false, psn);
        Aeth.write(out.buffer(), at + Bth.LENGTH, syndrome, msn);
        out.end(Bth.LENGTH + Aeth.LENGTH);
    }

    /** {@return whether each flush is a system call} */
    boolean isBySocket() {
        return out.ring() == null;
    }

    void flush() {
        out.flush();
    }
}

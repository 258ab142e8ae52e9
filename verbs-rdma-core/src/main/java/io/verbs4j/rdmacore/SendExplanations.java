/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.TypeTwoBind;

/** Which rule of native devices a send work request breaks that is fine as far as the library can tell, in words. */
final class SendExplanations {
    private SendExplanations() {}

    /** The rule, or null where none is known. */
    static String broken(IbvQp qp, SendWorkRequest wr) {
        int opcode = wr.opcode();
        long can = qp.operations()
                & ~TypeTwoBind.lacking(qp.qpType(), qp.windowLog().book());
        if ((can & QpCreateSendOps.of(opcode)) == 0) {
            return "opcode is " + WrOpcode.toString(opcode) + ", but a queue pair of type "
                    + QpType.toString(qp.qpType()) + " of this device, as it was made, can do "
                    + QpCreateSendOps.toString(can);
        }
        if (opcode != WrOpcode.BIND_MW && opcode != WrOpcode.LOCAL_INV) {
            return qp.broken(wr);
        }
        if (wr.numSge() != 0) {
            return WrOpcode.toString(opcode) + " has no data; leave sgList out";
        }
        if (opcode == WrOpcode.BIND_MW) {
            return TypeTwoBind.broken(wr);
        }
        return qp.windowLog().canInvalidate(wr.invalidateRkey())
                ? null
                : "invalidateRkey 0x" + Integer.toHexString(wr.invalidateRkey())
                        + " is not the key of a window that is known to be bound on this queue pair; the kernel falls over others, so"
                        + " they are kept from it: bind it first, and don't invalidate what the peer has invalidated";
    }
}

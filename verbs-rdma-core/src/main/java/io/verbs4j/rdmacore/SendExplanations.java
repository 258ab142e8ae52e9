/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.object.IbvQp;
import io.verbs4j.rdmacore.object.SendArea;
import io.verbs4j.rdmacore.object.TypeTwoBind;

/** Explains which rule of native devices a send work request breaks, if it breaks none that the library knows. */
final class SendExplanations {
    private SendExplanations() {}

    private static String inline(IbvQp qp, SendWorkRequest wr) {
        if (wr.opcode() == WrOpcode.FLUSH) {
            return "INLINE is set, but FLUSH sends no data; leave the flag out";
        }
        if (wr.opcode() == WrOpcode.ATOMIC_WRITE) {
            return null; // its value is in the request
        }
        long bytes = 0;
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            bytes += e.length();
            if (!qp.mayCopy(e.lkey(), e.addr(), e.length())) {
                return "sgList[" + i
                        + "] is not in memory registered in the queue pair's protection domain with lkey 0x"
                        + Integer.toHexString(e.lkey()) + "; INLINE data must be registered, too";
            }
        }
        return bytes > qp.maxInlineData()
                ? bytes + " bytes are INLINE, but the queue pair was made for " + qp.maxInlineData()
                        + "; ask for more with cap.maxInlineData, or leave the flag out"
                : null;
    }

    /** {@return the broken rule, or null if none is known} */
    static String broken(IbvQp qp, SendWorkRequest wr) {
        int opcode = wr.opcode();
        long can = qp.operations()
                & ~TypeTwoBind.lacking(qp.qpType(), qp.windowLog().book());
        if ((can & QpCreateSendOps.of(opcode)) == 0) {
            return "opcode is " + WrOpcode.toString(opcode) + ", but this queue pair of type "
                    + QpType.toString(qp.qpType()) + " supports only " + QpCreateSendOps.toString(can);
        }
        int unknown = wr.sendFlags() & ~SendArea.FLAGS;
        if (unknown != 0) {
            return "sendFlags has " + SendFlags.toString(unknown) + ", which the device does not support; leave it out";
        }
        if (opcode != WrOpcode.BIND_MW && opcode != WrOpcode.LOCAL_INV) {
            String own = qp.broken(wr);
            return own != null || (wr.sendFlags() & SendFlags.INLINE) == 0 ? own : inline(qp, wr);
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
                        + " is not the key of a window known to be bound on this queue pair, and the kernel crashes on"
                        + " any other; bind the window first, and don't invalidate a key that the peer has invalidated";
    }
}

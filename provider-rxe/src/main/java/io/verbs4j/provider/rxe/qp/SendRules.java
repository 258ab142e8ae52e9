/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.qp;

import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.MemoryKey;

/** The device's own rules of what is posted, in words: those that {@link RxeQueuePair#postSend} answers an errno for. */
public final class SendRules {
    private SendRules() {}

    /** Which rule a request breaks that is fine as far as the library can tell; null where there is none. */
    public static String broken(RxeQueuePair qp, SendWorkRequest wr) {
        if (!RxeQueuePair.isAmong(qp.sendOps(), wr.opcode())) {
            return operation(wr.opcode());
        }
        int unknown = wr.sendFlags() & ~RxeQueuePair.SEND_FLAGS;
        if (unknown != 0) {
            return "sendFlags has " + SendFlags.toString(unknown) + ", which the device does not know; leave it out";
        }
        if (qp.qpType() == QpType.UD && wr.ah() instanceof AhHandle ah) {
            int most = ah.av.maxPayload();
            long size = 0;
            for (int i = 0; i < wr.numSge(); i++) {
                size += wr.sgList()[i].length();
            }
            if (size > most) {
                return "the datagram has " + size
                        + " bytes, but the network interface of the address handle's GID carries " + most
                        + "; send it in parts";
            }
        }
        return (wr.sendFlags() & SendFlags.INLINE) != 0 ? inline(qp, wr) : null;
    }

    private static String operation(int opcode) {
        return "opcode is " + WrOpcode.toString(opcode) + ", which the device does not have";
    }

    private static String inline(RxeQueuePair qp, SendWorkRequest wr) {
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            if (e.length() == 0) {
                continue;
            }
            MemoryKey key = qp.keys().pin(e.lkey(), qp.pd(), e.addr(), e.length(), 0);
            if (key == null) {
                return "sgList[" + i
                        + "] is not in memory that is registered, in the queue pair's domain, under its lkey; the"
                        + " device asks that of INLINE data too";
            }
            key.unpin();
        }
        return null;
    }
}

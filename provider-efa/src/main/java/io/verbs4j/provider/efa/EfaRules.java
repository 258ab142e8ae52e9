/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;

/** The device's rules for send requests of a queue pair: describes why posting refuses a request. */
final class EfaRules {
    private static final int POSSIBLE = SendFlags.SIGNALED | SendFlags.INLINE;

    private final boolean writesInline;
    private final boolean signalAll;
    private final ProtectionDomain pd;

    EfaRules(QpInitAttrEx attr) {
        writesInline = EfaQueuePairs.writesInline(EfaQueuePairs.of(attr));
        signalAll = attr.sqSigAll();
        pd = attr.pd().base();
    }

    /** Returns whether RDMA writes may carry inline data. */
    boolean writesInline() {
        return writesInline;
    }

    /** Describes the rule that a request breaks, or returns null if it breaks none. */
    String broken(SendWorkRequest wr) {
        int flags = wr.sendFlags();
        if ((flags & ~POSSIBLE) != 0) {
            return "sendFlags has " + SendFlags.toString(flags & ~POSSIBLE)
                    + ", but EFA supports only SIGNALED and INLINE; leave it out";
        }
        if (!signalAll && (flags & SendFlags.SIGNALED) == 0) {
            return "sendFlags lacks SIGNALED, but every EFA request has a completion; set it, or sqSigAll of the queue"
                    + " pair";
        }
        AddressHandle ah = wr.ah();
        if (ah == null || ah.pd().base() != pd) {
            return ah == null
                    ? "ah is null, but every EFA request names its peer; set ah, remoteQpn and remoteQkey"
                    : "ah belongs to another protection domain than the queue pair; create one in the same domain";
        }
        return brokenByData(wr, (flags & SendFlags.INLINE) != 0);
    }

    private String brokenByData(SendWorkRequest wr, boolean inline) {
        int opcode = wr.opcode();
        boolean writes = opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        if (inline && opcode == WrOpcode.RDMA_READ) {
            return "INLINE can't be used with RDMA_READ; leave it out";
        }
        if (inline && writes && !writesInline) {
            return "INLINE with " + WrOpcode.toString(opcode)
                    + " needs a queue pair created with EfaQpFlags.INLINE_WRITE; create one, or leave INLINE out";
        }
        return !inline && wr.numSge() > 1 && (writes || opcode == WrOpcode.RDMA_READ)
                ? "sgList has " + wr.numSge() + " elements, but " + WrOpcode.toString(opcode)
                        + " on EFA takes one; post one request for each"
                : null;
    }
}

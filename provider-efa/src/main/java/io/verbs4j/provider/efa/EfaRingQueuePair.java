/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.QpInitAttrEx;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.provider.efa.ring.ReceiveRing;
import io.verbs4j.provider.efa.ring.SendRing;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** A queue pair that Java posts to. */
final class EfaRingQueuePair extends NativeQueuePair {
    private final SendRing sends;
    private final ReceiveRing receives;

    EfaRingQueuePair(EfaContext base, QpInitAttrEx attr, EfaRingQp efa) {
        super(base.context(), attr, efa);
        sends = efa.sends();
        receives = efa.receives();
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return sends.post(wr, badWr);
    }

    @Override
    protected int postBuilt(SendBuilder builder) {
        return sends.post(builder);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return receives.post(wr, badWr);
    }
}

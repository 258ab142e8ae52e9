/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.provider.mlx5.ring.SendQueue;
import io.verbs4j.provider.mlx5.ring.SendRing;
import io.verbs4j.rdmacore.object.NativeQueuePair;

/** A queue pair that Java posts to. */
public final class Mlx5QueuePair extends NativeQueuePair {
    private final SendRing sendRing;
    private final RingLock sendLock;
    private final SendQueue sends;
    private final Mlx5Qp mlx5;

    Mlx5QueuePair(Mlx5Context base, QpInitAttrEx attr, Mlx5Qp mlx5) {
        super(base.context(), attr, mlx5);
        this.mlx5 = mlx5;
        sends = mlx5.sends();
        sendRing = sends.ring();
        sendLock = sends.lock();
    }

    @Override
    public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
        return SendQueue.post(sendRing, sendLock, wr, badWr);
    }

    @Override
    protected int postBuilt(SendBuilder builder) {
        return SendQueue.post(sendRing, sendLock, builder);
    }

    @Override
    public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
        return mlx5.postReceive(wr, badWr);
    }

    @Override
    public int bindMw(MemoryWindow mw, MwBind bind) {
        return sends.post(ring -> WindowBinder.bind(mlx5, ring, mw, bind));
    }
}

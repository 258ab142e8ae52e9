/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim.programs;

import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Mtu;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.VerbsObject;
import io.verbs4j.WorkCompletion;
import io.verbs4j.core.Verbs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** A program for a simulated ConnectX: it opens the device, and ends with an exception if something is wrong. */
abstract class SimulatedRig {
    private final Deque<VerbsObject> opened = new ArrayDeque<>();
    final Context context = opened(Verbs.open(Verbs.device("mlx5_0"), VerbsLevel.CURRENT));
    final ProtectionDomain pd = opened(context.allocPd());

    /** Closes an object at the end, in the reverse order. */
    final <T extends VerbsObject> T opened(T object) {
        opened.push(object);
        return object;
    }

    final void end() {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    static void require(boolean right, String words) {
        if (!right) {
            throw new IllegalStateException(words);
        }
    }

    /** Returns the next completion, of any status. */
    static WorkCompletion next(CompletionQueue cq, String otherwise) {
        WorkCompletion[] wc = {new WorkCompletion()};
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (cq.poll(1, wc, WorkCompletion.SIZE) == 0) {
            require(System.nanoTime() < end, otherwise);
            Thread.onSpinWait();
        }
        return wc[0];
    }

    /** Connects a reliable queue pair to the queue pair {@code peer} at the end of {@code path}. */
    static void connect(QueuePair qp, AhAttr path, int peer, int rights) {
        qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(rights));
        qp.modify(new QpAttr()
                .qpState(QpState.RTR)
                .ahAttr(path)
                .destQpNum(peer)
                .rqPsn(0)
                .pathMtu(Mtu.MTU_1024)
                .maxDestRdAtomic(1)
                .minRnrTimer(12));
        qp.modify(new QpAttr()
                .qpState(QpState.RTS)
                .sqPsn(0)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .maxRdAtomic(1));
    }
}

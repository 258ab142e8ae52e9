/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.program.VirtualThreads;
import java.util.ArrayList;
import java.util.List;

/** Many virtual threads wait for completions, each on its own channel, and others post, all on one carrier. */
final class VirtualThreadsProgram {
    private static final int WAITERS = 20;
    private static final int ROUNDS = 3;

    private VirtualThreadsProgram() {}

    public static void main(String[] args) throws InterruptedException {
        List<Side> sides = new ArrayList<>();
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            Side side = new Side(Verbs.defaultDevice(), 4096);
            sides.add(side);
            side.withChannel = true;
            Side.connectToItself(side.create());
            waiters.add(VirtualThreads.start(() -> wait(side)));
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Side side : sides) {
                VirtualThreads.start(() ->
                        side.post(side.to(Side.wr(WrOpcode.RDMA_WRITE, 1, side.sge(0, 100)), side, 200)));
            }
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        sides.forEach(Side::close);
        System.out.println("all were woken");
    }

    private static void wait(Side side) {
        WorkCompletion[] wc = {new WorkCompletion()};
        int done = 0;
        while (done < ROUNDS) {
            side.cq.reqNotify(false);
            while (side.cq.poll(1, wc) == 1) {
                if (wc[0].status() != WcStatus.SUCCESS) {
                    throw new IllegalStateException(wc[0].toString());
                }
                done++;
            }
            if (done < ROUNDS) {
                side.channel.getEvent().ackEvents(1);
            }
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program for a simulated device: one thread posts to a queue pair while another resets it. Nothing is posted in
 * RESET, and the doorbell records must say so: a higher count would make the device execute stale memory once it is
 * ready again. Arguments: the number of rounds, and the data path.
 */
public final class ResetRaceProgram {
    private final int rounds;
    private final QueuePair qp;
    private final Mlx5Rig rig;
    private final CyclicBarrier begin = new CyclicBarrier(2);
    private final AtomicLong posted = new AtomicLong();
    private volatile boolean failed;

    private ResetRaceProgram(int rounds, Mlx5Rig rig) {
        this.rounds = rounds;
        this.rig = rig;
        this.qp = rig.qp;
    }

    public static void main(String... args) throws Exception {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", args[1], QpType.RC, ByteBuffer.allocateDirect(4096))) {
            ResetRaceProgram race = new ResetRaceProgram(Integer.parseInt(args[0]), rig);
            Thread poster = new Thread(race::post);
            poster.setDaemon(true);
            poster.start();
            race.reset();
            poster.join();
            require(!race.failed, "the poster failed");
            System.out.println("reset race " + race.rounds + " rounds, " + race.posted + " posts");
        }
    }

    private void post() {
        RecvWorkRequest receive = new RecvWorkRequest();
        SendWorkRequest send = new SendWorkRequest().opcode(WrOpcode.SEND);
        try {
            for (int i = 0; i < rounds; i++) {
                begin.await();
                // Until it is reset; before that, a queue may be full.
                for (int error = 0; error != Errno.EINVAL; ) {
                    error = i % 2 == 0 ? qp.postRecv(receive, null) : qp.postSend(send, null);
                    posted.addAndGet(error == 0 ? 1 : 0);
                }
                begin.await();
            }
        } catch (Exception e) {
            e.printStackTrace();
            failed = true;
            begin.reset();
        }
    }

    private void reset() throws Exception {
        long record = DvObjects.qp(((NativeQueuePair) qp).ibv.address()).dbrec();
        for (int i = 0; i < rounds; i++) {
            long some = posted.get() + i % Mlx5Rig.DEPTH;
            begin.await();
            for (int turn = 0; posted.get() < some && !failed; turn++) {
                Patience.pause(turn);
            }
            QpWalk.reset(qp);
            begin.await();
            long records = NativeMemory.getLong(record);
            require(records == 0, "round " + i + ": in RESET the doorbell records are " + Long.toHexString(records));
            Mlx5Rig.connect(rig.context, qp, rig.peer.qpNum());
        }
    }
}

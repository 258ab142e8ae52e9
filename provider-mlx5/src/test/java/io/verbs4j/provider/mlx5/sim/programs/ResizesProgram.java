/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A program for a simulated device: a completion queue grows and shrinks, over and over, while it holds unpolled
 * completions. Arguments: the number of times, and the data path.
 */
public final class ResizesProgram {
    private static final int MOST = 700;

    private ResizesProgram() {}

    public static void main(String... args) {
        int times = Integer.parseInt(args[0]);
        SplittableRandom random = new SplittableRandom(1);
        WorkCompletion[] wc = {new WorkCompletion()};
        int refused = 0;
        long posted = 0;
        long polled = 0;
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", args[1], QpType.RC, ByteBuffer.allocateDirect(64))) {
            for (int i = 0; i < times; i++) {
                for (int n = random.nextInt(20); n > 0 && posted - polled < Mlx5Rig.DEPTH; n--) {
                    SendWorkRequest wr = new SendWorkRequest()
                            .wrId(posted++)
                            .opcode(WrOpcode.RDMA_WRITE)
                            .sendFlags(SendFlags.SIGNALED)
                            .remoteAddr(rig.mr.addr())
                            .rkey(rig.mr.rkey());
                    require(rig.qp.postSend(wr) == 0, "a post was refused");
                }
                Simulator.pump();
                int size = 1 + random.nextInt(random.nextBoolean() ? 20 : MOST);
                try {
                    rig.cq.resize(size);
                    require(rig.cq.cqe() >= size, "cqe " + rig.cq.cqe() + " instead of " + size);
                } catch (VerbsException e) {
                    require(e.errno() == Errno.EINVAL && size < posted - polled + 2, "resize to " + size + ": " + e);
                    refused++;
                }
                for (int n = random.nextInt(20); n > 0 && rig.cq.poll(1, wc) == 1; n--) {
                    require(wc[0].status() == WcStatus.SUCCESS, WcStatus.toString(wc[0].status()));
                    require(wc[0].wrId() == polled++, "completion of " + wc[0].wrId());
                }
                // Makes room for the next completions.
                while (posted - polled + Mlx5Rig.DEPTH > rig.cq.cqe() && rig.cq.poll(1, wc) == 1) {
                    require(wc[0].wrId() == polled++, "completion of " + wc[0].wrId());
                }
                if (rig.cq.cqe() < Mlx5Rig.DEPTH) {
                    rig.cq.resize(Mlx5Rig.DEPTH);
                }
            }
            while (rig.cq.poll(1, wc) == 1) {
                require(wc[0].wrId() == polled++, "completion of " + wc[0].wrId());
            }
        }
        require(polled == posted, posted + " posted, " + polled + " polled");
        Simulator.requireNoViolation();
        System.out.println("resizes " + times + ", " + refused + " refused, " + polled + " completions in order");
    }
}

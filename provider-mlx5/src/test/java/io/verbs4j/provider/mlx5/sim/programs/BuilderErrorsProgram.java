/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;

/** A program that checks what a builder refuses, and that nothing of a refused batch is posted. */
public final class BuilderErrorsProgram {
    private static final int S = SendFlags.SIGNALED;

    private final WorkCompletion[] wc = {new WorkCompletion()};

    private BuilderErrorsProgram() {}

    public static void main(String... args) {
        new BuilderErrorsProgram().run();
        System.out.println("builder ok, violations " + Simulator.violations());
    }

    private void run() {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, memory)) {
            SendBuilder b = rig.qp.builder();
            int lkey = rig.mr.lkey();
            int rkey = rig.mr.rkey();
            long at = rig.mr.addr();

            same("complete without start", b.complete(), Errno.EINVAL);
            b.write(1, S, rkey, at).sge(lkey, at, 8); // ignored: no batch was started
            same("and still", b.complete(), Errno.EINVAL);

            b.start();
            same("an empty batch", b.complete(), 0);
            b.start();
            b.sge(lkey, at, 8);
            same("an element without a request", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at, lkey, at, 8).write(2, S, rkey, at).inlineData(lkey + 1, at, 8);
            same("unregistered inline data", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at).inlineData(lkey, at, 1000);
            same("too much inline data", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at)
                    .sge(lkey, at, 8)
                    .sge(lkey, at, 8)
                    .sge(lkey, at, 8)
                    .sge(lkey, at, 8);
            same("too many elements", b.complete(), Errno.EINVAL);
            b.start();
            b.write(1, S, rkey, at).sge(lkey, at, 8).inlineData(lkey, at, 8);
            same("elements and inline data", b.complete(), Errno.EINVAL);
            b.start();
            b.send(1, S).udAddr(null, 1, 2);
            same("an address, which RC does not take", b.complete(), Errno.EINVAL);
            b.start();
            b.send(1, S, lkey, at, 8);
            b.start();
            same("a second start", b.complete(), Errno.EINVAL);
            b.start();
            for (int i = 0; i < 1000; i++) { // libmlx5 rounds the depth up
                b.write(i, S, rkey, at, lkey, at, 8);
            }
            same("more than fits", b.complete(), Errno.ENOMEM);
            b.start();
            b.write(1, S, rkey, at, lkey, at, 8);
            b.abort();
            Simulator.device_sim_pump(-1);
            same("completions of unposted requests", rig.cq.poll(1, wc), 0);

            SendWorkRequest negative = new SendWorkRequest()
                    .opcode(WrOpcode.RDMA_WRITE)
                    .sgList(new ScatterGatherElement().addr(at).lkey(lkey).length(-1));
            same("a negative length", rig.qp.postSend(negative), Errno.EINVAL);
            whileBuilding(rig, b);
            goneMeanwhile(rig, b);
            allOrNothing(rig, b);

            rig.qp.modify(new QpAttr().qpState(QpState.ERR));
            b.start();
            b.write(8, S, rkey, at, lkey, at, 8);
            same("a post in ERR", b.complete(), 0);
            rig.qp.modify(new QpAttr().qpState(QpState.RESET));
            b.start();
            b.write(9, S, rkey, at, lkey, at, 8);
            same("a post in RESET", b.complete(), Errno.EINVAL);
        }
    }

    /** A builder holds no lock meanwhile: its thread may do anything, and other requests that it posts come first. */
    private void whileBuilding(Mlx5Rig rig, SendBuilder b) {
        int lkey = rig.mr.lkey();
        int rkey = rig.mr.rkey();
        long at = rig.mr.addr();
        b.start();
        b.write(1, S, rkey, at, lkey, at, 8);
        SendWorkRequest between = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .wrId(2)
                .sendFlags(S)
                .rkey(rkey)
                .remoteAddr(at)
                .sgList(new ScatterGatherElement().addr(at).lkey(lkey).length(8));
        same("a post beside it", rig.qp.postSend(between), 0);
        SendBuilder second = rig.qp.builder();
        second.start();
        second.write(3, S, rkey, at, lkey, at, 8);
        same("a second builder", second.complete(), 0);
        rig.pd.regMr(ByteBuffer.allocateDirect(64), 0).close();
        same("complete", b.complete(), 0);
        Simulator.device_sim_pump(-1);
        for (int id : new int[] {2, 3, 1}) {
            same("completions", rig.cq.poll(1, wc), 1);
            require(wc[0].wrId() == id, "the next is " + id);
        }
        same("completions", rig.cq.poll(1, wc), 0);
    }

    /** The builder reads inline data when the batch is completed, not before; by then the memory may be gone. */
    private void goneMeanwhile(Mlx5Rig rig, SendBuilder b) {
        MemoryRegion gone = rig.pd.regMr(ByteBuffer.allocateDirect(64), 0);
        b.start();
        b.write(1, S, rig.mr.rkey(), rig.mr.addr()).inlineData(gone.lkey(), gone.addr(), 8);
        gone.close();
        same("inline data deregistered meanwhile", b.complete(), Errno.EINVAL);
    }

    /** After an error in the middle the ring is unchanged, whatever the earlier requests were. */
    private void allOrNothing(Mlx5Rig rig, SendBuilder b) {
        int lkey = rig.mr.lkey();
        int rkey = rig.mr.rkey();
        long at = rig.mr.addr();
        for (int bad = 0; bad < 3; bad++) {
            b.start();
            b.write(1, S, rkey, at, lkey, at, 8);
            b.write(2, S | SendFlags.FENCE, rkey, at).sge(lkey, at, 8).sge(lkey, at, 8);
            b.write(3, S, rkey, at).inlineData(lkey, at, 20);
            b.atomicFetchAdd(4, S, rkey, at, 1).sge(lkey, at, 8);
            switch (bad) {
                case 0 -> b.flush(5, S, rkey, at, 8, FlushType.GLOBAL, FlushLevel.RANGE); // unsupported by mlx5
                case 1 -> b.send(5, S | 1 << 20); // an unknown flag
                default -> b.write(5, S, rkey, at).inlineData(lkey + 1, at, 8);
            }
            same("a bad batch", b.complete(), bad == 2 ? Errno.EINVAL : Errno.EOPNOTSUPP);
            same("posted", b.posted(), 0);
        }
        b.start();
        b.write(9, S, rkey, at, lkey, at, 8);
        same("a good batch", b.complete(), 0);
        Simulator.device_sim_pump(-1);
        same("completions", rig.cq.poll(1, wc), 1);
        require(wc[0].wrId() == 9 && wc[0].status() == 0, "the good one");
        same("completions", rig.cq.poll(1, wc), 0);
    }

    private static void same(String what, int found, int expected) {
        require(found == expected, what + ": " + found + ", not " + expected);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}

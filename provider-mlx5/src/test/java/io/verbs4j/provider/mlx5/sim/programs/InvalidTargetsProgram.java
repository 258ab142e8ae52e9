/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttr;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Mlx5QpCreateFlags;
import io.verbs4j.mlx5dv.Mlx5QpInitAttr;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for a simulated device: a few bytes that arrive inside a completion belong to memory that does not exist. A
 * receive, read or atomic names an address outside of its key's region, or the region is closed and its memory gone
 * when the bytes arrive. The completion must report this, and the JVM must survive. Argument: the data path.
 */
public final class InvalidTargetsProgram {
    private static final int FEW = 8;
    private static final long NOWHERE = 16;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    /** How a queue pair is created. */
    private enum Made {
        USUAL,
        SHARED_RECEIVES,
        /** The program allows data inside completions, including those of unsignaled reads. */
        SCATTER_ALLOWED
    }

    private final String path;
    private final List<String> told = new ArrayList<>();

    private InvalidTargetsProgram(String path) {
        this.path = path;
    }

    public static void main(String... args) {
        InvalidTargetsProgram test = new InvalidTargetsProgram(args[0]);
        for (Made made : Made.values()) {
            for (boolean closed : new boolean[] {false, true}) {
                test.run(QpType.RC, made, closed, WrOpcode.SEND);
                test.run(QpType.RC, made, closed, WrOpcode.RDMA_READ);
                test.run(QpType.RC, made, closed, WrOpcode.ATOMIC_FETCH_AND_ADD);
                test.run(QpType.UC, made, closed, WrOpcode.SEND);
            }
        }
        Simulator.requireNoViolation();
        System.out.println(
                "outside " + test.told.size() + " cases, each reported as " + WcStatus.toString(WcStatus.LOC_PROT_ERR));
    }

    private void run(int type, Made made, boolean closed, int opcode) {
        String name = QpType.toString(type) + ", " + made + (closed ? ", region closed, " : ", outside, ")
                + WrOpcode.toString(opcode);
        System.out.println(name);
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, type, ByteBuffer.allocateDirect(4096));
                SharedReceiveQueue srq = rig.pd.createSrq(
                        new SrqInitAttr().attr(new SrqAttr().maxWr(8).maxSge(3)));
                QueuePair one = make(rig, type, made, rig.cq, srq);
                QueuePair other = make(rig, type, made, rig.peerCq, srq)) {
            Mlx5Rig.connect(rig.context, one, other.qpNum());
            Mlx5Rig.connect(rig.context, other, one.qpNum());
            int length = Libc.getpagesize();
            long memory = Libc.mmap(0, length, Libc.PROT_READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
            MemoryRegion region = rig.pd.regMr(memory, length, Mlx5Rig.ACCESS);
            ScatterGatherElement there = new ScatterGatherElement()
                    .addr(closed ? memory : NOWHERE)
                    .length(FEW)
                    .lkey(region.lkey());
            SendWorkRequest wr = new SendWorkRequest().opcode(opcode).sendFlags(SendFlags.SIGNALED);
            boolean send = opcode == WrOpcode.SEND;
            if (send) {
                RecvWorkRequest receive = new RecvWorkRequest().sgList(there);
                int error = made == Made.SHARED_RECEIVES ? srq.postRecv(receive) : other.postRecv(receive);
                require(error == 0, name + ": the receive was refused: " + error);
                wr.sgList(ScatterGatherElement.of(rig.mr, 0, FEW));
            } else {
                wr.remoteAddr(rig.mr.addr()).rkey(rig.mr.rkey()).sgList(there);
            }
            require(one.postSend(wr) == 0, name + ": the request was refused");
            if (!send) {
                Simulator.pump(); // the device has read the target, and the bytes wait in the completion queue
            }
            if (closed) {
                region.close();
                Libc.munmap(memory, length);
            }
            Simulator.pump();
            expect(name, send ? rig.peerCq : rig.cq, closed && !send);
            if (!closed) {
                region.close();
                Libc.munmap(memory, length);
            }
        }
    }

    private static QueuePair make(Mlx5Rig rig, int type, Made made, CompletionQueue cq, SharedReceiveQueue srq) {
        QpInitAttr attr = Mlx5Rig.attr(type, cq, made == Made.SHARED_RECEIVES ? srq : null)
                .sqSigAll(made != Made.SCATTER_ALLOWED);
        return made == Made.SCATTER_ALLOWED
                ? rig.context
                        .vendor(Mlx5Dv.class)
                        .createQp(
                                QpInitAttrEx.of(rig.pd, attr),
                                new Mlx5QpInitAttr().createFlags(Mlx5QpCreateFlags.ALLOW_SCATTER_TO_CQE))
                : rig.pd.createQp(attr);
    }

    /** Bytes that arrived in time are present, whatever happened to the memory. */
    private void expect(String name, CompletionQueue cq, boolean inTime) {
        WorkCompletion[] wc = {new WorkCompletion()};
        require(cq.poll(1, wc) == 1, name + ": no completion");
        int status = wc[0].status();
        require(
                status == WcStatus.LOC_PROT_ERR || inTime && status == WcStatus.SUCCESS,
                name + ": " + WcStatus.toString(status));
        told.add(name);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A program for a simulated device: posts random requests on Java's data path, in lists of 1 to 8, under the strict
 * checker. Counts completions, and checks their order and the data. Arguments: the number of requests, and a seed.
 */
public final class SoakProgram {
    private static final int SLOT = 256;
    private static final int LIST = 8;
    private static final int SOURCE = 0;
    private static final int TARGET = LIST * SLOT;
    private static final int RECEIVED = 2 * LIST * SLOT;
    private static final int COUNTER = 3 * LIST * SLOT;
    private static final int SIZE = COUNTER + 64;
    private static final long REPORT = 10_000_000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    private final long base = NativeMemory.address(memory);
    private final SplittableRandom random;
    private final WorkCompletion[] wc = new WorkCompletion[2 * LIST];
    private final SendWorkRequest[] requests = new SendWorkRequest[LIST];
    private final ScatterGatherElement[][] elements = new ScatterGatherElement[LIST][];
    private final RecvWorkRequest[] receives = new RecvWorkRequest[LIST];
    private final int[] lengths = new int[LIST];
    private long counter;

    private SoakProgram(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < wc.length; i++) {
            wc[i] = new WorkCompletion();
        }
        for (int i = 0; i < LIST; i++) {
            elements[i] = new ScatterGatherElement[] {new ScatterGatherElement(), new ScatterGatherElement()};
            requests[i] = new SendWorkRequest();
        }
    }

    public static void main(String... args) {
        long count = Long.parseLong(args[0]);
        SoakProgram soak = new SoakProgram(Long.parseLong(args[1]));
        long start = System.nanoTime();
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, soak.memory)) {
            soak.run(rig, count);
        }
        require(Simulator.violations() == 0, Simulator.message());
        require(Simulator.device_sim_count(Simulator.KEY_ERRORS) == 0, Simulator.message());
        System.out.printf(
                "soak %d requests, %d seen by the device, 0 violations, %.1f s%n",
                count, Simulator.device_sim_count(Simulator.SENDS), (System.nanoTime() - start) / 1e9);
    }

    private void run(Mlx5Rig rig, long count) {
        for (int i = 0; i < LIST; i++) {
            receives[i] = new RecvWorkRequest()
                    .sgList(new ScatterGatherElement()
                            .addr(base + RECEIVED + (long) i * SLOT)
                            .length(SLOT)
                            .lkey(rig.mr.lkey()));
        }
        long done = 0;
        while (done < count) {
            int n = (int) Math.min(1 + random.nextInt(LIST), count - done);
            list(rig, n, done);
            done += n;
            if (done / REPORT != (done - n) / REPORT) {
                System.err.println(done + " requests");
            }
        }
    }

    private void list(Mlx5Rig rig, int n, long id) {
        int messages = 0;
        for (int i = 0; i < n; i++) {
            int opcode = random.nextInt(WrOpcode.ATOMIC_FETCH_AND_ADD + 1);
            fill(rig, i, opcode, id + i);
            if (opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM) {
                require(rig.peer.postRecv(receives[messages].wrId(i)) == 0, "a receive was refused");
                messages++;
            }
            requests[i].next(i + 1 < n ? requests[i + 1] : null);
        }
        require(rig.qp.postSend(requests[0]) == 0, "a post was refused");
        while (Simulator.device_sim_pump(-1) != 0) {
            // until there is nothing left to do
        }
        int got = rig.cq.poll(wc.length, wc);
        require(got == n, got + " completions instead of " + n);
        for (int i = 0; i < n; i++) {
            require(wc[i].status() == WcStatus.SUCCESS, WcStatus.toString(wc[i].status()));
            require(wc[i].wrId() == id + i, "completion of " + wc[i].wrId() + " instead of " + (id + i));
        }
        int received = rig.peerCq.poll(wc.length, wc);
        require(received == messages, received + " receives instead of " + messages);
        look(n);
    }

    private void fill(Mlx5Rig rig, int i, int opcode, long id) {
        boolean atomic = opcode >= WrOpcode.ATOMIC_CMP_AND_SWP;
        boolean inline = opcode < WrOpcode.RDMA_READ && random.nextInt(4) == 0;
        int length = atomic ? 8 : 1 + random.nextInt(inline ? 60 : SLOT - 1);
        int first = atomic || random.nextBoolean() ? length : random.nextInt(length + 1);
        long source = base + SOURCE + (long) i * SLOT;
        long target = base + TARGET + (long) i * SLOT;
        boolean read = opcode == WrOpcode.RDMA_READ;
        lengths[i] = atomic || opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM ? 0 : length;
        for (int b = 0; b < SLOT; b += Long.BYTES) {
            NativeMemory.putLong(source + b, random.nextLong());
        }
        long local = read ? target : source;
        elements[i][0].addr(local).length(first).lkey(rig.mr.lkey());
        elements[i][1].addr(local + first).length(length - first).lkey(rig.mr.lkey());
        requests[i]
                .wrId(id)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED
                        | (inline ? SendFlags.INLINE : 0)
                        | (random.nextInt(8) == 0 ? SendFlags.FENCE : 0))
                .immData((int) id)
                .remoteAddr(atomic ? base + COUNTER : read ? source : target)
                .rkey(rig.mr.rkey())
                .compareAdd(opcode == WrOpcode.ATOMIC_CMP_AND_SWP ? counter : 1)
                .swap(counter + 2)
                .sgList(elements[i], first == length ? 1 : 2);
        if (atomic) {
            counter += opcode == WrOpcode.ATOMIC_CMP_AND_SWP ? 2 : 1;
        }
    }

    /** Data written or read must equal the source, and the counter must be the result of all atomics so far. */
    private void look(int n) {
        for (int i = 0; i < n; i++) {
            long source = base + SOURCE + (long) i * SLOT;
            long target = base + TARGET + (long) i * SLOT;
            for (int b = 0; b < lengths[i]; b++) {
                require(
                        NativeMemory.getByte(source + b) == NativeMemory.getByte(target + b),
                        "a byte differs after a write or read");
            }
        }
        require(NativeMemory.getLong(base + COUNTER) == counter, "the counter does not match the atomics");
    }
}

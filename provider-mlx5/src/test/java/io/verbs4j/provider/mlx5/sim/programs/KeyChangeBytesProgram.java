/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.mlx5dv.Mlx5Interleaved;
import io.verbs4j.mlx5dv.Mlx5Mkey;
import io.verbs4j.mlx5dv.Mlx5MkeyConfFlags;
import io.verbs4j.mlx5dv.Mlx5MkeyFlags;
import io.verbs4j.mlx5dv.Mlx5MkeyRequest;
import io.verbs4j.mlx5dv.Mlx5RawRequest;
import io.verbs4j.mlx5dv.Mlx5WcOpcode;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A program for two simulated devices: posts the same random changes of keys, descriptors and writes through libmlx5 on
 * one and through Java on the other, and compares each byte of both send rings, the doorbell records and the registers,
 * and each completion. Arguments: the number of requests, and a seed.
 */
public final class KeyChangeBytesProgram {
    private static final int ENTRIES = 32;

    private final ByteBuffer memory = MkeyRig.allocate();
    private final MkeyRig ours = new MkeyRig("mlx5_1", "java", MkeyRig.ALL & ~MkeyRig.NATIVE, memory);
    private final MkeyRig theirs = new MkeyRig("mlx5_0", "native", MkeyRig.ALL & ~MkeyRig.NATIVE, memory);
    private final Mlx5Mkey ourKey = ours.dv.createMkey(ours.pd, Mlx5MkeyFlags.INDIRECT, ENTRIES);
    private final Mlx5Mkey theirKey = theirs.dv.createMkey(theirs.pd, Mlx5MkeyFlags.INDIRECT, ENTRIES);
    private final int[] kinds = new int[4];
    private int block;

    private KeyChangeBytesProgram() {}

    public static void main(String... args) {
        Random random = new Random(Long.parseLong(args[1]));
        KeyChangeBytesProgram test = new KeyChangeBytesProgram();
        require(test.ours.qp.qpNum() == test.theirs.qp.qpNum(), "numbers differ");
        require(test.ourKey.lkey() == test.theirKey.lkey(), "keys differ");
        int count = Integer.parseInt(args[0]);
        for (int i = 0; i < count; i++) {
            test.step(random.nextLong(), i);
        }
        assertThat(Arrays.stream(test.kinds).min().orElseThrow()).isGreaterThan(count / 10);
        require(Simulator.device_sim_check_idle() == 0, "work without a doorbell: " + Simulator.message());
        Simulator.requireNoViolation();
        System.out.println("same " + count);
    }

    private void step(long seed, int id) {
        int kind = new Random(seed).nextInt(kinds.length);
        kinds[kind]++;
        int error = post(ours, ourKey, new Random(seed), id, kind);
        assertThat(post(theirs, theirKey, new Random(seed), id, kind))
                .as("request %d of kind %d", id, kind)
                .isEqualTo(error)
                .isZero();
        block = ImmediateWords.clear(theirs.qp, block);
        RequestBytesProgram.compareSends(
                ((NativeQueuePair) ours.qp).ibv.address(), ((NativeQueuePair) theirs.qp).ibv.address(), true);
        ours.completion(id, WcStatus.SUCCESS);
        theirs.completion(id, WcStatus.SUCCESS);
        if (kind != 2) { // Java reports the operation of a descriptor
            assertThat(ours.wc[0].opcode()).isEqualTo(theirs.wc[0].opcode());
        } else {
            assertThat(theirs.wc[0].opcode()).isEqualTo(Mlx5WcOpcode.RAW_WQE);
        }
    }

    private static int post(MkeyRig rig, Mlx5Mkey key, Random random, int id, int kind) {
        random.nextInt(4);
        int flags = SendFlags.SIGNALED
                | (random.nextBoolean() ? SendFlags.FENCE : 0)
                | (random.nextInt(4) == 0 ? SendFlags.SOLICITED : 0);
        if (kind == 2) {
            int length = random.nextInt(1, MkeyRig.MAX_INLINE);
            rig.fill(0, length, id);
            byte[] wqe = RawRequestsProgram.inlineWrite(rig, RawRequestsProgram.CQ_UPDATE, 0, 4096, length);
            return rig.dv.postSend(rig.qp, new Mlx5RawRequest().descriptor(id, wqe));
        }
        if (kind == 3) {
            SendWorkRequest write = MkeyRig.request(
                            WrOpcode.RDMA_WRITE, rig.element(0, random.nextInt(1, 500)), rig.mr.rkey(), rig.mr.addr())
                    .wrId(id)
                    .sendFlags(flags | (random.nextBoolean() ? SendFlags.INLINE : 0));
            return rig.qp.postSend(write);
        }
        Mlx5MkeyRequest r = new Mlx5MkeyRequest()
                .request(id, flags)
                .mkey(key)
                .confFlags(random.nextInt(4) == 0 ? Mlx5MkeyConfFlags.RESET_SIG_ATTR : 0);
        if (random.nextInt(3) != 0) {
            r.access(random.nextInt(16) & Mlx5Rig.ACCESS);
        }
        return rig.dv.postSend(rig.qp, kind == 0 ? layout(rig, r, random) : r);
    }

    private static Mlx5MkeyRequest layout(MkeyRig rig, Mlx5MkeyRequest r, Random random) {
        if (random.nextBoolean()) {
            ScatterGatherElement[] list = new ScatterGatherElement[random.nextInt(1, ENTRIES + 1)];
            for (int i = 0; i < list.length; i++) {
                list[i] = rig.element(random.nextInt(30000), random.nextInt(1, 30000));
            }
            return r.list(list);
        }
        Mlx5Interleaved[] pieces = new Mlx5Interleaved[random.nextInt(1, ENTRIES)];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = new Mlx5Interleaved(
                    rig.mr.lkey(), rig.mr.addr() + random.nextInt(1000), random.nextInt(1, 1000), random.nextInt(1000));
        }
        return r.interleaved(random.nextInt(1, 20), pieces);
    }
}

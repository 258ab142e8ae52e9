/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Simulator;

/**
 * A program for a simulated device: keys get memory by work requests, are used, and lose it again. The argument is the
 * case.
 */
public final class BoundKeysProgram extends BoundKeysRig {
    public static void main(String... args) {
        Cases.run(args[0], BoundKeysProgram::run);
    }

    private static void run(String name) {
        try (BoundKeysProgram k = new BoundKeysProgram()) {
            switch (name) {
                case "told" -> k.told();
                case "again" -> k.againAndAgain();
                case "inside" -> k.insideCompletions();
                case "by-peer" -> k.takenBackByThePeer();
                case "room" -> k.room();
                default -> throw new IllegalArgumentException(name);
            }
            Simulator.requireNoViolation();
        }
    }

    private void told() {
        DeviceAttrEx attr = rig.context.queryDeviceEx();
        long caps = DeviceCap.BLOCK_LIST | DeviceCap.MEM_MGT_EXTENSIONS;
        int most = attr.maxFastRegLen();
        assertThat(most).isEqualTo(52);
        assertThat(attr.deviceCapFlagsEx() & caps).isEqualTo(caps);
        assertThat(rig.context.queryDevice().deviceCaps() & caps).isEqualTo(caps);
        assertThat(attr.sendOpsRc() & (QpCreateSendOps.REG_MR | QpCreateSendOps.RDMA_READ_WITH_INV))
                .isEqualTo(QpCreateSendOps.REG_MR);
        assertThat((attr.sendOpsUc() | attr.sendOpsUd() | attr.sendOpsXrcSend()) & QpCreateSendOps.REG_MR)
                .isZero();
        refused(Errno.EINVAL, "1 to 52", () -> alloc(most + 1));
        alloc(most).close();
        assertThat(key.length()).isZero();
        assertThat(key.lkey()).isEqualTo(key.rkey()).isNotZero();
        refused(Errno.EINVAL, "rereg_mr", () -> key.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0));
    }

    /** More often than there are keys, and past the end of the ring; by single requests and by the builder. */
    private void againAndAgain() {
        int first = key.rkey();
        for (int i = 1; i <= 300; i++) {
            int number = first & ~0xff | first + i & 0xff;
            if (i % 2 == 0) {
                done(register(70), WcOpcode.REG_MR);
            } else {
                builder.start();
                builder.regMr(
                        70,
                        SendFlags.SIGNALED,
                        new FastRegister().mr(key).key(number).access(RIGHTS).addr(BASE));
                for (ScatterGatherElement e : pieces()) {
                    builder.sge(e.lkey(), e.addr(), e.length());
                }
                assertThat(builder.complete()).isZero();
                assertThat(next(false, 70, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.REG_MR);
            }
            assertThat(key.rkey()).isEqualTo(number).isEqualTo(key.lkey());
            assertThat(key.addr()).isEqualTo(BASE);
            assertThat(key.length()).isEqualTo(LENGTH);
            assertThat(key.access()).isEqualTo(RIGHTS);
            works(number, i);
            done(invalidate(71, number), WcOpcode.LOCAL_INV);
            assertThat(key.rkey()).isEqualTo(number);
            assertThat(key.length() | key.addr() | key.access()).isZero();
        }
        peer(byPeer(WrOpcode.RDMA_WRITE, 2, key.rkey(), BASE, 1), WcStatus.REM_ACCESS_ERR);
    }

    /**
     * Small answers lie in completions. They are copied to where the key's range was when it was used, whatever range
     * it has when they are read.
     */
    private void insideCompletions() {
        QueuePair inside = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null)
                .sqSigAll(true)
                .cap(new QpCap().maxSendWr(64).maxRecvWr(8).maxSendSge(3).maxRecvSge(3)));
        Mlx5Rig.connect(rig.context, inside, inside.qpNum());
        for (int round = 0; round < 40; round++) {
            int bytes = 1 + round % 32;
            fill(PEER, 4096, round);
            SendWorkRequest list = null;
            int start = key.lkey();
            int times = 5;
            for (int i = times; i >= 1; i--) { // from the last one on
                int number = start & ~0xff | start + i & 0xff;
                ScatterGatherElement[] halves = {
                    ScatterGatherElement.of(rig.mr, 1000L * i, bytes / 2 + 1),
                    ScatterGatherElement.of(rig.mr, 1000L * i + 500, 64)
                };
                list = invalidate(10L * i + 2, number).next(list);
                list = request(WrOpcode.RDMA_READ, 10L * i + 1, element(BASE, bytes, number))
                        .remoteAddr(rig.mr.addr() + PEER + 100L * i)
                        .rkey(rig.mr.rkey())
                        .next(list);
                list = register(10L * i, number, AccessFlags.LOCAL_WRITE, halves)
                        .next(list);
            }
            fill(0, 7000, 99);
            assertThat(inside.postSend(list)).isZero();
            for (int i = 1; i <= times; i++) {
                for (int what = 0; what < 3; what++) {
                    next(false, 10L * i + what, WcStatus.SUCCESS);
                }
            }
            for (int i = 1; i <= times; i++) {
                for (int n = 0; n < bytes; n++) {
                    int place = n <= bytes / 2 ? 1000 * i + n : 1000 * i + 500 + n - bytes / 2 - 1;
                    assertThat(memory.get(place)).isEqualTo(memory.get(PEER + 100 * i + n));
                }
            }
        }
        receives();
        inside.close();
    }

    /** Small messages are inside completions as well, and the peer may invalidate the key with one. */
    private void receives() {
        for (int length : new int[] {1, 5, 30, 900}) {
            done(register(3), WcOpcode.REG_MR);
            fill(0, 7000, 9);
            fill(PEER, 1000, length);
            assertThat(rig.qp.postRecv(new RecvWorkRequest().wrId(8).sgList(element(BASE + 1, 1000, key.lkey()))))
                    .isZero();
            SendWorkRequest wr = request(WrOpcode.SEND_WITH_INV, 4, ScatterGatherElement.of(rig.mr, PEER, length))
                    .invalidateRkey(key.rkey());
            peer(wr, WcStatus.SUCCESS);
            assertThat(next(false, 8, WcStatus.SUCCESS).wcFlags() & WcFlags.WITH_INV)
                    .isEqualTo(WcFlags.WITH_INV);
            for (int n = 0; n < length; n++) {
                assertThat(memory.get(at(1 + n))).isEqualTo(memory.get(PEER + n));
            }
            assertThat(key.length()).isZero();
        }
    }

    private void takenBackByThePeer() {
        for (int i = 0; i < 20; i++) {
            done(register(1), WcOpcode.REG_MR);
            int number = key.rkey();
            works(number, i);
            assertThat(rig.qp.postRecv(new RecvWorkRequest().wrId(2).sgList(ScatterGatherElement.of(rig.mr, 6000, 64))))
                    .isZero();
            peer(
                    request(WrOpcode.SEND_WITH_INV, 3, ScatterGatherElement.of(rig.mr, PEER, 10))
                            .invalidateRkey(number),
                    WcStatus.SUCCESS);
            WorkCompletion seen = next(false, 2, WcStatus.SUCCESS);
            assertThat(seen.wcFlags() & WcFlags.WITH_INV).isEqualTo(WcFlags.WITH_INV);
            assertThat(seen.invalidatedRkey()).isEqualTo(number);
            assertThat(key.length()).isZero();
        }
        done(register(1), WcOpcode.REG_MR);
        assertThat(rig.qp.postRecv(new RecvWorkRequest().wrId(2))).isZero();
        peer(request(WrOpcode.SEND_WITH_INV, 3).invalidateRkey(key.rkey()), WcStatus.SUCCESS);
        assertThat(rig.qp.postSend(register(4))).isZero(); // it gets other memory before that is read
        next(false, 2, WcStatus.SUCCESS);
        assertThat(key.length()).isEqualTo(LENGTH);
        next(false, 4, WcStatus.SUCCESS);
        works(key.rkey(), 21);
        done(invalidate(5, key.rkey()), WcOpcode.LOCAL_INV);
        peer(byPeer(WrOpcode.RDMA_WRITE, 1, key.rkey(), BASE, 1), WcStatus.REM_ACCESS_ERR);
    }

    /**
     * A long list takes the room of several requests: it is refused if there is too little, and all of it is freed
     * afterwards.
     */
    private void room() {
        MemoryRegion large = alloc(52);
        MemoryRegion before = key;
        ScatterGatherElement[] list = new ScatterGatherElement[52];
        for (int i = 0; i < list.length; i++) {
            list[i] = ScatterGatherElement.of(rig.mr, (52 - i) * 100L, 50);
        }
        for (int depth : new int[] {1, 2, 4, 8, 16}) {
            QueuePair qp = rig.pd.createQp(Mlx5Rig.attr(QpType.RC, rig.cq, null)
                    .cap(new QpCap().maxSendWr(depth).maxRecvWr(1).maxSendSge(1).maxRecvSge(1)));
            Mlx5Rig.connect(rig.context, qp, qp.qpNum());
            key = large;
            int posted = 0;
            for (int i = 0; i < 200; i++) {
                SendWorkRequest wr = register(i, MemoryWindow.incRkey(key.rkey()), RIGHTS, list);
                SendWorkRequest back = invalidate(1000, wr.fastRegister().key());
                int result = qp.postSend(wr);
                if (result == Errno.EINVAL) {
                    assertThat(qp.explain(wr)).contains("52 pieces takes the room of 4 requests");
                    break;
                }
                if (result == Errno.ENOMEM) {
                    Simulator.pump();
                    while (rig.cq.poll(1, wc) == 1) {
                        assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
                    }
                    assertThat(qp.postSend(wr)).isZero();
                }
                posted++;
                if (qp.postSend(back) == Errno.ENOMEM) {
                    Simulator.pump();
                    while (rig.cq.poll(1, wc) == 1) {
                        assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
                    }
                    assertThat(qp.postSend(back)).isZero();
                }
            }
            Simulator.pump();
            while (rig.cq.poll(1, wc) == 1) {
                assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
            }
            assertThat(posted).isEqualTo(depth < 4 ? 0 : 200);
            qp.close();
        }
        key = before;
        large.close();
        done(register(1), WcOpcode.REG_MR);
        works(key.rkey(), 1);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A program for a simulated device: checks which requests that give memory to keys are refused, and which fail. The
 * argument is the case; "lacking" with a data path checks that there are no such keys.
 */
public final class KeyMistakesProgram extends BoundKeysRig {
    public static void main(String... args) {
        Cases.run(args[0], name -> run(name, args));
    }

    private static void run(String name, String... args) {
        if (name.equals("lacking")) {
            lacking(args[1]);
        } else {
            try (KeyMistakesProgram k = new KeyMistakesProgram()) {
                switch (name) {
                    case "refused" -> k.whatIsRefused();
                    case "states" -> k.states();
                    case "reverted" -> {
                        k.reverted();
                        k.windowsAreNotKeys();
                    }
                    case "pieces" -> k.piecesThatAreNotToBeHad();
                    default -> throw new IllegalArgumentException(name);
                }
                Simulator.requireNoViolation();
            }
        }
    }

    private static void lacking(String path) {
        try (Mlx5Rig rig = new Mlx5Rig("mlx5_0", path, QpType.RC, ByteBuffer.allocateDirect(MEMORY))) {
            DeviceAttrEx attr = rig.context.queryDeviceEx();
            assertThat(attr.maxFastRegLen()).isZero();
            assertThat(attr.deviceCapFlagsEx() & DeviceCap.BLOCK_LIST).isZero();
            assertThat(rig.context.queryDevice().deviceCaps() & DeviceCap.BLOCK_LIST)
                    .isZero();
            assertThat(attr.sendOpsRc() & QpCreateSendOps.REG_MR).isZero();
            refused(Errno.EOPNOTSUPP, "alloc_mr_key", () -> rig.pd.allocMrKey(new MrKeyInitAttr().maxEntries(1)));
            SendWorkRequest wr = new SendWorkRequest()
                    .opcode(WrOpcode.REG_MR)
                    .fastRegister(new FastRegister().mr(rig.mr).key(rig.mr.lkey()))
                    .sgList(ScatterGatherElement.of(rig.mr, 0, 8));
            assertThat(rig.qp.postSend(wr)).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(rig.qp.explain(wr)).contains("opcode is REG_MR");
        }
    }

    private void isRefused(SendWorkRequest wr, int errno, String why) {
        int before = key.rkey();
        assertThat(rig.qp.postSend(wr)).as(why).isEqualTo(errno);
        assertThat(rig.qp.explain(wr)).contains(why);
        assertThat(key.rkey()).isEqualTo(before);
        assertThat(key.length()).isZero();
    }

    private void whatIsRefused() {
        int next = MemoryWindow.incRkey(key.rkey());
        isRefused(register(1).fastRegister(null), Errno.EINVAL, "fastRegister is null");
        SendWorkRequest ofRegion = register(1);
        ofRegion.fastRegister().mr(rig.mr).key(rig.mr.lkey());
        isRefused(ofRegion, Errno.EINVAL, "must name an open key");
        isRefused(register(1, next ^ 0x100, RIGHTS, pieces()), Errno.EINVAL, "lowest 8 bits");
        isRefused(register(1, next, RIGHTS), Errno.EINVAL, "numSge is 0");
        ScatterGatherElement[] many = new ScatterGatherElement[ENTRIES + 1];
        Arrays.fill(many, ScatterGatherElement.of(rig.mr, 0, 1));
        isRefused(register(1, next, RIGHTS, many), Errno.EINVAL, "made for 1 to 8");
        many[1] = ScatterGatherElement.of(rig.mr, 0, 0);
        isRefused(register(1, next, RIGHTS, many[0], many[1]), Errno.EINVAL, "has no bytes");
        isRefused(register(1, next, AccessFlags.REMOTE_WRITE, pieces()), Errno.EINVAL, "without LOCAL_WRITE");
        isRefused(register(1, next, RIGHTS | AccessFlags.MW_BIND, pieces()), Errno.EOPNOTSUPP, "MW_BIND");
        isRefused(
                register(1, next, RIGHTS, element(BASE, 1, key.lkey())),
                Errno.EINVAL,
                "the region that contains the memory");
        try (Context other = Mlx5Rig.open("mlx5_0", "java");
                ProtectionDomain pd = other.allocPd();
                MemoryRegion foreign = pd.allocMrKey(new MrKeyInitAttr().maxEntries(1))) {
            SendWorkRequest ofOther = register(1);
            ofOther.fastRegister().mr(foreign).key(foreign.lkey());
            isRefused(ofOther, Errno.EINVAL, "of this device");
        }
        MemoryRegion closed = alloc(1);
        closed.close();
        SendWorkRequest ofClosed = register(1, closed.lkey(), RIGHTS, many[0]);
        ofClosed.fastRegister().mr(closed);
        isRefused(ofClosed, Errno.EINVAL, "open key");
        assertThat(rig.qp.explain(register(1))).isNull();
        assertThat(rig.qp.explain(request(WrOpcode.NOP, 1))).isNull();
        assertThat(rig.qp.explain(register(1, next, RIGHTS | AccessFlags.RELAXED_ORDERING, pieces())))
                .isNull();
        assertThat(rig.qp.postSend(request(WrOpcode.RDMA_READ_WITH_INV, 1, element(BASE, 1, key.lkey()))))
                .isEqualTo(Errno.EOPNOTSUPP);
        done(register(1, next, RIGHTS | AccessFlags.RELAXED_ORDERING, pieces()), WcOpcode.REG_MR);
        assertThat(rig.qp.postSend(request(WrOpcode.SEND, 2, element(BASE, 8, key.lkey()))
                        .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)))
                .isEqualTo(Errno.EINVAL);
        works(next, 5);
    }

    private void fails(SendWorkRequest wr) {
        assertThat(rig.qp.postSend(wr)).isZero();
        next(false, wr.wrId(), WcStatus.MW_BIND_ERR);
        again();
    }

    private void states() {
        peer(byPeer(WrOpcode.RDMA_WRITE, 1, key.rkey(), BASE, 1), WcStatus.REM_ACCESS_ERR); // not yet bound
        again();
        done(register(2), WcOpcode.REG_MR);
        int number = key.rkey();
        peer(byPeer(WrOpcode.RDMA_WRITE, 1, number ^ 0x80, BASE, 1), WcStatus.REM_ACCESS_ERR);
        again();
        peer(byPeer(WrOpcode.RDMA_WRITE, 1, number, BASE + 1, LENGTH), WcStatus.REM_ACCESS_ERR);
        again();
        peer(byPeer(WrOpcode.RDMA_READ, 1, number, BASE - 1, 8), WcStatus.REM_ACCESS_ERR);
        again();
        fails(register(3)); // the key has memory
        assertThat(key.rkey()).isEqualTo(number);
        assertThat(key.length()).isEqualTo(LENGTH);
        fails(invalidate(4, number ^ 1));
        assertThat(key.length()).isEqualTo(LENGTH);
        works(number, 6);
        done(invalidate(5, number), WcOpcode.LOCAL_INV);
        fails(invalidate(6, number)); // the key has none
        for (int right : new int[] {AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_READ, AccessFlags.REMOTE_ATOMIC}) {
            int opcode = right == AccessFlags.REMOTE_WRITE
                    ? WrOpcode.RDMA_WRITE
                    : right == AccessFlags.REMOTE_READ ? WrOpcode.RDMA_READ : WrOpcode.ATOMIC_FETCH_AND_ADD;
            ScatterGatherElement word = ScatterGatherElement.of(rig.mr, 0, 8);
            done(register(7, MemoryWindow.incRkey(key.rkey()), RIGHTS, word), WcOpcode.REG_MR);
            peer(byPeer(opcode, 1, key.rkey(), BASE, 8), WcStatus.SUCCESS);
            done(invalidate(8, key.rkey()), WcOpcode.LOCAL_INV);
            int without = RIGHTS & ~right;
            done(register(7, MemoryWindow.incRkey(key.rkey()), without, word), WcOpcode.REG_MR);
            peer(byPeer(opcode, 1, key.rkey(), BASE, 8), WcStatus.REM_ACCESS_ERR);
            again();
            done(invalidate(8, key.rkey()), WcOpcode.LOCAL_INV);
        }
        done(register(9), WcOpcode.REG_MR);
        number = key.rkey();
        key.close();
        peer(byPeer(WrOpcode.RDMA_WRITE, 1, number, BASE, 1), WcStatus.REM_ACCESS_ERR);
        key = alloc(ENTRIES);
    }

    /** A request that fails, or is not posted after all, leaves the key as it was; so do all requests behind it. */
    private void reverted() {
        done(register(1), WcOpcode.REG_MR);
        int number = key.rkey();
        SendWorkRequest late = register(4, number + 2, RIGHTS, ScatterGatherElement.of(rig.mr, 0, 8));
        SendWorkRequest list = register(2, number + 1, RIGHTS, pieces()) // the key has memory
                .next(invalidate(3, number + 1).next(late));
        assertThat(rig.qp.postSend(list)).isZero();
        assertThat(key.rkey()).isEqualTo(number + 2);
        assertThat(key.length()).isEqualTo(8);
        next(false, 2, WcStatus.MW_BIND_ERR);
        assertThat(key.rkey()).isEqualTo(number);
        assertThat(key.length()).isEqualTo(LENGTH);
        next(false, 3, WcStatus.WR_FLUSH_ERR);
        next(false, 4, WcStatus.WR_FLUSH_ERR);
        assertThat(key.rkey()).isEqualTo(number);
        assertThat(key.length()).isEqualTo(LENGTH);
        again();
        builder.start(); // a key's request began here before RESET
        builder.send(10, 0, rig.mr.lkey(), rig.mr.addr(), 8);
        builder.regMr(11, 0, new FastRegister().mr(rig.mr).key(rig.mr.lkey())); // not a key
        builder.sge(rig.mr.lkey(), rig.mr.addr(), 100);
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        assertThat(key.rkey()).isEqualTo(number);
        assertThat(key.length()).isEqualTo(LENGTH);
        works(number, 3);
        done(invalidate(5, number), WcOpcode.LOCAL_INV);
        builder.start();
        builder.regMr(
                6,
                SendFlags.SIGNALED,
                new FastRegister().mr(key).key(number + 1).access(RIGHTS).addr(BASE));
        builder.sge(rig.mr.lkey(), rig.mr.addr(), 100);
        builder.localInv(7, 0, number + 1);
        builder.regMr(8, 0, new FastRegister().mr(rig.mr).key(rig.mr.lkey())); // not a key
        builder.sge(rig.mr.lkey(), rig.mr.addr(), 100);
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        assertThat(key.rkey()).isEqualTo(number);
        assertThat(key.length()).isZero();
        Simulator.pump();
        assertThat(rig.cq.poll(1, wc)).isZero();
        done(register(9), WcOpcode.REG_MR);
        works(key.rkey(), 8);
    }

    /** A window's request fails at a place of the ring where a key's request was before. */
    private void windowsAreNotKeys() {
        for (int i = 0; i < 300; i++) {
            done(invalidate(1, key.rkey()), WcOpcode.LOCAL_INV);
            done(register(2), WcOpcode.REG_MR);
        }
        int number = key.rkey();
        MemoryRegion unbound = rig.pd.regMr(memory, AccessFlags.LOCAL_WRITE);
        MemoryWindow mw = rig.pd.allocMw(MwType.TYPE_2);
        MwBind bind = new MwBind().mr(unbound).addr(unbound.addr()).length(8).mwAccessFlags(AccessFlags.REMOTE_WRITE);
        SendWorkRequest wr = request(WrOpcode.BIND_MW, 3)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(bind);
        assertThat(rig.qp.postSend(wr)).isZero();
        next(false, 3, WcStatus.MW_BIND_ERR);
        assertThat(key.rkey()).isEqualTo(number);
        assertThat(key.length()).isEqualTo(LENGTH);
        again();
        works(number, 9);
        mw.close();
        unbound.close();
    }

    /** The device checks pieces when they are used. */
    private void piecesThatAreNotToBeHad() {
        ProtectionDomain other = rig.context.allocPd();
        MemoryRegion foreign = other.regMr(memory, RIGHTS);
        MemoryRegion constant = rig.pd.regMr(memory, 0);
        MemoryRegion gone = rig.pd.regMr(memory, RIGHTS);
        for (MemoryRegion of : new MemoryRegion[] {foreign, constant, gone}) {
            done(
                    register(1, MemoryWindow.incRkey(key.rkey()), RIGHTS, ScatterGatherElement.of(of, 0, 100)),
                    WcOpcode.REG_MR);
            if (of == gone) {
                of.close();
            }
            peer(byPeer(WrOpcode.RDMA_WRITE, 2, key.rkey(), BASE, 100), WcStatus.REM_ACCESS_ERR);
            again();
            done(invalidate(3, key.rkey()), WcOpcode.LOCAL_INV);
        }
        ScatterGatherElement beyond = element(rig.mr.addr() + MEMORY - 10, 11, rig.mr.lkey());
        done(register(1, MemoryWindow.incRkey(key.rkey()), RIGHTS, beyond), WcOpcode.REG_MR);
        peer(byPeer(WrOpcode.RDMA_WRITE, 2, key.rkey(), BASE, 11), WcStatus.REM_ACCESS_ERR);
        foreign.close();
        constant.close();
        other.close();
    }
}

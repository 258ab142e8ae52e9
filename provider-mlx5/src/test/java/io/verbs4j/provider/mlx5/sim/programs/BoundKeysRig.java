/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Keys on a simulated device that get memory by work requests of the queue pair, and that its peer uses. */
abstract class BoundKeysRig implements AutoCloseable {
    static final int RIGHTS = Mlx5Rig.ACCESS;
    static final int MEMORY = 1 << 16;

    /** The peer's part of the memory. */
    static final int PEER = MEMORY / 2;

    /** The key's address of the first byte, which is not an address of anything. */
    static final long BASE = 0x7000_1234_5008L;

    /** Offsets and lengths of pieces: of arbitrary size and alignment, and not in order. */
    static final int[][] PIECES = {{5001, 3}, {7, 1000}, {9000, 1}, {2000, 2017}, {1100, 1}};

    static final int LENGTH = 3022;
    static final int ENTRIES = 8;

    final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
    final WorkCompletion[] wc = {new WorkCompletion()};
    final Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, memory);
    final SendBuilder builder = rig.qp.builder();
    MemoryRegion key = alloc(ENTRIES);

    @Override
    public void close() {
        key.close();
        rig.close();
    }

    final MemoryRegion alloc(int entries) {
        return rig.pd.allocMrKey(new MrKeyInitAttr().maxEntries(entries));
    }

    // ---- requests

    final ScatterGatherElement[] pieces() {
        return Arrays.stream(PIECES)
                .map(p -> ScatterGatherElement.of(rig.mr, p[0], p[1]))
                .toArray(ScatterGatherElement[]::new);
    }

    /** Returns the index in memory of a byte behind the key. */
    static int at(int offset) {
        int rest = offset;
        for (int[] piece : PIECES) {
            if (rest < piece[1]) {
                return piece[0] + rest;
            }
            rest -= piece[1];
        }
        throw new AssertionError();
    }

    static SendWorkRequest request(int opcode, long id, ScatterGatherElement... list) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(id)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(list);
    }

    final SendWorkRequest register(long id, int newKey, int access, ScatterGatherElement... list) {
        return request(WrOpcode.REG_MR, id, list)
                .fastRegister(
                        new FastRegister().mr(key).key(newKey).access(access).addr(BASE));
    }

    final SendWorkRequest register(long id) {
        return register(id, MemoryWindow.incRkey(key.rkey()), RIGHTS, pieces());
    }

    static SendWorkRequest invalidate(long id, int rkey) {
        return request(WrOpcode.LOCAL_INV, id).invalidateRkey(rkey);
    }

    static ScatterGatherElement element(long addr, int length, int lkey) {
        return new ScatterGatherElement().addr(addr).length(length).lkey(lkey);
    }

    final SendWorkRequest byPeer(int opcode, long id, int rkey, long addr, int length) {
        return request(opcode, id, ScatterGatherElement.of(rig.mr, PEER, 0).length(length))
                .remoteAddr(addr)
                .rkey(rkey);
    }

    final WorkCompletion next(boolean peer, long id, int status) {
        Simulator.pump();
        assertThat((peer ? rig.peerCq : rig.cq).poll(1, wc)).isEqualTo(1);
        assertThat(wc[0].wrId()).isEqualTo(id);
        assertThat(WcStatus.toString(wc[0].status())).isEqualTo(WcStatus.toString(status));
        return wc[0];
    }

    final void done(SendWorkRequest wr, int opcode) {
        assertThat(rig.qp.postSend(wr)).isZero();
        assertThat(next(false, wr.wrId(), WcStatus.SUCCESS).opcode()).isEqualTo(opcode);
    }

    final void peer(SendWorkRequest wr, int status) {
        assertThat(rig.peer.postSend(wr)).isZero();
        next(true, wr.wrId(), status);
    }

    final void fill(int from, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory.put(from + i, (byte) (i * 7 + (i >> 8) + seed));
        }
    }

    final void works(int number, int seed) {
        fill(PEER, LENGTH, seed);
        peer(byPeer(WrOpcode.RDMA_WRITE, 1, number, BASE, LENGTH), WcStatus.SUCCESS);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(memory.get(at(i))).isEqualTo(memory.get(PEER + i));
        }
    }

    final void again() {
        while (rig.cq.poll(1, wc) != 0 || rig.peerCq.poll(1, wc) != 0) {
            // flushed requests
        }
        rig.reconnect();
    }
}

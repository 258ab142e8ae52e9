/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.dv.DvObjects;
import io.verbs4j.rdmacore.object.NativeQueuePair;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A program that does the same as {@code keys.c} through Java's data path, and prints each element of the send queue as
 * that does. What Java requests beyond libmlx5 must be present and is removed before printing: a check that the key is
 * free, an address, and that peers may invalidate the key. Afterwards it prints the element by which a key loses its
 * memory, as the kernel writes it, except that it requires a key that has memory.
 */
public final class KeyElementsProgram {
    private static final int MEMORY = 65536;
    private static final int KEYS = 60;
    private static final int ROOM = 52;
    private static final long IOVA = 0x1000000;
    private static final long BASE = 0x1122_3344_5566_7788L;
    private static final int BLOCK = 64;

    private final WorkCompletion[] wc = {new WorkCompletion()};
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final DvObjects.Qp ring;
    private int block;

    private KeyElementsProgram(Context context, ProtectionDomain pd) {
        cq = context.createCq(64);
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * MEMORY).alignedSlice(4096);
        MemoryRegion mr = pd.regMrEx(new RegMrAttrEx()
                .addr(NativeMemory.address(memory))
                .length(MEMORY)
                .iova(IOVA)
                .access(AccessFlags.LOCAL_WRITE)
                .keepAlive(memory));
        qp = pd.createQp(Mlx5Rig.attr(QpType.RC, cq, null)
                .cap(new QpCap()
                        .maxSendWr(16)
                        .maxRecvWr(1)
                        .maxSendSge(1)
                        .maxRecvSge(1)
                        .maxInlineData(828)));
        ring = DvObjects.qp(((NativeQueuePair) qp).ibv.address());
        Mlx5Rig.connect(context, qp, qp.qpNum());
        System.out.printf("qp %x lkey %x blocks %d%n", qp.qpNum(), mr.lkey(), ring.sqCount());
        MemoryRegion[] keys = new MemoryRegion[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = pd.allocMrKey(new MrKeyInitAttr().maxEntries(ROOM));
            int n = i * 7 % ROOM + 1;
            int access = (i % 16 & AccessFlags.REMOTE_ATOMIC) != 0 ? 15 : i % 2 != 0 ? 5 : 7;
            SendWorkRequest wr = new SendWorkRequest()
                    .wrId(i)
                    .opcode(WrOpcode.REG_MR)
                    .sendFlags(SendFlags.SIGNALED | (i % 3 == 1 ? SendFlags.FENCE : 0))
                    .sgList(list(mr, n, i))
                    .fastRegister(new FastRegister()
                            .mr(keys[i])
                            .key(keys[i].lkey())
                            .addr(BASE)
                            .access(access));
            System.out.println(n + " " + HexFormat.of().formatHex(withoutMore(post(wr))));
        }
        SendWorkRequest back = new SendWorkRequest()
                .wrId(1)
                .opcode(WrOpcode.LOCAL_INV)
                .sendFlags(SendFlags.SIGNALED)
                .invalidateRkey(keys[7].lkey());
        int before = block;
        requireTakenBack(post(back), before, keys[7].lkey());
        qp.close();
        Arrays.stream(keys).forEach(MemoryRegion::close);
        mr.close();
        cq.close();
    }

    public static void main(String... args) {
        try (Context context = Mlx5Rig.open("mlx5_0", "java");
                ProtectionDomain pd = context.allocPd()) {
            new KeyElementsProgram(context, pd);
        }
        Simulator.requireNoViolation();
    }

    private static ScatterGatherElement[] list(MemoryRegion mr, int n, int i) {
        ScatterGatherElement[] list = new ScatterGatherElement[n];
        for (int j = 0; j < n; j++) {
            list[j] = new ScatterGatherElement()
                    .addr(IOVA + 1000L * j + i)
                    .length(1 + i + 3 * j)
                    .lkey(mr.lkey());
        }
        return list;
    }

    /** Posts a request and returns its element. */
    private byte[] post(SendWorkRequest wr) {
        require(qp.postSend(wr) == 0, "post");
        Simulator.pump();
        require(cq.poll(1, wc) == 1 && wc[0].status() == WcStatus.SUCCESS, "completion " + wc[0]);
        int blocks = (8 + (wr.numSge() + 3) / 4 * 4) / 4;
        byte[] bytes = new byte[blocks * BLOCK];
        for (int b = 0; b < bytes.length; b++) {
            long at = ((long) block * BLOCK + b) % ((long) ring.sqCount() * BLOCK);
            bytes[b] = (byte) NativeMemory.getByte(ring.sqBuf() + at);
        }
        block += blocks;
        return bytes;
    }

    private static byte[] withoutMore(byte[] element) {
        ByteBuffer b = ByteBuffer.wrap(element);
        require(b.get(16) == (byte) (1 << 7 | 1 << 5), "flags");
        b.put(16, (byte) (1 << 7));
        long mask = b.getLong(24);
        long more = 1 << 6 | 1 << 8; // address, invalidation by peers
        require((mask & more) == more, "mask");
        b.putLong(24, mask & ~more);
        require(b.getInt(76) == 1 << 24, "flags of the key");
        b.putInt(76, 0);
        require(b.getLong(80) == BASE, "address");
        b.putLong(80, 0);
        return element;
    }

    private void requireTakenBack(byte[] element, int index, int rkey) {
        ByteBuffer wanted = ByteBuffer.allocate(element.length);
        wanted.putInt(index << 8 & 0xffff00 | 0x25)
                .putInt(qp.qpNum() << 8 | 8)
                .putInt(1 << 5 | 2 << 2)
                .putInt(rkey);
        wanted.put(16, (byte) (1 << 7 | 1 << 6)).putLong(24, 1 << 29).put(64, (byte) (1 << 6));
        require(
                Arrays.equals(element, wanted.array()),
                HexFormat.of().formatHex(element) + " is not " + HexFormat.of().formatHex(wanted.array()));
    }
}

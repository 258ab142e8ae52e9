/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.WindowBook;
import io.verbs4j.rdmacore.object.WindowLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Compares what builders write to a queue in plain memory with what lists of the same work requests write to another;
 * other tests compare the latter with libmlx5. Requests take one block each, and most resemble the one before.
 */
class BuiltSendsTest {
    private static final int BLOCKS = 64;
    private static final int MOST = 24;
    private static final int ROOM = BLOCKS * Wqe.BLOCK + 64 + 512;
    private static final int LKEY = 0x77;
    private static final int INLINE = 12;

    private final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 1);
    private final long data = NativeMemory.allocate(64);
    private final Twin built = new Twin();
    private final Twin listed = new Twin();
    private final SendBuilder builder = built.builder();

    /** A queue with its doorbell record and register. */
    private final class Twin extends QueuePair {
        final long memory = NativeMemory.allocate(ROOM);
        final long record = memory + BLOCKS * Wqe.BLOCK;
        final RingLock lock = new RingLock(false);
        final SendRing ring;

        Twin() {
            super(pd, new QpInitAttr(), 0x123);
            RegionTable regions = new RegionTable();
            regions.add(LKEY, pd, data, 64, new Pin());
            ring = new SendRing(new SendElements.Setup(
                    memory,
                    BLOCKS,
                    record,
                    new Doorbell(record + 64, 256, true, true, true),
                    0x123,
                    Transport.RC,
                    false,
                    MOST,
                    2,
                    INLINE,
                    -1,
                    pd,
                    regions,
                    new WindowLog(new WindowBook(false), () -> 7, false, MOST, () -> {})));
            ring.setOpen(true);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return SendQueue.post(ring, lock, wr, badWr);
        }

        @Override
        protected int postBuilt(SendBuilder b) {
            return SendQueue.post(ring, lock, b);
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            throw new UnsupportedOperationException();
        }

        byte[] bytes(int from) {
            byte[] bytes = new byte[ROOM - from];
            NativeMemory.getBytes(memory + from, bytes);
            return bytes;
        }
    }

    @AfterEach
    void free() {
        NativeMemory.free(built.memory);
        NativeMemory.free(listed.memory);
        NativeMemory.free(data);
    }

    private SendWorkRequest write(long id, int length) {
        return new SendWorkRequest()
                .wrId(id)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .rkey(0xdead_beef)
                .remoteAddr(0xfedc_ba98_7654_3210L)
                .sgList(new ScatterGatherElement().lkey(LKEY).addr(data).length(length));
    }

    private static SendWorkRequest flags(SendWorkRequest wr, int flags) {
        return wr.sendFlags(flags);
    }

    private void build(SendWorkRequest wr) {
        SendBuilder b = builder;
        long id = wr.wrId();
        boolean inline = (wr.sendFlags() & SendFlags.INLINE) != 0;
        int flags = wr.sendFlags() & ~SendFlags.INLINE;
        switch (wr.opcode()) {
            case WrOpcode.RDMA_WRITE -> b.write(id, flags, wr.rkey(), wr.remoteAddr());
            case WrOpcode.RDMA_READ -> b.read(id, flags, wr.rkey(), wr.remoteAddr());
            case WrOpcode.RDMA_WRITE_WITH_IMM -> b.writeWithImm(id, flags, wr.rkey(), wr.remoteAddr(), wr.immData());
            case WrOpcode.SEND_WITH_IMM -> b.sendWithImm(id, flags, wr.immData());
            default -> b.send(id, flags);
        }
        for (int i = 0; i < wr.numSge(); i++) {
            ScatterGatherElement e = wr.sgList()[i];
            if (inline) {
                b.inlineData(e.lkey(), e.addr(), e.length());
            } else {
                b.sge(e.lkey(), e.addr(), e.length());
            }
        }
    }

    private int buildAll(List<SendWorkRequest> requests) {
        builder.start();
        requests.forEach(this::build);
        return builder.complete();
    }

    /**
     * Posts the same requests both ways and compares everything, including what is known of each request on completion.
     */
    private void same(List<SendWorkRequest> requests) {
        int before = listed.ring.block;
        for (int i = 0; i < requests.size(); i++) {
            requests.get(i).next(i + 1 < requests.size() ? requests.get(i + 1) : null);
        }
        assertThat(listed.postSend(requests.get(0), null)).isZero();
        assertThat(buildAll(requests)).isZero();
        assertThat(built.bytes(0)).as("ring, record, register").isEqualTo(listed.bytes(0));
        assertThat(built.ring.block).isEqualTo(listed.ring.block).isEqualTo(before + requests.size());
        assertThat(built.ring.head).isEqualTo(listed.ring.head);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(listed.ring.complete(before + i))
                    .isEqualTo(requests.get(i).wrId());
            assertThat(built.ring.complete(before + i))
                    .isEqualTo(requests.get(i).wrId());
            assertThat(built.ring.isDone(built.ring.head - requests.size() + i)).isTrue();
            assertThat(built.ring.isDone(built.ring.head - requests.size() + i + 1))
                    .isFalse();
        }
    }

    @Test
    void similarWritesAreBuiltAsListed() {
        for (int round = 0; round < 40; round++) {
            List<SendWorkRequest> some = new ArrayList<>();
            for (int i = 0; i <= round % MOST; i++) {
                some.add(write(100L * round + i, 1 + i));
            }
            same(some);
        }
    }

    /** The most common kinds, each next to each other kind. */
    @Test
    void alternatingKindsAreBuiltAsListed() {
        int[] opcodes = {WrOpcode.RDMA_WRITE, WrOpcode.SEND, WrOpcode.RDMA_READ};
        int[] flags = {SendFlags.SIGNALED, 0, SendFlags.SIGNALED | SendFlags.SOLICITED, SendFlags.FENCE};
        for (int first = 0; first < 12; first++) {
            for (int second = 0; second < 12; second++) {
                SendWorkRequest a = flags(write(1, 8), flags[first % 4]).opcode(opcodes[first / 4]);
                SendWorkRequest b = flags(write(2, 8), flags[second % 4]).opcode(opcodes[second / 4]);
                SendWorkRequest c = flags(write(3, 8), flags[first % 4]).opcode(opcodes[first / 4]);
                same(List.of(a));
                same(List.of(b));
                same(List.of(a, c, b));
            }
        }
    }

    /** The device reads a length of 0 as 2 GiB. */
    @Test
    void emptyWritesAmongOthersAreBuiltAsListed() {
        for (int empty = 0; empty < 5; empty++) {
            List<SendWorkRequest> some = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                some.add(write(i, i == empty ? 0 : 8));
            }
            same(some);
            same(List.of(write(7, 0)));
            same(List.of(write(8, Integer.MAX_VALUE)));
        }
    }

    /** Without elements, the row still holds the element of the previous request. */
    @Test
    void requestsWithoutElementsAreBuiltAsListed() {
        same(List.of(write(1, 8).opcode(WrOpcode.RDMA_WRITE_WITH_IMM)));
        same(List.of(empty(2, 0))); // all bits of flags and operation are clear, and no plain request came before
        same(List.of(write(3, 8)));
        same(List.of(empty(4, SendFlags.SIGNALED)));
        same(List.of(write(5, 8), empty(6, SendFlags.SIGNALED), write(7, 8)));
    }

    private SendWorkRequest empty(long id, int flags) {
        return flags(write(id, 1), flags).sgList(new ScatterGatherElement[0]);
    }

    /** A request behind a window's bind waits for it, however many similar requests came before. */
    @Test
    void requestsBehindPendingFenceAreBuiltAsListed() {
        same(List.of(write(1, 8), write(2, 8)));
        built.ring.fenceNext();
        listed.ring.fenceNext();
        same(List.of(write(3, 8)));
        same(List.of(write(4, 8)));
        built.ring.fenceNext();
        listed.ring.fenceNext();
        same(List.of(write(5, 8), write(6, 8)));
    }

    @Test
    void batchBeyondQueueRoomFails() {
        same(List.of(write(1, 8)));
        List<SendWorkRequest> many = new ArrayList<>();
        for (int i = 0; i <= MOST; i++) {
            many.add(write(i, 8));
        }
        byte[] before = built.bytes(BLOCKS * Wqe.BLOCK);
        assertThat(buildAll(many)).isEqualTo(Errno.ENOMEM);
        assertThat(built.bytes(BLOCKS * Wqe.BLOCK)).as("record and register").isEqualTo(before);
        assertThat(built.ring.block).isEqualTo(listed.ring.block);
        assertThat(built.ring.head).isEqualTo(listed.ring.head);
        same(many.subList(0, MOST));
    }

    /** A pending fence is pending again when the request that carried it is taken back. */
    @Test
    void fenceStaysPendingWhenBatchFails() {
        List<SendWorkRequest> many = new ArrayList<>();
        for (int i = 0; i <= MOST; i++) {
            many.add(write(i, 8));
        }
        built.ring.fenceNext();
        listed.ring.fenceNext();
        assertThat(buildAll(many)).isEqualTo(Errno.ENOMEM);
        same(many.subList(0, MOST));
    }

    @Test
    void randomOneBlockRequestsAreBuiltAsListed() {
        Random random = new Random(14);
        int[] opcodes = {
            WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_READ
        };
        for (int round = 0; round < 2000; round++) {
            List<SendWorkRequest> some = new ArrayList<>();
            int count = 1 + random.nextInt(random.nextBoolean() ? 3 : MOST);
            int opcode = 0;
            int flags = 0;
            for (int i = 0; i < count; i++) {
                if (i == 0 || random.nextInt(4) == 0) {
                    opcode = opcodes[random.nextInt(opcodes.length)];
                    boolean inline = opcode != WrOpcode.RDMA_READ && random.nextInt(4) == 0;
                    flags = random.nextInt() & (SendFlags.SIGNALED | SendFlags.SOLICITED)
                            | (inline ? SendFlags.INLINE : 0)
                            | (random.nextInt(6) == 0 ? SendFlags.FENCE : 0);
                }
                boolean inline = (flags & SendFlags.INLINE) != 0;
                int length = random.nextInt(8) == 0 ? 0 : random.nextInt(inline ? INLINE + 1 : Integer.MAX_VALUE);
                some.add(flags(write(random.nextLong(), length), flags)
                        .opcode(opcode)
                        .rkey(random.nextInt())
                        .remoteAddr(random.nextLong())
                        .immData(random.nextInt()));
            }
            if (random.nextInt(10) == 0) {
                built.ring.fenceNext();
                listed.ring.fenceNext();
            }
            NativeMemory.putLong(data, random.nextLong());
            same(some);
        }
    }
}

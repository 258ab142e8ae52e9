/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.NativeProtectionDomain;
import io.verbs4j.rdmacore.object.WindowBook;
import io.verbs4j.rdmacore.object.WindowLog;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the elements of raw packets in a ring of plain memory with a model of the whole ring. The model starts with
 * the same random bytes, so a byte too many is found as well.
 */
class FrameElementsTest {
    private static final int BLOCKS = 32;
    private static final int RING = BLOCKS * Wqe.BLOCK;
    private static final int MOST = 8; // so that each request may take 4 blocks
    private static final int MOST_SGE = 4;
    private static final int MOST_HEADER = 130;
    private static final int MOST_TSO = 5000;
    private static final int INLINE = 100;
    private static final int QPN = 0x123;
    private static final int LKEY = 0x77;
    private static final int DATA = 4096;

    private final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 1);
    private final long data = NativeMemory.allocate(DATA);
    private final long memory = NativeMemory.allocate(RING + Wqe.BLOCK + 512);
    private final long record = memory + RING;
    private final byte[] model = new byte[RING];
    private final Random random = new Random(7);
    private SendRing ring;
    private int block;

    @BeforeEach
    void noise() {
        for (int i = 0; i < DATA; i++) {
            NativeMemory.putByte(data + i, i * 7 + i / 256);
        }
        random.nextBytes(model);
        NativeMemory.putBytes(memory, model);
        ring = ring(18);
    }

    @AfterEach
    void free() {
        NativeMemory.free(data);
        NativeMemory.free(memory);
    }

    private SendRing ring(int inlineHeader) {
        return ring(new FrameLimits(inlineHeader, true, MOST_HEADER, MOST_TSO));
    }

    private SendRing ring(FrameLimits limits) {
        RegionTable regions = new RegionTable();
        regions.add(LKEY, pd, data, DATA, new Pin());
        SendRing made = new SendRing(new SendElements.Setup(
                memory,
                BLOCKS,
                record,
                new Doorbell(record + 64, 256, true, true, true),
                QPN,
                Transport.RAW,
                false,
                MOST,
                MOST_SGE,
                INLINE,
                -1,
                pd,
                regions,
                new WindowLog(new WindowBook(false), () -> QPN, false, MOST, () -> {})));
        made.frames(limits);
        made.setOpen(true);
        return made;
    }

    private ScatterGatherElement element(int at, int length) {
        return new ScatterGatherElement().lkey(LKEY).addr(data + at).length(length);
    }

    private SendWorkRequest send(int flags, ScatterGatherElement... list) {
        return new SendWorkRequest()
                .wrId(block)
                .opcode(WrOpcode.SEND)
                .sendFlags(flags)
                .sgList(list);
    }

    private SendWorkRequest segmented(int header, int flags, ScatterGatherElement... list) {
        return send(flags, list).opcode(WrOpcode.TSO).mss(1460).tsoHeader(element(1000, header));
    }

    // ---- the model

    private final class Element {
        private int at = block % BLOCKS * Wqe.BLOCK;
        private int length;

        void put(long value, int bytes) {
            for (int i = bytes - 1; i >= 0; i--) {
                model[(at + length++) % RING] = (byte) (value >>> 8 * i);
            }
        }

        void copy(long from, int bytes) {
            for (int i = 0; i < bytes; i++) {
                put(NativeMemory.getByte(from + i), 1);
            }
        }

        /** Skips to the next multiple of 16 bytes, leaving the skipped bytes unchanged. */
        void fill() {
            length = length + 15 & -16;
        }

        /** Writes a request to the model, as mlx5dv.h and the programmer's reference describe it. */
        void write(SendWorkRequest wr, int inlineHeader) {
            boolean tso = wr.opcode() == WrOpcode.TSO;
            int flags = wr.sendFlags();
            length = 16;
            put(0, 4);
            put((flags & SendFlags.IP_CSUM) != 0 ? 0xc0 : 0, 1);
            put(0, 1);
            put(tso ? wr.mss() : 0, 2);
            put(0, 4);
            int header = tso ? wr.tsoHeader().length() : inlineHeader;
            put(header, 2);
            int begin = length;
            put(0, 18); // the whole segment is cleared
            length = begin;
            int skip = 0;
            if (tso) {
                copy(wr.tsoHeader().addr(), header);
            } else {
                skip = header;
                for (int i = 0, left = header; left > 0; i++) {
                    int n = Math.min(left, wr.sgList()[i].length());
                    copy(wr.sgList()[i].addr(), n);
                    left -= n;
                }
            }
            if (header == 0) {
                length = begin + 2;
            }
            fill();
            body(wr, skip);
            int size = length / 16;
            length = 0;
            put((long) (block & 0xffff) << 8 | (tso ? 0x0e : 0x0a), 4);
            put((long) QPN << 8 | size, 4);
            int bits = ((flags & SendFlags.SIGNALED) != 0 ? 8 : 0)
                    | ((flags & SendFlags.SOLICITED) != 0 ? 2 : 0)
                    | ((flags & SendFlags.FENCE) != 0 ? 0x80 : 0);
            put(bits, 4);
            put(0, 4);
            block += size + 3 >> 2;
        }

        private void body(SendWorkRequest wr, int skipped) {
            boolean inline = (wr.sendFlags() & SendFlags.INLINE) != 0;
            int skip = skipped;
            int count = length;
            int total = 0;
            if (inline) {
                length += 4;
            }
            for (ScatterGatherElement e : wr.sgList()) {
                int gone = Math.min(skip, e.length());
                skip -= gone;
                int rest = e.length() - gone;
                if (inline) {
                    copy(e.addr() + gone, rest);
                    total += rest;
                } else if (rest != 0) {
                    put(rest, 4);
                    put(e.lkey(), 4);
                    put(e.addr() + gone, 8);
                }
            }
            if (inline) {
                int end = length;
                length = count;
                if (total != 0) {
                    put(0x80000000L | total, 4);
                    length = end;
                }
                fill();
            }
        }
    }

    /** Posts a request, compares the whole ring and the doorbell record with the model, and completes it. */
    private void same(SendWorkRequest wr, int inlineHeader, String what) {
        int first = block;
        assertThat(ring.post(wr, null)).as(what).isZero();
        new Element().write(wr, inlineHeader);
        byte[] found = new byte[RING];
        NativeMemory.getBytes(memory, found);
        assertThat(found).as(what).isEqualTo(model);
        assertThat(NativeMemory.getNetInt(record + Wqe.SEND_RECORD)).as(what).isEqualTo(block & 0xffff);
        assertThat(ring.block).as(what).isEqualTo(block);
        assertThat(ring.complete(first)).as(what).isEqualTo(first);
        assertThat(ring.isEmpty()).as(what).isTrue();
    }

    // ---- tests

    @ParameterizedTest
    @ValueSource(ints = {0, 18})
    void everyFlagAndListIsWrittenAsModelled(int inlineHeader) {
        ring = ring(inlineHeader);
        int[] flags = {
            0,
            SendFlags.SIGNALED,
            SendFlags.SOLICITED,
            SendFlags.FENCE,
            SendFlags.IP_CSUM,
            SendFlags.INLINE,
            SendFlags.IP_CSUM | SendFlags.INLINE | SendFlags.SIGNALED
        };
        int[][] lists = {
            {18}, {19}, {60}, {17, 1}, {1, 17, 0, 40}, {17, 2}, {18, 30}, {0, 20, 30}, {60, 0, 3}, {5, 5, 5, 60}
        };
        for (int round = 0; round < 3; round++) {
            for (int some : flags) {
                for (int[] lengths : lists) {
                    ScatterGatherElement[] list = new ScatterGatherElement[lengths.length];
                    for (int i = 0; i < list.length; i++) {
                        list[i] = element(100 * i + block, lengths[i]);
                    }
                    same(
                            send(some, list),
                            inlineHeader,
                            "flags " + some + " of " + lengths.length + " at " + block % BLOCKS);
                }
            }
        }
    }

    /**
     * From the shortest header to the longest, starting at each block of the ring, so that headers end before, at and
     * behind the end of the ring.
     */
    @Test
    void headersOfEveryLengthAreWrittenAsModelled() {
        for (int header = 14; header <= MOST_HEADER; header++) {
            for (int place = 0; place < BLOCKS; place++) {
                while (block % BLOCKS != place) {
                    same(send(0, element(0, 18)), 18, "to " + place);
                }
                String what = header + " bytes at " + place;
                same(segmented(header, SendFlags.SIGNALED, element(0, 2000), element(2000, header)), 18, what);
            }
        }
    }

    /** If the header ends with the ring, what follows it is at the ring's beginning; this includes inline data. */
    @ParameterizedTest
    @ValueSource(ints = {33, 34, 35, 49, 50, 51, 97, 98, 99, 130})
    void inlineDataWrapsBehindHeaderAtRingEnd(int header) {
        for (int place = BLOCKS - 4; place < BLOCKS; place++) {
            for (int length : new int[] {1, 12, 13, INLINE}) {
                while (block % BLOCKS != place) {
                    same(send(0, element(0, 18)), 18, "to " + place);
                }
                same(
                        segmented(header, SendFlags.INLINE, element(5, length)),
                        18,
                        header + " and " + length + " at " + place);
            }
        }
    }

    @Test
    void headerWithInlineDataTakesRoomOfTwoRequests() {
        SendWorkRequest wr = segmented(MOST_HEADER, SendFlags.INLINE, element(0, INLINE));
        int posted = 0;
        while (ring.post(wr, null) == 0) {
            posted++;
        }
        assertThat(posted).isEqualTo(MOST / 2);
        assertThat(ring.block).isLessThanOrEqualTo(BLOCKS);
        assertThat(ring.complete(0)).isEqualTo(wr.wrId());
        assertThat(ring.post(wr, null)).isZero();
    }

    /** A refused request leaves nothing behind. */
    @Test
    void invalidRequestsFailWithoutTrace() {
        refused(Errno.EINVAL, send(0));
        refused(Errno.EINVAL, send(0, element(0, 17)));
        refused(Errno.EINVAL, send(0, element(0, 9), element(9, 8)));
        refused(Errno.EINVAL, send(0, element(0, 9), null));
        refused(Errno.EINVAL, send(0, element(0, -1)));
        refused(Errno.EINVAL, send(0, element(DATA - 17, 18))); // the header is not in registered memory
        refused(Errno.EINVAL, send(SendFlags.INLINE, element(0, 18 + INLINE + 1)));
        refused(Errno.EINVAL, send(SendFlags.INLINE, element(0, 18 + 60), element(0, INLINE - 60 + 1)));
        refused(Errno.EINVAL, send(SendFlags.INLINE, element(DATA - 30, 31)));
        refused(Errno.EINVAL, send(0, element(0, 60), element(0, 1), element(0, 1), element(0, 1), element(0, 1)));
        refused(Errno.EOPNOTSUPP, send(1 << 9, element(0, 60)));
        refused(Errno.EOPNOTSUPP, send(0, element(0, 60)).opcode(WrOpcode.SEND_WITH_IMM));
        refused(Errno.EOPNOTSUPP, send(0, element(0, 60)).opcode(WrOpcode.RDMA_WRITE));
        refused(Errno.EINVAL, segmented(13, 0, element(0, 60)));
        refused(Errno.EINVAL, segmented(MOST_HEADER + 1, 0, element(0, 60)));
        refused(Errno.EINVAL, segmented(54, 0, element(0, 60)).mss(0));
        refused(Errno.EINVAL, segmented(54, 0, element(0, 60)).mss(0x10000));
        refused(Errno.EINVAL, segmented(54, 0, element(0, 60)).tsoHeader(null));
        refused(Errno.EINVAL, segmented(54, 0, element(0, 60)).tsoHeader(element(DATA - 53, 54)));
        refused(Errno.EINVAL, segmented(54, 0, element(0, 4000), element(0, 1001)));
        refused(Errno.EINVAL, segmented(MOST_HEADER, SendFlags.INLINE, element(0, INLINE + 1)));
        refused(Errno.EINVAL, segmented(54, SendFlags.INLINE, element(0, INLINE), element(0, 1)));
        refused(Errno.EINVAL, segmented(54, SendFlags.INLINE, element(0, 1), null));
        refused(Errno.EINVAL, segmented(54, SendFlags.INLINE, element(0, 1), element(0, -1)));
        same(segmented(54, 0, element(0, 4000), element(0, 1000)), 18, "as long as can be");
        ring = ring(new FrameLimits(0, false, 0, 0));
        block = 0;
        refused(Errno.EINVAL, send(SendFlags.IP_CSUM, element(0, 60)));
        refused(Errno.EOPNOTSUPP, segmented(54, 0, element(0, 60)));
        same(send(0, element(0, 1)), 0, "any length, where the device wants nothing");
    }

    private void refused(int error, SendWorkRequest wr) {
        int head = ring.head;
        int before = NativeMemory.getInt(record + Wqe.SEND_RECORD);
        SendWorkRequest[] bad = new SendWorkRequest[1];
        assertThat(ring.post(wr, bad)).isEqualTo(error);
        assertThat(bad[0]).isSameAs(wr);
        assertThat(ring.head).isEqualTo(head);
        assertThat(ring.block).isEqualTo(block);
        assertThat(NativeMemory.getInt(record + Wqe.SEND_RECORD)).isEqualTo(before);
        NativeMemory.getBytes(memory, model); // bytes written outside of any element do not matter
    }

    @Test
    void postingAllocatesNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        SendWorkRequest[] some = {
            send(SendFlags.IP_CSUM, element(0, 60), element(60, 100)),
            send(SendFlags.INLINE, element(0, 60)),
            segmented(66, SendFlags.IP_CSUM, element(0, 2000)),
            segmented(66, SendFlags.INLINE, element(0, 80))
        };
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 1000; i++) {
                int first = ring.block;
                if (ring.post(some[i & 3], null) != 0) {
                    throw new IllegalStateException("at " + i);
                }
                ring.complete(first);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertThat(least).as("bytes in 1000 requests").isLessThan(500); // the measurement itself allocates
    }
}

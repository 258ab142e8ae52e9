/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Errno;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.VerbsException;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.natives.lock.RingLock;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.CqeLayout;
import io.verbs4j.provider.mlx5.layout.ErrCqeLayout;
import io.verbs4j.rdmacore.memory.RegionTable;
import io.verbs4j.rdmacore.object.SendMarkers;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Completions of frames in plain memory, mixed with those of an ordinary queue pair. A frame's flow tag is in the field
 * where others have their queue pair number, and the two may be equal.
 */
class FrameCompletionsTest {
    private static final int PLACES = 32;
    private static final int RECEIVES = 8;
    private static final int SEND = 2; // a send was received
    private static final int NUMBER = 0x107;
    private static final int INDEX = 5;
    private static final int OTHER_INDEX = 6;
    private static final int ORDINARY_INDEX = 9;
    private static final int L3_GOOD = 2;
    private static final int L4_GOOD = 4;
    private static final int IPV4 = 2 << 2;
    private static final int IPV6 = 1 << 2;

    private final long memory = NativeMemory.allocate(PLACES * Cqe.SIZE + 4096);
    private final long rest = memory + PLACES * Cqe.SIZE;
    private final Rings rings = new Rings();
    private final CqRing cq = new CqRing(
            memory,
            PLACES,
            Cqe.SIZE,
            rest,
            rest + 64,
            3,
            rings,
            new RegionTable(),
            new SendMarkers(),
            new RingLock(false));
    private final ReceiveRing ordinary = receives(0);
    private final ReceiveRing first = receives(1);
    private final ReceiveRing second = receives(2);
    private final FrameQueue queue = new FrameQueue(INDEX, first, true);
    private final FrameQueue other = new FrameQueue(OTHER_INDEX, second, false);
    private final WorkCompletion[] wc = {new WorkCompletion()};
    private Rings.Entry pair;
    private int written;

    private ReceiveRing receives(int i) {
        return new ReceiveRing(rest + 1024 + i * 512L, RECEIVES, 32, rest + 128 + i * 64L, RECEIVES, 2);
    }

    @BeforeEach
    void begin() {
        for (int i = 0; i < PLACES; i++) {
            NativeMemory.putByte(memory + (long) i * Cqe.SIZE + CqeLayout.OP_OWN, Cqe.INVALID << 4);
        }
        pair = rings.add(new Rings.Entry(NUMBER, this, null, ordinary, null, null, cq, cq));
        post(ordinary, 0);
        post(first, 100);
        post(second, 200);
        cq.frameReceives().attach(queue);
        cq.frameReceives().attach(other);
    }

    private static void post(ReceiveRing ring, int id) {
        for (int i = 0; i < RECEIVES; i++) {
            assertThat(ring.post(
                            new RecvWorkRequest().wrId(id + i).sgList(new ScatterGatherElement().length(64)), null))
                    .isZero();
        }
    }

    @AfterEach
    void free() {
        NativeMemory.free(memory);
    }

    /** Writes a receive completion as a device does. */
    private long complete(int kind, int index, int word, int counter) {
        long cqe = memory + (long) (written & PLACES - 1) * Cqe.SIZE;
        for (int i = 0; i < Cqe.SIZE - 1; i++) {
            NativeMemory.putByte(cqe + i, i * 37 + written);
        }
        NativeMemory.putNetInt(cqe + CqeLayout.SRQN_UIDX, 0xab000000 | index);
        NativeMemory.putNetInt(cqe + CqeLayout.SOP_DROP_QPN, 0xcd000000 | word);
        NativeMemory.putNetShort(cqe + CqeLayout.WQE_COUNTER, counter);
        NativeMemory.putNetInt(cqe + CqeLayout.BYTE_CNT, 60 + counter);
        NativeMemory.putNetInt(cqe + CqeLayout.FLAGS_RQPN, 0);
        NativeMemory.putByte(cqe + CqeLayout.HDS_IP_EXT, 0);
        NativeMemory.putByte(cqe + CqeLayout.OP_OWN, kind << 4 | ((written & PLACES) != 0 ? Cqe.OWNER_BIT : 0));
        written++;
        return cqe;
    }

    private WorkCompletion poll() {
        assertThat(cq.poll(1, wc)).isEqualTo(1);
        return wc[0];
    }

    private TimedReader reader(long flags) {
        return new TimedReader(cq, WcExFlags.STANDARD | flags, null, () -> false);
    }

    @Test
    void completionFindsQueueWhateverTheFlowTag() {
        complete(SEND, INDEX, NUMBER, 0);
        complete(SEND, ORDINARY_INDEX, NUMBER, 0);
        complete(SEND, OTHER_INDEX, 0x777, 0);
        complete(SEND, INDEX, 0, 1);
        assertThat(poll().wrId()).isEqualTo(100);
        assertThat(wc[0].status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc[0].opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(wc[0].byteLen()).isEqualTo(60);
        assertThat(wc[0].qpNum()).isEqualTo(NUMBER);
        assertThat(poll().wrId()).isZero();
        assertThat(poll().wrId()).isEqualTo(200);
        assertThat(poll().wrId()).isEqualTo(101);
        assertThat(cq.poll(1, wc)).isZero();
    }

    @Test
    void failedCompletionFindsItsQueue() {
        long cqe = complete(Cqe.RESPONDER_ERROR, OTHER_INDEX, NUMBER, 0);
        NativeMemory.putByte(cqe + ErrCqeLayout.SYNDROME, 0x05);
        assertThat(poll().wrId()).isEqualTo(200);
        assertThat(wc[0].status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }

    /** A checksum is reported as correct only if both are correct and the packet is IPv4; work queues report none. */
    @Test
    void checksumsAreReported() {
        int[][] cases = {
            {INDEX, L3_GOOD | L4_GOOD, IPV4, WcFlags.IP_CSUM_OK},
            {INDEX, L3_GOOD | L4_GOOD | 1, IPV4 | 0x71, WcFlags.IP_CSUM_OK},
            {INDEX, L3_GOOD, IPV4, 0},
            {INDEX, L4_GOOD, IPV4, 0},
            {INDEX, L3_GOOD | L4_GOOD, IPV6, 0},
            {OTHER_INDEX, L3_GOOD | L4_GOOD, IPV4, 0},
            {INDEX, L3_GOOD | L4_GOOD, IPV4, WcFlags.IP_CSUM_OK},
            {ORDINARY_INDEX, L3_GOOD | L4_GOOD, IPV4, 0},
        };
        TimedReader reader = reader(0);
        for (int way = 0; way < 2; way++) {
            for (int[] one : cases) {
                long cqe = complete(SEND, one[0], NUMBER, 0);
                NativeMemory.putByte(cqe + CqeLayout.HDS_IP_EXT, one[1]);
                NativeMemory.putByte(cqe + CqeLayout.L4_HDR_TYPE_ETC, one[2]);
                if (way == 0) {
                    assertThat(poll().wcFlags()).isEqualTo(one[3]);
                } else {
                    assertThat(reader.startPoll(null)).isZero();
                    assertThat(reader.wcFlags()).isEqualTo(one[3]);
                    reader.endPoll();
                }
            }
        }
    }

    @Test
    void flowTagsAreReadByReaderAndPoll() {
        TimedReader reader = reader(WcExFlags.CVLAN | WcExFlags.FLOW_TAG);
        NativeMemory.putNetShort(complete(SEND, INDEX, 0x345678, 0) + CqeLayout.VLAN_INFO, 0xa123);
        NativeMemory.putNetShort(complete(SEND, INDEX, 0x22, 1) + CqeLayout.VLAN_INFO, 0xfff);
        complete(Cqe.RESPONDER_ERROR, INDEX, 0x23, 2);
        assertThat(reader.startPoll(null)).isZero();
        assertThat(reader.cvlan()).isEqualTo(0xa123);
        assertThat(reader.flowTag()).isEqualTo(0x345678);
        assertThat(reader.nextPoll()).isZero();
        assertThat(reader.flowTag()).isEqualTo(0x22);
        assertThat(reader.nextPoll()).isZero();
        assertThat(reader.cvlan()).as("a failed completion").isZero();
        assertThat(reader.flowTag()).as("a failed completion").isZero();
        reader.endPoll();
        NativeMemory.putNetShort(complete(SEND, OTHER_INDEX, 0x44, 0) + CqeLayout.VLAN_INFO, 0x456);
        assertThat(reader.poll(1, wc, WorkCompletion.SIZE)).isEqualTo(1);
        assertThat(wc[0].cvlan()).isEqualTo(0x456);
        assertThat(wc[0].flowTag()).isEqualTo(0x44);
    }

    /** Destroys the ordinary queue pair, whose number is the flow tag of the frames that stay. */
    @Test
    void destroyingQueuePairKeepsFramesOfOthers() {
        complete(SEND, ORDINARY_INDEX, NUMBER, 0);
        complete(SEND, INDEX, NUMBER, 0);
        complete(SEND, ORDINARY_INDEX, NUMBER, 1);
        rings.destroy(pair, () -> {});
        assertThat(poll().wrId()).isEqualTo(100);
        assertThat(cq.poll(1, wc)).isZero();
    }

    @Test
    void cleaningQueueDropsItsFrames() {
        complete(SEND, INDEX, NUMBER, 0);
        complete(SEND, OTHER_INDEX, NUMBER, 0);
        complete(SEND, ORDINARY_INDEX, NUMBER, 0);
        cq.frameReceives().clean(queue);
        assertThat(poll().wrId()).isEqualTo(200);
        assertThat(poll().wrId()).isZero();
        complete(SEND, INDEX, NUMBER, 1);
        assertThat(poll().wrId()).isEqualTo(101);
        assertThat(cq.poll(1, wc)).isZero();
    }

    @Test
    void detachingQueueDropsItsFrames() {
        VerbsException refusal = new VerbsException(Errno.EBUSY, "destroy_wq", "it is in a table");
        complete(SEND, INDEX, NUMBER, 0);
        assertThatThrownBy(() -> cq.frameReceives().detach(queue, () -> {
                    throw refusal;
                }))
                .isSameAs(refusal);
        assertThat(poll().wrId()).isEqualTo(100);
        complete(SEND, INDEX, NUMBER, 1);
        complete(SEND, OTHER_INDEX, NUMBER, 0);
        cq.frameReceives().detach(queue, () -> {});
        assertThat(poll().wrId()).isEqualTo(200);
        assertThat(cq.poll(1, wc)).isZero();
    }

    /** Its sends are found by its number, its receives by their index. */
    @Test
    void destroyingRawPacketQueuePairDropsItsReceives() {
        Rings.Entry raw = rings.add(new Rings.Entry(0x200, "raw", null, first, null, queue, cq, cq));
        complete(SEND, INDEX, NUMBER, 0);
        complete(SEND, ORDINARY_INDEX, NUMBER, 0);
        rings.destroy(raw, () -> {});
        assertThat(poll().wrId()).isZero();
        assertThat(cq.poll(1, wc)).isZero();
        assertThat(cq.frameReceives().find(INDEX)).isNull();
    }

    /** Receives posted while they are held back are announced together when they are released. */
    @Test
    void heldReceivesAreAnnouncedOnRelease() {
        ReceiveRing ring = receives(3);
        long record = rest + 128 + 3 * 64L;
        NativeMemory.putInt(record, 0);
        ring.hold(true);
        RecvWorkRequest wr = new RecvWorkRequest().sgList(new ScatterGatherElement().length(64));
        assertThat(ring.post(wr, null)).isZero();
        assertThat(ring.post(wr, null)).isZero();
        assertThat(NativeMemory.getNetInt(record)).isZero();
        ring.hold(false);
        assertThat(NativeMemory.getNetInt(record)).isEqualTo(2);
        assertThat(ring.post(wr, null)).isZero();
        assertThat(NativeMemory.getNetInt(record)).isEqualTo(3);
    }

    /** A list of the maximum length is terminated if the element has room for more. */
    @Test
    void longestListIsTerminatedIfElementHasRoom() {
        long at = rest + 3072;
        ReceiveRing ring = new ReceiveRing(at, 1, 64, rest, 1, 3, 4);
        ScatterGatherElement one = new ScatterGatherElement().addr(1).length(2).lkey(3);
        NativeMemory.putLong(at + 48, -1);
        assertThat(ring.post(new RecvWorkRequest().sgList(one, one, one, one), null))
                .isEqualTo(Errno.EINVAL);
        assertThat(ring.post(new RecvWorkRequest().sgList(one, one, one), null)).isZero();
        assertThat(NativeMemory.getNetLong(at + 32)).isEqualTo(0x2_0000_0003L);
        assertThat(NativeMemory.getNetLong(at + 48)).isEqualTo(Wqe.INVALID_LKEY);
    }

    @Test
    void postingAndPollingAllocatesNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        RecvWorkRequest wr = new RecvWorkRequest().sgList(new ScatterGatherElement().length(64));
        TimedReader reader = reader(WcExFlags.CVLAN | WcExFlags.FLOW_TAG);
        for (int i = 0; i < RECEIVES; i++) {
            complete(SEND, INDEX, i, i);
            poll();
        }
        long least = Long.MAX_VALUE;
        int counter = RECEIVES;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 500; i++) {
                int failed = first.post(wr, null);
                complete(SEND, INDEX, 0x99, counter++);
                failed |= reader.poll(1, wc, WorkCompletion.SIZE) - 1;
                failed |= first.post(wr, null);
                complete(SEND, INDEX, 0x99, counter++);
                failed |= reader.startPoll(null) | reader.flowTag() - 0x99;
                reader.endPoll();
                if (failed != 0) {
                    throw new IllegalStateException("at " + i);
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertThat(least).as("bytes in 1000 frames").isLessThan(500); // the measurement itself allocates
    }
}

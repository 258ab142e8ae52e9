/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.ReregFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.testsupport.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The answer to a read lies in a ring, not yet copied, when its memory is reclaimed and overwritten. */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class HeldAnswerTest {
    private static final int BYTES = 48 << 10;

    /** Memory of this size goes back to the system when freed. */
    private static final int MAPPED = 40 << 20;

    /** Reads whose packets are more than a window of any size. */
    private static final int MANY = 64;

    /** Offset in a ring of what its receiver can do. */
    private static final int ABILITIES = 80;

    private static final byte BEFORE = 1;
    private static final byte LATER = 3;

    private final LinkOptions options = TestContext.oneCopy();
    private final Subject a = new Subject(TestContext.open(options), QpType.RC, BYTES);
    private final Subject b = new Subject(TestContext.open(options), QpType.RC, BYTES);
    private long memory = Native.malloc(MAPPED);
    private MemoryRegion mr;

    /** Ways to reclaim memory, and the outcome of the read. */
    private enum TakenBack {
        ERR(WcStatus.RETRY_EXC_ERR) {
            @Override
            void by(HeldAnswerTest test) {
                test.b.qp.modify(new QpAttr().qpState(QpState.ERR));
            }
        },
        RESET(WcStatus.RETRY_EXC_ERR) {
            @Override
            void by(HeldAnswerTest test) {
                test.b.qp.modify(new QpAttr().qpState(QpState.RESET));
            }
        },
        DESTROYED(WcStatus.RETRY_EXC_ERR) {
            @Override
            void by(HeldAnswerTest test) {
                test.b.qp.close();
            }
        },
        DEREGISTERED(WcStatus.REM_ACCESS_ERR) {
            @Override
            void by(HeldAnswerTest test) {
                test.mr.close();
            }
        },
        REREGISTERED(WcStatus.REM_ACCESS_ERR) {
            @Override
            void by(HeldAnswerTest test) {
                test.mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, test.b.address(0), 4096, 0);
            }
        },
        UNMAPPED(WcStatus.REM_ACCESS_ERR) {
            @Override
            void by(HeldAnswerTest test) {
                test.mr.close();
                Native.free(test.memory);
                test.memory = 0;
            }
        };

        final int status;

        TakenBack(int status) {
            this.status = status;
        }

        abstract void by(HeldAnswerTest test);
    }

    @BeforeEach
    void connect() {
        for (Subject each : new Subject[] {a, b}) {
            each.timeout = 12;
            each.retryCnt = 3;
            each.maxRdAtomic = MANY;
            each.maxDestRdAtomic = MANY;
        }
        a.connect(b.gid(), b.qp.qpNum(), 0xffff00, 77);
        b.connect(a.gid(), a.qp.qpNum(), 77, 0xffff00);
        mr = b.pd.regMr(memory, BYTES, Subject.ALL);
        fill(BEFORE);
        a.awaitRing(b.gid());
        b.awaitRing(a.gid());
        a.post(read()); // in packets, which show the path MTU
        a.next(1, WcStatus.SUCCESS);
        has(BEFORE);
    }

    @AfterEach
    void end() {
        a.close();
        mr.close();
        b.close();
        if (memory != 0) {
            Native.free(memory);
        }
    }

    private void fill(byte value) {
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            NativeMemory.putLong(memory + i, value * 0x0101_0101_0101_0101L);
        }
    }

    private SendWorkRequest read() {
        return a.wr(WrOpcode.RDMA_READ, 1, 0, BYTES).remoteAddr(memory).rkey(mr.rkey());
    }

    private void has(byte value) {
        for (int i = 0; i < BYTES; i++) {
            assertThat(a.buffer.get(i)).as("byte %d", i).isEqualTo(value);
        }
    }

    private long sent(String counter) {
        return sent(b, counter);
    }

    private static long sent(Subject by, String counter) {
        return by.context.port().counters().get(counter);
    }

    /** Posts a read, and waits until its answer is in the ring. */
    private void post() {
        long before = sent("tx_onecopy_bytes");
        a.post(read());
        long end = System.nanoTime() + Patience.NANOS;
        while (sent("tx_onecopy_bytes") - before < BYTES) {
            assertThat(System.nanoTime()).as("time until the answer").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void answerIsOneRecord() {
        long before = sent("tx_onecopy_records");
        fill(LATER);
        a.post(read());
        a.next(1, WcStatus.SUCCESS);
        has(LATER);
        assertThat(sent("tx_onecopy_records") - before).isLessThan(4);
    }

    private void receiverIsOfEarlierRelease() {
        NativeMemory.putLong(NativeMemory.address(b.awaitRing(a.gid()).buffer()) + ABILITIES, 0);
    }

    /** Release 1.2 takes such a span for a broken ring. */
    @Test
    void receiverOfEarlierReleaseIsAnsweredInPackets() {
        receiverIsOfEarlierRelease();
        long before = sent("tx_onecopy_records");
        fill(LATER);
        a.post(read());
        a.next(1, WcStatus.SUCCESS);
        has(LATER);
        assertThat(sent("tx_onecopy_records") - before).isGreaterThanOrEqualTo(BYTES / 4096);
    }

    /** Lent answers can't overflow a receive buffer. */
    @Test
    void requestsAreNotHeldBackByWindow() {
        a.post(read());
        a.next(1, WcStatus.SUCCESS);
        assertThat(requests()).isGreaterThanOrEqualTo(MANY);
    }

    @Test
    void requestsToEarlierReleaseAreHeldBackByWindow() {
        receiverIsOfEarlierRelease();
        a.post(read());
        a.next(1, WcStatus.SUCCESS);
        assertThat(requests()).isLessThan(MANY / 2);
    }

    /** Returns how many of many reads are requested before one of them is answered. */
    private long requests() {
        long requests;
        synchronized (((RxeQueuePair) b.qp).qp.recvLock) { // answers nothing meanwhile
            requests = -sent(a, "tx_onecopy_records");
            for (int i = 0; i < MANY; i++) {
                a.post(read());
            }
            requests += sent(a, "tx_onecopy_records");
        }
        for (int i = 0; i < MANY; i++) {
            a.next(1, WcStatus.SUCCESS);
        }
        has(BEFORE);
        return requests;
    }

    @ParameterizedTest
    @EnumSource
    void reclaimedMemoryIsNotRead(TakenBack how) {
        synchronized (((RxeQueuePair) a.qp).qp.sendLock) { // the answer waits for this lock
            post();
            how.by(this);
            if (memory != 0) {
                fill(LATER);
            }
        }
        a.next(1, how.status);
        has(BEFORE);
        assertThat(a.counters().get(TransportCounters.LOST_SPAN)).isPositive();
        assertThat(a.counters().get(TransportCounters.FAILURE)).isZero();
    }

    /** A region that ends takes all answers in the ring back; those of others are requested again. */
    @Test
    void othersAnswersComeInPackets() {
        MemoryRegion other = b.pd.regMr(b.buffer, Subject.ALL);
        synchronized (((RxeQueuePair) a.qp).qp.sendLock) {
            a.post(a.wr(WrOpcode.RDMA_READ, 2, 0, BYTES)
                    .remoteAddr(b.address(0))
                    .rkey(other.rkey()));
            post();
            mr.close();
        }
        a.next(2, WcStatus.SUCCESS);
        a.next(1, WcStatus.REM_ACCESS_ERR);
        has((byte) 0);
        other.close();
    }
}

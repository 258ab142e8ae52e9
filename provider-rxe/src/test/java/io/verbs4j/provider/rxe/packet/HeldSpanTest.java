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
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A span lies in a ring, not yet copied, when its memory is reclaimed and overwritten: the receiver gets none of it,
 * and the span of another queue pair in the same ring arrives as sent.
 */
@Tag("attack")
@Timeout(Patience.TEST_SECONDS)
class HeldSpanTest {
    private static final int BYTES = 1_500_000; // more than one span

    /** Memory of this size goes back to the system when freed. */
    private static final int MAPPED = 40 << 20;

    private static final byte SENT = 1;
    private static final byte OTHER = 2;
    private static final byte LATER = 3;

    private Subject a;
    private Subject b;
    private Subject otherA;
    private Subject otherB;
    private long memory;
    private MemoryRegion mr;

    /** Ways to reclaim memory, and the outcome of the request that lent it. */
    private enum TakenBack {
        ERR(WcStatus.WR_FLUSH_ERR) {
            @Override
            void by(HeldSpanTest test) {
                test.a.qp.modify(new QpAttr().qpState(QpState.ERR));
            }
        },
        RESET(NONE) {
            @Override
            void by(HeldSpanTest test) {
                test.a.qp.modify(new QpAttr().qpState(QpState.RESET));
            }
        },
        DESTROYED(NONE) {
            @Override
            void by(HeldSpanTest test) {
                test.a.qp.close();
            }
        },
        DEREGISTERED(WcStatus.LOC_PROT_ERR) {
            @Override
            void by(HeldSpanTest test) {
                test.mr.close();
            }
        },
        REREGISTERED(WcStatus.LOC_PROT_ERR) {
            @Override
            void by(HeldSpanTest test) {
                test.mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, test.a.address(0), 4096, 0);
            }
        },
        UNMAPPED(WcStatus.LOC_PROT_ERR) {
            @Override
            void by(HeldSpanTest test) {
                test.mr.close();
                Native.free(test.memory);
                test.memory = 0;
            }
        };

        final int status;

        TakenBack(int status) {
            this.status = status;
        }

        abstract void by(HeldSpanTest test);
    }

    private static final int NONE = -1;

    @BeforeEach
    void connect() {
        LinkOptions options = TestContext.oneCopy();
        a = new Subject(TestContext.open(options), QpType.RC, BYTES);
        b = new Subject(TestContext.open(options), QpType.RC, BYTES);
        otherA = new Subject(a.context.again(), QpType.RC, BYTES);
        otherB = new Subject(b.context.again(), QpType.RC, BYTES);
        connect(a, b);
        connect(otherA, otherB);
        memory = Native.malloc(MAPPED);
        mr = a.pd.regMr(memory, BYTES, Subject.ALL);
        fill(memory, SENT);
        fill(NativeMemory.address(otherA.buffer), OTHER);
        a.awaitRing(b.gid());
        showsMtu(a, b);
        showsMtu(otherA, otherB);
    }

    /** Sends a message of two packets, which shows the path MTU to the peer: spans are sent only afterwards. */
    private static void showsMtu(Subject from, Subject to) {
        from.post(from.wr(WrOpcode.RDMA_WRITE, 1, 0, 2000)
                .remoteAddr(to.address(0))
                .rkey(to.mr.rkey()));
        from.next(1, WcStatus.SUCCESS);
    }

    private static void connect(Subject one, Subject two) {
        one.connect(two.gid(), two.qp.qpNum(), 0xffff00, 77);
        two.connect(one.gid(), one.qp.qpNum(), 77, 0xffff00);
    }

    private static void fill(long address, byte value) {
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            NativeMemory.putLong(address + i, value * 0x0101_0101_0101_0101L);
        }
    }

    @AfterEach
    void end() {
        for (Subject each : new Subject[] {otherA, otherB, b}) {
            if (each != null) {
                each.close();
            }
        }
        if (a != null) {
            mr.close();
            a.close();
        }
        if (memory != 0) {
            Native.free(memory);
        }
    }

    private SendWorkRequest request(Subject from, Subject to, int opcode, long address, int lkey) {
        SendWorkRequest wr =
                from.wr(opcode, 1, 0, BYTES).remoteAddr(to.address(0)).rkey(to.mr.rkey());
        wr.sgList()[0].addr(address).lkey(lkey);
        return wr;
    }

    private long sent() {
        return a.context.port().counters().get("tx_onecopy_bytes");
    }

    /** Posts both messages and reclaims the memory of the first while the receiver processes its first span. */
    private void send(int opcode, TakenBack how) {
        long before = sent();
        synchronized (((RxeQueuePair) b.qp).qp.recvLock) { // the receiver waits for this lock
            a.post(request(a, b, opcode, memory, mr.lkey()));
            otherA.post(request(otherA, otherB, opcode, otherA.address(0), otherA.mr.lkey()));
            assertThat(sent() - before).isGreaterThanOrEqualTo(2 * BYTES);
            how.by(this);
            if (memory != 0) {
                fill(memory, LATER);
            }
        }
    }

    private static void has(ByteBuffer buffer, byte value) {
        for (int i = 0; i < BYTES; i++) {
            if (buffer.get(i) != value) {
                throw new AssertionError("byte " + i + " is " + buffer.get(i) + ", not " + value);
            }
        }
    }

    private void othersMessageComes() {
        otherA.next(1, WcStatus.SUCCESS);
        has(otherB.buffer, OTHER);
    }

    private void nothingHasComeOf(TakenBack how) {
        if (how.status != NONE) {
            a.next(1, how.status);
        }
        a.nothingCompletes();
        b.nothingCompletes();
        has(b.buffer, (byte) 0);
        assertThat(b.counters().get(TransportCounters.LOST_SPAN)).isPositive();
        assertThat(b.counters().get(TransportCounters.FAILURE)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void reclaimedSendIsNotReceived(TakenBack how) {
        b.recv(1, 0, BYTES);
        otherB.recv(1, 0, BYTES);
        send(WrOpcode.SEND, how);
        othersMessageComes();
        otherB.next(1, WcStatus.SUCCESS);
        nothingHasComeOf(how);
    }

    @ParameterizedTest
    @EnumSource
    void reclaimedWriteIsNotWritten(TakenBack how) {
        send(WrOpcode.RDMA_WRITE, how);
        othersMessageComes();
        nothingHasComeOf(how);
    }
}

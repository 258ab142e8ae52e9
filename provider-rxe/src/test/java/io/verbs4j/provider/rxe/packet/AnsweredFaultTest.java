/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.memory.RxeMemoryRegionKey;
import io.verbs4j.testsupport.Full;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Atomic writes, flushes, masked atomics and fast-register keys over a network that loses, duplicates, delays and
 * reorders packets.
 */
@Full
class AnsweredFaultTest {
    private static final int ROUNDS = 200;
    private static final int RIGHTS = Subject.ALL | AccessFlags.FLUSH_GLOBAL;

    private static SendWorkRequest to(SendWorkRequest wr, long wrId, MemoryRegion mr, int offset) {
        return wr.wrId(wrId)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(mr.addr() + offset)
                .rkey(mr.rkey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"drop=0.1", "duplicate=0.2", "drop=0.05,duplicate=0.05,delay=0.05,reorder=0.05"})
    void eachOperationIsExecutedOnce(String faults) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
        try (Subject a = new Subject(QpType.RC, faults + ",delay-ms=1,seed=3", 1 << 16);
                Subject b = new Subject(QpType.RC, faults + ",delay-ms=1,seed=4", 1 << 16);
                MemoryRegion mr = b.pd.regMr(memory, RIGHTS)) {
            for (Subject s : new Subject[] {a, b}) {
                s.expectLoss();
                s.access |= AccessFlags.FLUSH_GLOBAL;
            }
            a.connect(b.gid(), b.qp.qpNum(), 0xffff00, 77);
            b.connect(a.gid(), a.qp.qpNum(), 77, 0xffff00);
            RxeMemoryRegionKey key = new RxeMemoryRegionKey(b.context.port().keys(), b.pd, 4);
            long sum = 0;
            for (int i = 0; i < ROUNDS; i++) {
                SendWorkRequest set = to(new SendWorkRequest().opcode(WrOpcode.ATOMIC_WRITE), 1, mr, 8)
                        .atomicWriteValue(i);
                SendWorkRequest add = to(a.wr(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 0, 0, 8), 2, mr, 8)
                        .compareAdd(1000);
                SendWorkRequest count = to(a.wr(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 0, 8, 4), 3, mr, 20)
                        .atomicWidth(4)
                        .compareAdd(i);
                SendWorkRequest write = to(a.wr(WrOpcode.RDMA_WRITE, 0, 100, 2000), 4, mr, 64);
                SendWorkRequest flush = to(new SendWorkRequest().opcode(WrOpcode.FLUSH), 5, mr, 0)
                        .flushType(FlushType.GLOBAL)
                        .flushLength(4096);
                a.buffer.put(2099, (byte) i);
                a.post(set.next(add.next(count.next(write.next(flush)))));
                for (int id = 1; id <= 5; id++) {
                    a.next(id, WcStatus.SUCCESS);
                }
                assertThat(memory.get(64 + 1999)).isEqualTo((byte) i);
                assertThat(memory.getLong(8)).isEqualTo(i + 1000);
                assertThat(a.buffer.getLong(0)).isEqualTo(i);
                assertThat(a.buffer.getInt(8)).isEqualTo((int) sum);
                sum += i;
                assertThat(memory.getInt(20)).isEqualTo((int) sum);
                readAndTakeBack(a, b, key, i);
            }
            key.key.destroy();
        }
    }

    /** Reads into unordered pieces, with another key each time. */
    private static void readAndTakeBack(Subject a, Subject b, RxeMemoryRegionKey key, int round) {
        int number = MemoryWindow.incRkey(key.lkey());
        SendWorkRequest give = new SendWorkRequest()
                .opcode(WrOpcode.REG_MR)
                .sgList(ScatterGatherElement.of(b.mr, 9001, 1501), ScatterGatherElement.of(b.mr, 7, 2000))
                .fastRegister(new FastRegister().mr(key).key(number).addr(1).access(AccessFlags.LOCAL_WRITE));
        SendWorkRequest read = new SendWorkRequest()
                .opcode(WrOpcode.RDMA_READ_WITH_INV)
                .wrId(7)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(a.address(5000))
                .rkey(a.mr.rkey())
                .sgList(new ScatterGatherElement().addr(1).length(3501).lkey(number));
        byte[] sent = ScriptedPeer.bytes(3501, round);
        a.put(5000, sent);
        b.post(give.next(read));
        WorkCompletion wc = b.next(7, WcStatus.SUCCESS);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
        assertThat(wc.invalidatedRkey()).isEqualTo(number);
        assertThat(key.length()).isZero();
        byte[] found = new byte[3501];
        System.arraycopy(b.get(9001, 1501), 0, found, 0, 1501);
        System.arraycopy(b.get(7, 2000), 0, found, 1501, 2000);
        assertThat(found).isEqualTo(sent);
    }
}

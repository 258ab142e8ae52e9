/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomic writes, flushes, masked atomics and no-ops, posted by {@code a} to memory of {@code b}. */
@WithOneCopy
class AnsweredOperationsPathsTest extends EachPath {
    private static final int MEMORY = 1 << 16;
    private static final int RIGHTS = Side.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(MEMORY).alignedSlice(Long.BYTES).order(ByteOrder.nativeOrder());
    private MemoryRegion region;

    private void startWithMemory() {
        startWithMemory(RIGHTS);
    }

    private void startWithMemory(int access) {
        start(side -> side.access |= AccessFlags.FLUSH_GLOBAL);
        region = b.opened(b.pd.regMr(memory, access));
    }

    private SendWorkRequest there(SendWorkRequest wr, int offset) {
        return wr.remoteAddr(region.addr() + offset).rkey(region.rkey());
    }

    private SendWorkRequest write(long wrId, int offset, long value) {
        return there(Side.wr(WrOpcode.ATOMIC_WRITE, wrId), offset).atomicWriteValue(value);
    }

    private SendWorkRequest flush(long wrId, int type, int level, int offset, long length) {
        return there(Side.wr(WrOpcode.FLUSH, wrId), offset)
                .flushType(type)
                .flushLevel(level)
                .flushLength(length);
    }

    private SendWorkRequest masked(int opcode, long wrId, int width, int offset) {
        return there(Side.wr(opcode, wrId, a.sge(0, width)), offset).atomicWidth(width);
    }

    private void done(SendWorkRequest wr, int opcode) {
        a.post(wr);
        assertThat(a.next(wr.wrId(), WcStatus.SUCCESS).opcode()).isEqualTo(opcode);
    }

    private void isRefused(SendWorkRequest wr, int status) {
        a.post(wr);
        a.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
        int event = b.context.getAsyncEvent(20, TimeUnit.SECONDS).eventType();
        while (event == EventType.COMM_EST) {
            event = b.context.getAsyncEvent(20, TimeUnit.SECONDS).eventType();
        }
        assertThat(event).isEqualTo(status == WcStatus.REM_ACCESS_ERR ? EventType.QP_ACCESS_ERR : EventType.QP_REQ_ERR);
    }

    private void isInvalid(SendWorkRequest wr, int errno, String why) {
        assertThat(a.qp.postSend(wr)).as(why).isEqualTo(errno);
        assertThat(a.qp.explain(wr)).contains(why);
    }

    // ---- atomic write

    @Test
    void atomicWriteStoresEightBytes() {
        startWithMemory();
        for (int i = 0; i < 100; i++) {
            long value = 0x0102_0304_0506_0708L * (i + 1);
            WorkCompletion wc = wc(write(i, i * 8, value));
            assertThat(wc.opcode()).isEqualTo(WcOpcode.ATOMIC_WRITE);
            assertThat(memory.getLong(i * 8)).isEqualTo(value);
        }
        assertThat(memory.getLong(100 * 8)).isZero();
    }

    /** Each operation touches a page for the first time. */
    @Test
    void operationsFaultPagesInOnDemand() {
        startWithMemory(RIGHTS | AccessFlags.ON_DEMAND);
        long faults = b.faults();
        done(write(1, 8192, 77), WcOpcode.ATOMIC_WRITE);
        assertThat(memory.getLong(8192)).isEqualTo(77);
        assertThat(b.faults() - faults).isEqualTo(1);
        done(flush(2, FlushType.GLOBAL, FlushLevel.RANGE, 8192, 8), WcOpcode.FLUSH);
        done(masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 3, 8, 16384).compareAdd(5), WcOpcode.MASKED_FETCH_ADD);
        assertThat(memory.getLong(16384)).isEqualTo(5);
        assertThat(b.faults() - faults).isEqualTo(2);
    }

    private WorkCompletion wc(SendWorkRequest wr) {
        a.post(wr);
        return a.next(wr.wrId(), WcStatus.SUCCESS);
    }

    /** Many requests are in flight between writes, reads and atomics; each completes in order. */
    @Test
    void atomicWritesKeepOrderWithOtherOperations() {
        startWithMemory();
        a.fill(3);
        for (int round = 0; round < 50; round++) {
            SendWorkRequest list = null;
            for (int i = 9; i >= 0; i--) {
                SendWorkRequest read = there(Side.wr(WrOpcode.RDMA_READ, i * 4 + 3, a.sge(1000 + 8 * i, 8)), 0);
                SendWorkRequest add = there(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, i * 4 + 2, a.sge(2000, 8)), 0);
                SendWorkRequest write = there(Side.wr(WrOpcode.RDMA_WRITE, i * 4L, a.sge(0, 3000)), 8);
                read.next(list);
                add.compareAdd(1).next(read);
                list = write.next(write(i * 4L + 1, 0, 100L * i).next(add));
            }
            a.post(list);
            for (int i = 0; i < 40; i++) {
                a.next(i, WcStatus.SUCCESS);
            }
            for (int i = 0; i < 10; i++) {
                // A read may see the value of a later write, but never one older than its own.
                long seen = a.buffer.order(ByteOrder.nativeOrder()).getLong(1000 + 8 * i);
                assertThat(seen).isGreaterThanOrEqualTo(100 * i + 1);
            }
            assertThat(memory.getLong(0)).isEqualTo(901);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.LOCAL_WRITE, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_ATOMIC})
    void atomicWriteNeedsRemoteWriteOfRegion(int access) {
        startWithMemory(access);
        isRefused(write(1, 0, 5), WcStatus.REM_ACCESS_ERR);
        assertThat(memory.getLong(0)).isZero();
    }

    @Test
    void atomicWriteNeedsRemoteWriteOfQueuePair() {
        start(side -> side.access = Side.ALL_ACCESS & ~AccessFlags.REMOTE_WRITE);
        region = b.opened(b.pd.regMr(memory, RIGHTS));
        isRefused(write(1, 0, 5), WcStatus.REM_INV_REQ_ERR);
        assertThat(memory.getLong(0)).isZero();
    }

    @Test
    void atomicWriteBeyondRegionFails() {
        startWithMemory();
        isRefused(write(1, memory.capacity() & ~7, 5), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void malformedAtomicWritesAreRefused() {
        startWithMemory();
        isInvalid(write(1, 4, 5), Errno.EINVAL, "not a multiple of 8");
        isInvalid(write(1, 0, 5).sgList(a.sge(0, 8)), Errno.EINVAL, "leave sgList out");
        done(write(2, 0, 6).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE), WcOpcode.ATOMIC_WRITE);
        assertThat(memory.getLong(0)).isEqualTo(6);
    }

    /** Neither side has reserved any place for reads and atomics. */
    @Test
    void onlyFlushesWorkWithoutReadPlaces() {
        start(side -> {
            side.access |= AccessFlags.FLUSH_GLOBAL;
            side.rdAtomic = 0;
        });
        region = b.opened(b.pd.regMr(memory, RIGHTS));
        isInvalid(write(1, 0, 5), Errno.EINVAL, "maxRdAtomic is 0");
        isInvalid(masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 1, 8, 0), Errno.EINVAL, "maxRdAtomic is 0");
        done(flush(2, FlushType.GLOBAL, FlushLevel.RANGE, 0, 100), WcOpcode.FLUSH);
    }

    // ---- flush

    @Test
    void flushCompletesAfterDataIsVisible() {
        startWithMemory();
        a.fill(3);
        for (int i = 0; i < 200; i++) {
            SendWorkRequest write = there(Side.wr(WrOpcode.RDMA_WRITE, 1, a.sge(i, 5000)), 0);
            int level = i % 2 == 0 ? FlushLevel.RANGE : FlushLevel.MR;
            a.post(write.next(flush(2, FlushType.GLOBAL, level, 0, 5000)));
            a.next(1, WcStatus.SUCCESS);
            WorkCompletion wc = a.next(2, WcStatus.SUCCESS);
            assertThat(wc.opcode()).isEqualTo(WcOpcode.FLUSH);
            assertThat(wc.byteLen()).isZero();
            for (int at = 0; at < 5000; at++) {
                assertThat(memory.get(at)).isEqualTo(Side.pattern(3, i + at));
            }
        }
    }

    /** More flushes are in flight than the peer has places for reads. */
    @Test
    void flushesMayExceedReadPlaces() {
        start(side -> {
            side.access |= AccessFlags.FLUSH_GLOBAL;
            side.rdAtomic = 1;
            side.maxWr = 512;
            side.cqe = 1024;
        });
        region = b.opened(b.pd.regMr(memory, RIGHTS));
        SendWorkRequest list = null;
        for (int i = 499; i >= 0; i--) {
            SendWorkRequest wr = i % 10 == 5 ? write(i, 0, i) : flush(i, FlushType.GLOBAL, FlushLevel.RANGE, i, 1);
            list = wr.next(list);
        }
        a.post(list);
        for (int i = 0; i < 500; i++) {
            a.next(i, WcStatus.SUCCESS);
        }
        assertThat(memory.getLong(0)).isEqualTo(495);
    }

    @Test
    void flushRangeIsCheckedAtItsEdges() {
        startWithMemory();
        int size = memory.capacity();
        done(flush(1, FlushType.GLOBAL, FlushLevel.RANGE, 0, size), WcOpcode.FLUSH);
        done(flush(2, FlushType.GLOBAL, FlushLevel.RANGE, size, 0), WcOpcode.FLUSH);
        done(flush(3, FlushType.GLOBAL, FlushLevel.MR, -5, 0xffff_ffffL), WcOpcode.FLUSH);
        isRefused(flush(4, FlushType.GLOBAL, FlushLevel.RANGE, 1, size), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void flushNeedsRightOfRegion() {
        startWithMemory(Side.ALL_ACCESS);
        isRefused(flush(1, FlushType.GLOBAL, FlushLevel.MR, 0, 1), WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {FlushLevel.RANGE, FlushLevel.MR})
    void flushNeedsRightOfQueuePair(int level) {
        start();
        region = b.opened(b.pd.regMr(memory, RIGHTS));
        isRefused(flush(1, FlushType.GLOBAL, level, 0, 1), WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void persistentFlushNeedsPersistentMemory() {
        startWithMemory();
        isRefused(flush(1, FlushType.GLOBAL | FlushType.PERSISTENT, FlushLevel.RANGE, 0, 1), WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void windowGrantsNoFlush() {
        startWithMemory();
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        b.post(Side.wr(WrOpcode.BIND_MW, 1)
                .mw(mw)
                .mwRkey(mw.rkey())
                .mwBind(new MwBind()
                        .mr(region)
                        .addr(region.addr())
                        .length(64)
                        .mwAccessFlags(AccessFlags.REMOTE_WRITE)));
        b.next(1, WcStatus.SUCCESS);
        done(write(1, 0, 5).rkey(mw.rkey()), WcOpcode.ATOMIC_WRITE);
        isRefused(flush(2, FlushType.GLOBAL, FlushLevel.MR, 0, 1).rkey(mw.rkey()), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void malformedFlushesAreRefused() {
        startWithMemory();
        isInvalid(flush(1, 0, 0, 0, 1), Errno.EINVAL, "flushType is 0");
        isInvalid(flush(1, 4, 0, 0, 1), Errno.EOPNOTSUPP, "flushType is 0x4");
        isInvalid(flush(1, 1, 2, 0, 1), Errno.EOPNOTSUPP, "flushLevel is unknown (2)");
        isInvalid(flush(1, 1, -1, 0, 1), Errno.EOPNOTSUPP, "flushLevel is unknown (-1)");
        isInvalid(flush(1, 1, 0, 0, 1L << 32), Errno.EINVAL, "flushLength is 4294967296");
        isInvalid(flush(1, 1, 0, 0, -1), Errno.EINVAL, "flushLength is -1");
        isInvalid(flush(1, 1, 0, 0, 1).sgList(a.sge(0, 1)), Errno.EINVAL, "leave sgList out");
        isInvalid(flush(1, 1, 0, 0, 1).sendFlags(SendFlags.INLINE), Errno.EINVAL, "leave the flag out");
        done(flush(2, 1, 0, 0, 1), WcOpcode.FLUSH);
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.FLUSH_PERSISTENT, AccessFlags.FLUSH_PERSISTENT | AccessFlags.FLUSH_GLOBAL})
    void volatileMemoryCannotGrantPersistentFlush(int access) {
        start();
        assertThatThrownBy(() -> b.pd.regMr(memory, access))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("not a shared mapping of a file");
    }

    // ---- masked atomics

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void maskedAtomicsMatchReferenceBitByBit(int width) {
        startWithMemory();
        SplittableRandom random = new SplittableRandom(width);
        ByteBuffer result = a.buffer.order(ByteOrder.nativeOrder());
        int offset = 3 * width;
        long all = width == 8 ? -1 : 0xffff_ffffL;
        for (int i = 0; i < 3000; i++) {
            long old = random.nextLong() & all;
            put(offset, width, old);
            long neighbours = width == 4 ? memory.getInt(offset - 4) ^ (long) memory.getInt(offset + 4) << 32 : 0;
            long few = random.nextLong();
            few &= random.nextLong();
            long mask = random.nextLong() & (i % 2 == 0 ? -1 : few);
            result.putLong(0, -1);
            long expected;
            SendWorkRequest wr;
            if (i % 3 == 0) {
                long add = random.nextLong();
                wr = masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, i, width, offset)
                        .compareAdd(add)
                        .compareAddMask(mask);
                expected = sum(old, add, mask, width * 8);
            } else {
                boolean swaps = i % 3 == 1;
                long swap = random.nextLong();
                long swapMask = random.nextLong();
                long compare = swaps ? old ^ random.nextLong() & ~mask : ~old;
                wr = masked(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, i, width, offset)
                        .compareAdd(compare)
                        .compareAddMask(mask)
                        .swap(swap)
                        .swapMask(swapMask);
                boolean equal = swaps || (mask & all) == 0;
                expected = equal ? old & ~swapMask | swap & swapMask & all : old;
            }
            int opcode = i % 3 == 0 ? WcOpcode.MASKED_FETCH_ADD : WcOpcode.MASKED_COMP_SWAP;
            done(wr, opcode);
            assertThat(get(offset, width)).as("request " + i).isEqualTo(expected);
            assertThat(width == 8 ? result.getLong(0) : Integer.toUnsignedLong(result.getInt(0)))
                    .isEqualTo(old);
            if (width == 4) {
                assertThat(result.getInt(4)).as("result beyond the width").isEqualTo(-1);
                assertThat(memory.getInt(offset - 4) ^ (long) memory.getInt(offset + 4) << 32)
                        .isEqualTo(neighbours);
            }
        }
    }

    private void put(int offset, int width, long value) {
        if (width == 8) {
            memory.putLong(offset, value);
        } else {
            memory.putInt(offset, (int) value);
        }
    }

    private long get(int offset, int width) {
        return width == 8 ? memory.getLong(offset) : Integer.toUnsignedLong(memory.getInt(offset));
    }

    private static long sum(long a, long b, long tops, int bits) {
        long sum = 0;
        long carry = 0;
        for (int i = 0; i < bits; i++) {
            long digit = (a >>> i & 1) + (b >>> i & 1) + carry;
            sum |= (digit & 1) << i;
            carry = (tops >>> i & 1) != 0 ? 0 : digit >>> 1;
        }
        return sum;
    }

    @Test
    void atomicWidthZeroMeansEight() {
        startWithMemory();
        memory.putLong(0, 0x1_ffff_ffffL);
        done(
                masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 1, 8, 0)
                        .atomicWidth(0)
                        .compareAdd(1),
                WcOpcode.MASKED_FETCH_ADD);
        assertThat(memory.getLong(0)).isEqualTo(0x2_0000_0000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, WrOpcode.MASKED_ATOMIC_CMP_AND_SWP})
    void maskedAtomicNeedsRemoteAtomic(int opcode) {
        startWithMemory(RIGHTS & ~AccessFlags.REMOTE_ATOMIC);
        isRefused(masked(opcode, 1, 4, 0), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void maskedAtomicBeyondRegionFails() {
        startWithMemory();
        isRefused(masked(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 1, 4, memory.capacity() & ~7), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void malformedMaskedAtomicsAreRefused() {
        startWithMemory();
        int opcode = WrOpcode.MASKED_ATOMIC_CMP_AND_SWP;
        isInvalid(masked(opcode, 1, 8, 4), Errno.EINVAL, "not a multiple of 8");
        isInvalid(masked(opcode, 1, 4, 2), Errno.EINVAL, "not a multiple of 4");
        isInvalid(masked(opcode, 1, 16, 0), Errno.EOPNOTSUPP, "atomicWidth is 16");
        isInvalid(masked(opcode, 1, 2, 0), Errno.EOPNOTSUPP, "atomicWidth is 2");
        isInvalid(masked(opcode, 1, 3, 0), Errno.EINVAL, "atomicWidth is 3");
        isInvalid(masked(opcode, 1, 8, 0).atomicWidth(-8), Errno.EINVAL, "atomicWidth is -8");
        isInvalid(masked(opcode, 1, 8, 0).atomicWidth(4), Errno.EINVAL, "fetches 4 bytes");
        isInvalid(masked(opcode, 1, 4, 0).sendFlags(SendFlags.INLINE), Errno.EINVAL, "leave the flag out");
        done(masked(opcode, 2, 4, 4), WcOpcode.MASKED_COMP_SWAP);
    }

    // ---- no-op

    @ParameterizedTest
    @ValueSource(ints = {QpType.RC, QpType.UC, QpType.UD})
    void noOpOnlyCompletes(int type) {
        start(side -> side.qpType = type);
        for (int i = 0; i < 100; i++) {
            WorkCompletion wc = wc(Side.wr(WrOpcode.NOP, i));
            assertThat(wc.opcode()).isEqualTo(WcOpcode.NOP);
            assertThat(wc.byteLen()).isZero();
            assertThat(wc.wcFlags()).isZero();
        }
        a.post(Side.wr(WrOpcode.NOP, 1).sendFlags(0).next(Side.wr(WrOpcode.NOP, 2)));
        a.next(2, WcStatus.SUCCESS);
        isInvalid(Side.wr(WrOpcode.NOP, 3, a.sge(0, 1)), Errno.EINVAL, "has no data");
        assertThat(a.qp.explain(Side.wr(WrOpcode.NOP, 3))).isNull();
    }

    @Test
    void noOpCompletesInOrder() {
        start();
        for (int i = 0; i < 50; i++) {
            SendWorkRequest nop = Side.wr(WrOpcode.NOP, 2);
            a.post(a.to(Side.wr(WrOpcode.RDMA_READ, 1, a.sge(0, 100_000)), b, 0).next(nop));
            a.next(1, WcStatus.SUCCESS);
            a.next(2, WcStatus.SUCCESS);
        }
    }

    // ---- support by type

    @Test
    void otherTypesRefuseThem() {
        start(side -> side.qpType = QpType.UC);
        region = b.opened(b.pd.regMr(memory, RIGHTS));
        isInvalid(write(1, 0, 1), Errno.EOPNOTSUPP, "ATOMIC_WRITE");
        isInvalid(flush(1, 1, 0, 0, 1), Errno.EOPNOTSUPP, "FLUSH");
        isInvalid(masked(WrOpcode.MASKED_ATOMIC_CMP_AND_SWP, 1, 8, 0), Errno.EOPNOTSUPP, "MASKED");
        isInvalid(masked(WrOpcode.RDMA_READ_WITH_INV, 1, 8, 0), Errno.EOPNOTSUPP, "RDMA_READ_WITH_INV");
        SendWorkRequest register = Side.wr(WrOpcode.REG_MR, 1, a.sge(0, 8));
        isInvalid(register.fastRegister(new FastRegister().mr(a.mr).key(a.mr.lkey())), Errno.EOPNOTSUPP, "REG_MR");
    }

    /** Flags of one completion do not show in the next. */
    @Test
    void completionsCarryNoStaleFlags() {
        startWithMemory();
        assertThat(wc(write(1, 0, 1)).wcFlags()).isZero();
        assertThat(wc(flush(2, 1, 0, 0, 1)).wcFlags() & WcFlags.WITH_INV).isZero();
    }
}

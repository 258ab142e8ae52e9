/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that {@code b} maps by work requests: how {@code a} uses them, and reads that invalidate them. */
@WithOneCopy
class FastRegisterPathsTest extends FastRegisterPaths {
    // ---- access by a key

    @Test
    void keyIsMappedUsedInvalidatedAndMappedAgain() {
        startWithKey();
        int first = key.rkey();
        assertThat(key.length()).isZero();
        assertThat(key.lkey()).isEqualTo(first);
        for (int i = 1; i <= 300; i++) {
            int number = registered(RIGHTS);
            assertThat(number).isEqualTo(first & ~0xff | first + i & 0xff);
            assertThat(key.lkey()).isEqualTo(number);
            assertThat(key.addr()).isEqualTo(BASE);
            assertThat(key.length()).isEqualTo(LENGTH);
            assertThat(key.access()).isEqualTo(RIGHTS);
            works(number);
            b.post(invalidate(71, number));
            assertThat(b.next(71, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
            assertThat(key.rkey()).isEqualTo(number);
            assertThat(key.length()).isZero();
        }
        isRefused(through(WrOpcode.RDMA_WRITE, 2, key.rkey(), 0, 1), WcStatus.REM_ACCESS_ERR);
    }

    /** Accesses any part, between any two edges; memory around the pieces stays unchanged. */
    @Test
    void partsOfPiecesAreWritten() {
        startWithKey();
        int number = registered(RIGHTS);
        SplittableRandom random = new SplittableRandom(3);
        byte[] expected = new byte[BYTES];
        for (int i = 0; i < 300; i++) {
            int offset = i % 3 == 0 ? edge(random) : random.nextInt(LENGTH);
            int bytes = Math.min(LENGTH - offset, i % 2 == 0 ? random.nextInt(20) : random.nextInt(LENGTH));
            b.buffer.get(0, expected);
            a.fill(i);
            a.post(through(WrOpcode.RDMA_WRITE, 1, number, offset, bytes));
            a.next(1, WcStatus.SUCCESS);
            for (int n = 0; n < bytes; n++) {
                expected[at(offset + n)] = Side.pattern(i, n);
            }
            byte[] found = new byte[BYTES];
            b.buffer.get(0, found);
            assertThat(found).isEqualTo(expected);
            SendWorkRequest read =
                    Side.wr(WrOpcode.RDMA_READ, 2, a.sge(500_000, bytes / 2), a.sge(700_000, bytes - bytes / 2));
            a.post(read.remoteAddr(BASE + offset).rkey(number));
            a.next(2, WcStatus.SUCCESS);
            a.assertPattern(500_000, i, 0, bytes / 2);
            a.assertPattern(700_000, i, bytes / 2, bytes - bytes / 2);
        }
    }

    private static int edge(SplittableRandom random) {
        int offset = 0;
        for (int i = random.nextInt(PIECES.length); i > 0; i--) {
            offset += PIECES[i][1];
        }
        return Math.max(0, Math.min(LENGTH - 1, offset + random.nextInt(3) - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void accessBeyondKeyFails(int beyond) {
        startWithKey();
        int number = registered(RIGHTS);
        isRefused(through(WrOpcode.RDMA_WRITE, 2, number, beyond, LENGTH), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void unmappedKeyAndWrongTagFail() {
        startWithKey();
        isRefused(through(WrOpcode.RDMA_WRITE, 2, key.rkey(), 0, 1), WcStatus.REM_ACCESS_ERR);
        reconnect();
        int number = registered(RIGHTS);
        isRefused(through(WrOpcode.RDMA_WRITE, 2, number ^ 0x80, 0, 1), WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_READ, AccessFlags.REMOTE_ATOMIC})
    void accessNeedsRightOfKey(int right) {
        startWithKey();
        int number = registered(RIGHTS & ~right);
        int opcode = right == AccessFlags.REMOTE_WRITE
                ? WrOpcode.RDMA_WRITE
                : right == AccessFlags.REMOTE_READ ? WrOpcode.RDMA_READ : WrOpcode.ATOMIC_FETCH_AND_ADD;
        isRefused(through(opcode, 2, number, 0, 8), WcStatus.REM_ACCESS_ERR);
    }

    /** Uses keys as local memory of both sides of a message, with elements that begin and end anywhere. */
    @Test
    void keyServesAsLocalMemory() {
        startWithKey();
        MemoryRegion other = key;
        int to = registered(RIGHTS);
        key = a.opened(a.pd.allocMrKey(new MrKeyInitAttr().maxEntries(16)));
        a.post(register(70, RIGHTS, pieces(a)));
        a.next(70, WcStatus.SUCCESS);
        int from = key.lkey();
        key = other;
        for (int i = 0; i < 100; i++) {
            int bytes = LENGTH - 2 * i;
            b.fill(99);
            recv(9, element(BASE + i, bytes / 3, to), element(BASE + i + bytes / 3, bytes - bytes / 3, to));
            a.post(Side.wr(WrOpcode.SEND, 1, element(BASE + i, bytes, from)));
            a.next(1, WcStatus.SUCCESS);
            b.next(9, WcStatus.SUCCESS);
            for (int n = i; n < i + bytes; n++) {
                assertThat(b.buffer.get(at(n))).isEqualTo(Side.pattern(1, at(n)));
            }
            SendWorkRequest write = Side.wr(WrOpcode.RDMA_WRITE, 1, element(BASE, LENGTH, from));
            a.post(write.remoteAddr(BASE).rkey(to));
            a.next(1, WcStatus.SUCCESS);
            a.post(a.to(Side.wr(WrOpcode.RDMA_WRITE, 2, element(BASE + i, bytes, from)), b, 300_000));
            a.next(2, WcStatus.SUCCESS);
            for (int n = i; n < i + bytes; n++) {
                assertThat(b.buffer.get(300_000 + n - i)).isEqualTo(Side.pattern(1, at(n)));
            }
        }
    }

    private void recv(long wrId, ScatterGatherElement... list) {
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(wrId).sgList(list))).isZero();
    }

    @Test
    void readOnlyKeyCannotBeWritten() {
        startWithKey();
        int number = registered(AccessFlags.REMOTE_READ);
        a.post(through(WrOpcode.RDMA_READ, 2, number, 0, LENGTH));
        a.next(2, WcStatus.SUCCESS);
        b.post(b.to(Side.wr(WrOpcode.RDMA_READ, 3, element(BASE, 8, number)), a, 0));
        b.next(3, WcStatus.LOC_PROT_ERR);
    }

    /** A word that is split between pieces cannot be changed atomically. */
    @Test
    void atomicsOnSplitWordsFail() {
        startWithKey();
        b.buffer.order(ByteOrder.nativeOrder());
        int word = (int) (-b.mr.addr() & 7);
        b.post(register(70, RIGHTS, b.sge(word, 8), b.sge(word + 64, 4), b.sge(word + 128, 12), b.sge(word + 203, 8)));
        b.next(70, WcStatus.SUCCESS);
        b.buffer.putLong(word, 41);
        a.post(through(WrOpcode.ATOMIC_FETCH_AND_ADD, 1, key.rkey(), 0, 8).compareAdd(1));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.buffer.getLong(word)).isEqualTo(42);
        a.post(through(WrOpcode.MASKED_ATOMIC_FETCH_AND_ADD, 1, key.rkey(), 8, 4)
                .atomicWidth(4)
                .compareAdd(1));
        a.next(1, WcStatus.SUCCESS);
        a.post(Side.wr(WrOpcode.ATOMIC_WRITE, 1)
                .remoteAddr(BASE + 16)
                .rkey(key.rkey())
                .atomicWriteValue(77));
        isRefused(Side.wr(WrOpcode.NOP, 2), 1, key.rkey());
        for (int opcode : new int[] {WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.ATOMIC_CMP_AND_SWP}) {
            reconnect();
            isRefused(through(opcode, 2, key.rkey(), 8, 8), WcStatus.REM_INV_REQ_ERR); // across pieces
            reconnect();
            isRefused(through(opcode, 2, key.rkey(), 24, 8), WcStatus.REM_INV_REQ_ERR); // misaligned
        }
    }

    @Test
    void keyCanBeFlushed() {
        startWithKey();
        int number = registered(RIGHTS);
        for (int level : new int[] {FlushLevel.RANGE, FlushLevel.MR}) {
            a.post(Side.wr(WrOpcode.FLUSH, 1)
                    .remoteAddr(BASE)
                    .rkey(number)
                    .flushType(FlushType.GLOBAL)
                    .flushLevel(level)
                    .flushLength(LENGTH));
            a.next(1, WcStatus.SUCCESS);
        }
    }

    @Test
    void keyTakesMaximumOfPieces() {
        startWithKey();
        int most = b.context.queryDeviceEx(new QueryDeviceExInput()).maxFastRegLen();
        assertThat(most).isEqualTo(512);
        MemoryRegion before = key;
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(most)));
        ScatterGatherElement[] list = new ScatterGatherElement[most];
        for (int i = 0; i < most; i++) {
            list[i] = b.sge((most - i) * 1000, 100 + i % 7);
        }
        b.post(register(1, RIGHTS, list));
        b.next(1, WcStatus.SUCCESS);
        int from = 0;
        a.post(through(WrOpcode.RDMA_WRITE, 1, key.rkey(), 0, (int) key.length()));
        a.next(1, WcStatus.SUCCESS);
        for (int i = 0; i < most; i++) {
            b.assertPattern((most - i) * 1000, 1, from, 100 + i % 7);
            from += 100 + i % 7;
        }
        key = before;
        for (int wrong : new int[] {most + 1, 0}) {
            assertThatThrownBy(() -> b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(wrong)))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        }
    }

    // ---- reads that invalidate the key

    private SendWorkRequest read(long wrId, int number, int offset, int bytes) {
        return b.to(Side.wr(WrOpcode.RDMA_READ_WITH_INV, wrId, element(BASE + offset, bytes, number)), a, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, LENGTH})
    void readInvalidatesKey(int bytes) {
        startWithKey();
        for (int i = 0; i < 50; i++) {
            int number = registered(RIGHTS);
            b.fill(9);
            SendWorkRequest again = register(4, RIGHTS, pieces(b)).sendFlags(SendFlags.SIGNALED | SendFlags.FENCE);
            again.fastRegister().key(MemoryWindow.incRkey(number));
            b.post(read(3, number, 0, bytes).next(again));
            WorkCompletion wc = b.next(3, WcStatus.SUCCESS);
            assertThat(wc.opcode()).isEqualTo(WcOpcode.RDMA_READ);
            assertThat(wc.byteLen()).isEqualTo(bytes);
            assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
            assertThat(wc.invalidatedRkey()).isEqualTo(number);
            for (int n = 0; n < bytes; n++) {
                assertThat(b.buffer.get(at(n))).isEqualTo(Side.pattern(1, n));
            }
            wc = b.next(4, WcStatus.SUCCESS);
            assertThat(wc.wcFlags()).isZero();
            assertThat(wc.invalidatedRkey()).isZero();
            b.post(invalidate(5, key.lkey()));
            b.next(5, WcStatus.SUCCESS);
        }
        int number = registered(RIGHTS);
        b.post(read(3, number, 0, bytes));
        b.next(3, WcStatus.SUCCESS);
        isRefused(through(WrOpcode.RDMA_WRITE, 2, number, 0, 1), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void readWithInvalidateNeedsMappedKey() {
        startWithKey();
        b.fill(7);
        b.post(b.to(Side.wr(WrOpcode.RDMA_READ_WITH_INV, 1, b.sge(0, 100)), a, 0));
        b.next(1, WcStatus.LOC_QP_OP_ERR);
        b.assertPattern(0, 7, 0, 100);
        reconnect();
        b.post(read(1, key.lkey(), 0, 100)); // not mapped
        b.next(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void failedReadLeavesKeyMapped() {
        startWithKey();
        int number = registered(RIGHTS);
        SendWorkRequest wr = read(1, number, 0, 100);
        b.post(wr.rkey(a.mr.rkey() ^ 0x100));
        WorkCompletion wc = b.next(1, WcStatus.REM_ACCESS_ERR);
        assertThat(wc.wcFlags()).isZero();
        a.awaitState(QpState.ERR);
        reconnect();
        works(number);
    }

    @Test
    void malformedReadsWithInvalidateAreRefused() {
        startWithKey();
        isInvalid(b.to(Side.wr(WrOpcode.RDMA_READ_WITH_INV, 1), a, 0), Errno.EINVAL, "exactly one element");
        isInvalid(
                b.to(Side.wr(WrOpcode.RDMA_READ_WITH_INV, 1, b.sge(0, 1), b.sge(1, 1)), a, 0),
                Errno.EINVAL,
                "exactly one element");
    }
}

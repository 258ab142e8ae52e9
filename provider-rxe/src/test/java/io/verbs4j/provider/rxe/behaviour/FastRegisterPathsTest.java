/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ReregFlags;
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
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that {@code b} maps by work requests and {@code a} uses, invalidated by either. */
@WithOneCopy
class FastRegisterPathsTest extends EachPath {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    /** The address of the key's first byte for its users: not the address of any memory. */
    private static final long BASE = 0x7000_1234_5000L;

    /** Offsets and lengths of pieces in b's buffer: of any size and alignment, and unordered. */
    private static final int[][] PIECES = {
        {50_001, 3}, {7, 1000}, {90_000, 1}, {20_000, 4097}, {60_003, 2222}, {1100, 1}
    };

    private static final int LENGTH = 3 + 1000 + 1 + 4097 + 2222 + 1;

    private MemoryRegion key;

    private void startWithKey() {
        start(side -> {
            side.access |= AccessFlags.FLUSH_GLOBAL;
            side.cqe = 1024;
        });
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(16)));
    }

    private static ScatterGatherElement[] pieces(Side side) {
        ScatterGatherElement[] list = new ScatterGatherElement[PIECES.length];
        for (int i = 0; i < list.length; i++) {
            list[i] = side.sge(PIECES[i][0], PIECES[i][1]);
        }
        return list;
    }

    /** Returns the index in b's buffer of a byte behind the key. */
    private static int at(int offset) {
        for (int[] piece : PIECES) {
            if (offset < piece[1]) {
                return piece[0] + offset;
            }
            offset -= piece[1];
        }
        throw new AssertionError();
    }

    private static ScatterGatherElement element(long addr, int length, int lkey) {
        return new ScatterGatherElement().addr(addr).length(length).lkey(lkey);
    }

    private SendWorkRequest register(long wrId, int access, ScatterGatherElement... list) {
        return Side.wr(WrOpcode.REG_MR, wrId, list)
                .fastRegister(new FastRegister()
                        .mr(key)
                        .key(MemoryWindow.incRkey(key.rkey()))
                        .addr(BASE)
                        .access(access));
    }

    /** Registers successfully; returns the key. */
    private int registered(int access) {
        b.post(register(70, access, pieces(b)));
        assertThat(b.next(70, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.REG_MR);
        return key.rkey();
    }

    private static SendWorkRequest invalidate(long wrId, int rkey) {
        return Side.wr(WrOpcode.LOCAL_INV, wrId).invalidateRkey(rkey);
    }

    private SendWorkRequest through(int opcode, long wrId, int rkey, int offset, int bytes) {
        return Side.wr(opcode, wrId, a.sge(0, bytes)).remoteAddr(BASE + offset).rkey(rkey);
    }

    private void works(int rkey) {
        a.post(through(WrOpcode.RDMA_WRITE, 1, rkey, 0, LENGTH));
        a.next(1, WcStatus.SUCCESS);
        for (int i = 0; i < LENGTH; i++) {
            assertThat(b.buffer.get(at(i))).isEqualTo(Side.pattern(1, i));
        }
    }

    private void isRefused(SendWorkRequest wr, int status) {
        a.post(wr);
        a.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
    }

    private void reconnect() {
        a.qp.modify(new QpAttr().qpState(QpState.RESET));
        b.qp.modify(new QpAttr().qpState(QpState.RESET));
        Side.connect(a, b);
    }

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

    /** The preceding atomic write goes to memory at a multiple of 4: it is refused, and the next request is flushed. */
    private void isRefused(SendWorkRequest flushed, long wrId, int rkey) {
        a.post(flushed);
        a.next(wrId, WcStatus.REM_INV_REQ_ERR);
        a.next(flushed.wrId(), WcStatus.WR_FLUSH_ERR);
        b.awaitState(QpState.ERR);
        assertThat(key.rkey()).isEqualTo(rkey);
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

    // ---- mapping

    private void fails(SendWorkRequest wr, int status) {
        int before = key.rkey();
        b.post(wr);
        b.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
        assertThat(key.rkey()).as("rkey after the failed request").isEqualTo(before);
        reconnect();
    }

    @Test
    void mappedKeyMustBeInvalidatedFirst() {
        startWithKey();
        int number = registered(RIGHTS);
        int shown = MemoryWindow.incRkey(number);
        b.post(register(5, RIGHTS, pieces(b)));
        b.next(5, WcStatus.LOC_QP_OP_ERR);
        assertThat(key.rkey()).isEqualTo(number).isNotEqualTo(shown);
        reconnect();
        works(number);
    }

    @Test
    void invalidPiecesFailRegistration() {
        startWithKey();
        MemoryRegion readable = b.opened(b.pd.regMr(b.buffer, AccessFlags.REMOTE_READ));
        MemoryRegion gone = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
        gone.close();
        ScatterGatherElement good = b.sge(0, 10);
        fails(register(5, RIGHTS, good, b.sge(BYTES - 9, 10)), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, good, element(b.mr.addr(), 10, b.mr.rkey())), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, good, element(b.mr.addr(), 10, 0)), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, good, element(b.mr.addr(), 10, gone.lkey())), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, ScatterGatherElement.of(readable, 0, 10)), WcStatus.LOC_PROT_ERR);
        try (ProtectionDomain domain = b.context.allocPd();
                MemoryRegion foreign = domain.regMr(b.buffer, Side.ALL_ACCESS);
                MemoryRegion foreignKey = domain.allocMrKey(new MrKeyInitAttr().maxEntries(1))) {
            fails(register(5, RIGHTS, good, ScatterGatherElement.of(foreign, 0, 10)), WcStatus.LOC_PROT_ERR);
            MemoryRegion own = key;
            key = foreignKey;
            fails(register(5, RIGHTS, good), WcStatus.LOC_QP_OP_ERR);
            key = own;
        }
        b.post(register(6, AccessFlags.REMOTE_READ, ScatterGatherElement.of(readable, 0, 10)));
        b.next(6, WcStatus.SUCCESS);
        MemoryRegion own = key;
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(1)));
        fails(register(5, 0, element(BASE, 10, own.lkey())), WcStatus.LOC_PROT_ERR); // of the key itself
        readableStays(readable, own);
    }

    /** A refused request holds nothing; an accepted one does. */
    private void readableStays(MemoryRegion readable, MemoryRegion own) {
        isBusy(readable);
        b.post(invalidate(7, own.lkey()));
        b.next(7, WcStatus.SUCCESS);
        readable.close();
    }

    private static void isBusy(MemoryRegion region) {
        assertThatThrownBy(region::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"taken back", "key", "by the peer"})
    void regionStaysWhileKeyMapsIt(String end) {
        startWithKey();
        MemoryRegion region = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
        b.post(register(5, RIGHTS, ScatterGatherElement.of(region, 0, 10), ScatterGatherElement.of(region, 50, 10)));
        b.next(5, WcStatus.SUCCESS);
        isBusy(region);
        assertThatThrownBy(() -> region.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        int number = key.rkey();
        switch (end) {
            case "key" -> key.close();
            case "by the peer" -> {
                b.recv(8, 1000, 10);
                a.post(Side.wr(WrOpcode.SEND_WITH_INV, 1, a.sge(0, 1)).invalidateRkey(number));
                a.next(1, WcStatus.SUCCESS);
                WorkCompletion wc = b.next(8, WcStatus.SUCCESS);
                assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
                assertThat(wc.invalidatedRkey()).isEqualTo(number);
            }
            default -> {
                b.post(invalidate(6, number));
                b.next(6, WcStatus.SUCCESS);
            }
        }
        region.close();
        isRefused(through(WrOpcode.RDMA_READ, 2, number, 0, 1), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void keyOutlivesResetOfQueuePair() {
        startWithKey();
        int number = registered(RIGHTS);
        reconnect();
        works(number);
    }

    @Test
    void malformedRegistrationsAreRefused() {
        startWithKey();
        int number = key.rkey();
        ScatterGatherElement[] list = pieces(b);
        isInvalid(register(1, RIGHTS, list).fastRegister(null), Errno.EINVAL, "fastRegister is null");
        SendWorkRequest ofRegion = register(1, RIGHTS, list);
        ofRegion.fastRegister().mr(b.mr).key(b.mr.lkey());
        isInvalid(ofRegion, Errno.EINVAL, "must name a key from allocMrKey");
        SendWorkRequest ofNumber = register(1, RIGHTS, list);
        ofNumber.fastRegister().key(number + 0x100);
        isInvalid(ofNumber, Errno.EINVAL, "lowest 8 bits");
        isInvalid(register(1, RIGHTS), Errno.EINVAL, "numSge is 0");
        isInvalid(register(1, RIGHTS, new ScatterGatherElement[17]), Errno.EINVAL, "is null");
        ScatterGatherElement[] many = new ScatterGatherElement[17];
        Arrays.fill(many, b.sge(0, 1));
        isInvalid(register(1, RIGHTS, many), Errno.EINVAL, "created for 1 to 16");
        isInvalid(register(1, RIGHTS, b.sge(0, 1), b.sge(5, 0)), Errno.EINVAL, "sgList[1] is empty");
        isInvalid(register(1, AccessFlags.REMOTE_WRITE, list), Errno.EINVAL, "without LOCAL_WRITE");
        isInvalid(register(1, RIGHTS | AccessFlags.MW_BIND, list), Errno.EOPNOTSUPP, "MW_BIND");
        isInvalid(register(1, RIGHTS | AccessFlags.FLUSH_PERSISTENT, list), Errno.EOPNOTSUPP, "FLUSH_PERSISTENT");
        assertThat(b.qp.explain(register(1, RIGHTS | AccessFlags.RELAXED_ORDERING, list)))
                .isNull();
        assertThat(key.rkey()).as("rkey after the refused requests").isEqualTo(number);
        MemoryRegion closed = b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(16));
        SendWorkRequest ofClosed = register(1, RIGHTS, list);
        ofClosed.fastRegister().mr(closed).key(closed.rkey());
        closed.close();
        assertThat(b.qp.postSend(ofClosed)).isEqualTo(Errno.EINVAL);
        works(registered(RIGHTS | AccessFlags.RELAXED_ORDERING));
    }

    private void isInvalid(SendWorkRequest wr, int errno, String why) {
        assertThat(b.qp.postSend(wr)).as(why).isEqualTo(errno);
        assertThat(b.qp.explain(wr)).contains(why);
    }

    @Test
    void keysCannotBeBoundOrReregistered() {
        startWithKey();
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        SendWorkRequest bind = Side.wr(WrOpcode.BIND_MW, 1)
                .mw(mw)
                .mwRkey(mw.rkey())
                .mwBind(new MwBind().mr(key).addr(BASE).length(1).mwAccessFlags(AccessFlags.REMOTE_READ));
        assertThat(b.qp.postSend(bind)).isEqualTo(Errno.EINVAL);
        assertThatThrownBy(() -> key.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    /** The key is sent behind the request, on the same queue pair, without a completion in between. */
    @Test
    void keyIsValidFromPost() {
        startWithKey();
        a.recv(9, 500_000, 100);
        int before = key.rkey();
        b.post(register(5, RIGHTS, pieces(b)).sendFlags(0).next(Side.wr(WrOpcode.SEND, 6, b.sge(0, 4))));
        assertThat(key.rkey()).isEqualTo(MemoryWindow.incRkey(before));
        a.next(9, WcStatus.SUCCESS);
        b.next(6, WcStatus.SUCCESS);
        works(key.rkey());
    }

    // ---- invalidation

    @ParameterizedTest
    @ValueSource(strings = {"free", "old", "region"})
    void invalidatingOtherKeysFails(String what) {
        startWithKey();
        int old = registered(RIGHTS);
        b.post(invalidate(5, old));
        b.next(5, WcStatus.SUCCESS);
        int number = old;
        if (what.equals("old")) {
            registered(RIGHTS);
        } else if (what.equals("region")) {
            number = b.mr.lkey();
        }
        b.post(invalidate(6, number));
        b.next(6, WcStatus.LOC_QP_OP_ERR);
        b.awaitState(QpState.ERR);
    }

    @Test
    void onlyQueuePairsOfDomainInvalidateKey() {
        startWithKey();
        int number = registered(RIGHTS);
        Side other = b.opened(new Side(b.context.device(), BYTES)).create();
        Side.connectToItself(other);
        other.post(invalidate(1, number));
        other.next(1, WcStatus.LOC_QP_OP_ERR);
        works(number);
        b.recv(8, 100_000, 10);
        a.post(Side.wr(WrOpcode.SEND_WITH_INV, 1, a.sge(0, 1)).invalidateRkey(number ^ 1));
        a.next(1, WcStatus.SUCCESS);
        b.next(8, WcStatus.REM_INV_REQ_ERR);
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

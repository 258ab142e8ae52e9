/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Pointer;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.layout.QpExLayout;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.RegionTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls of a driver's builder functions, which a test builder records, and the handling of their results. */
class QpExFunctionsTest {
    private static final int SHIFT = "aarch64".equals(System.getProperty("os.arch")) ? 8 : 0;
    private static final int MAX_SGE = 2;
    private static final int MAX_INLINE = 16;
    private static final int LKEY = 0x3300_0000;
    private static final long ADDR = 0x1_0000_0000L;
    private static final long REMOTE = 0x2_0000_0008L;
    private static final int RKEY = 0x1234;
    private static final long ALL = QpExFunctions.OPERATIONS;

    /** A C function of up to six arguments; those that the caller does not pass hold arbitrary values. */
    public interface Function extends Callback {
        long callback(long a, long b, long c, long d, long e, long f);
    }

    private final long struct = NativeMemory.allocate(512);
    private final List<Function> functions = new ArrayList<>(); // kept while C knows them
    private final List<String> calls = new ArrayList<>();
    private final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 0x9000);
    private final RegionTable regions = new RegionTable();
    private final WindowLog windows = new WindowLog(new WindowBook(false), () -> 7, false, 8, () -> {});
    private SendArea area;
    private QpExFunctions builder;
    private int room = 100;
    private int built;
    private int errno = Errno.ENOSPC;

    @BeforeEach
    void driver() {
        regions.add(LKEY, pd, ADDR, 4096, new Pin());
        word("cmp_swp", QpExLayout.WR_ATOMIC_CMP_SWP, 4);
        word("fetch_add", QpExLayout.WR_ATOMIC_FETCH_ADD, 3);
        word("local_inv", QpExLayout.WR_LOCAL_INV, 1);
        word("read", QpExLayout.WR_RDMA_READ, 2);
        word("write", QpExLayout.WR_RDMA_WRITE, 2);
        word("write_imm", QpExLayout.WR_RDMA_WRITE_IMM, 3);
        word("send", QpExLayout.WR_SEND, 0);
        word("send_imm", QpExLayout.WR_SEND_IMM, 1);
        word("send_inv", QpExLayout.WR_SEND_INV, 1);
        word("bind", QpExLayout.WR_BIND_MW, 3);
        word("flush", QpExLayout.WR_FLUSH, 5);
        at(QpExLayout.WR_ATOMIC_WRITE, (qp, rkey, addr, value, e, f) -> {
            begun();
            return call("atomic_write", 3, rkey, addr, NativeMemory.getLong(value));
        });
        at(QpExLayout.WR_SET_SGE_LIST, (qp, count, list, d, e, f) -> {
            return call("sges", 1 + (int) count, count, element(list, 0), element(list, 1));
        });
        at(QpExLayout.WR_SET_INLINE_DATA_LIST, (qp, count, list, d, e, f) -> {
            call("inline", 1, count);
            for (int i = 0; i < count; i++) {
                call("data", 2, NativeMemory.getLong(list + 16L * i), NativeMemory.getLong(list + 16L * i + 8));
            }
            return 0;
        });
        at(QpExLayout.WR_SET_UD_ADDR, (qp, ah, qpn, qkey, e, f) -> call("ud", 3, ah, qpn, qkey));
        at(QpExLayout.WR_SET_XRC_SRQN, (qp, srqn, c, d, e, f) -> call("srqn", 1, srqn));
        at(QpExLayout.WR_START, (qp, b, c, d, e, f) -> {
            built = 0;
            return qp == struct ? call("start", 0) : call("start of another", 0);
        });
        at(QpExLayout.WR_COMPLETE, (qp, b, c, d, e, f) -> {
            call("complete", 0);
            if (built > room) {
                return errno;
            }
            room -= built;
            return 0;
        });
        at(QpExLayout.WR_ABORT, (qp, b, c, d, e, f) -> call("abort", 0));
    }

    @AfterEach
    void free() {
        NativeMemory.free(struct);
        if (builder != null) {
            builder.free();
        }
        if (area != null) {
            area.free();
        }
    }

    private static long element(long list, int i) {
        return list == 0 ? 0 : NativeMemory.getLong(list + 16L * i) - ADDR;
    }

    private void at(int offset, Function function) {
        functions.add(function);
        NativeMemory.putLong(
                struct + SHIFT + offset, Pointer.nativeValue(CallbackReference.getFunctionPointer(function)));
    }

    private void word(String name, int offset, int count) {
        at(offset, (qp, b, c, d, e, f) -> {
            begun();
            return call(name, count, b, c, d, e, f);
        });
    }

    private void begun() {
        built++;
        calls.add("wr " + NativeMemory.getLong(struct + SHIFT + QpExLayout.WR_ID) + " "
                + SendFlags.toString(NativeMemory.getInt(struct + SHIFT + QpExLayout.WR_FLAGS)));
    }

    /** Records a call; 32-bit arguments are in the lower half of a word. */
    private long call(String name, int count, long... arguments) {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < count; i++) {
            text.append(' ').append(Long.toHexString(arguments[i]).replaceFirst("^f{8}(?=.{8}$)", ""));
        }
        calls.add(text.toString());
        return 0;
    }

    private void make(int qpType, long operations) {
        make(qpType, operations, operations);
    }

    private void make(int qpType, long operations, long built) {
        builder = new QpExFunctions(struct, qpType, operations, MAX_SGE, MAX_INLINE);
        area = new SendArea(8, MAX_SGE, qpType, -1, built, pd, regions, windows);
    }

    private int post(SendWorkRequest... requests) {
        for (int i = 0; i < requests.length; i++) {
            assertThat(area.put(i, requests[i])).as("put " + i).isLessThanOrEqualTo(0);
        }
        assertThat(area.builds()).isTrue();
        area.end(requests.length - 1);
        int error = builder.post(area, requests.length);
        area.unpin();
        return error;
    }

    private static SendWorkRequest request(int opcode, long id) {
        return new SendWorkRequest()
                .opcode(opcode)
                .wrId(id)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(REMOTE)
                .rkey(RKEY)
                .immData(0x0102_0304)
                .compareAdd(5)
                .swap(6)
                .atomicWriteValue(0x1122_3344_5566_7788L)
                .flushType(FlushType.GLOBAL)
                .flushLevel(FlushLevel.MR)
                .flushLength(0xffff_fff0L);
    }

    private static SendWorkRequest with(SendWorkRequest wr, int... lengths) {
        ScatterGatherElement[] list = new ScatterGatherElement[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            list[i] = new ScatterGatherElement().lkey(LKEY).addr(ADDR + 64L * i).length(lengths[i]);
        }
        return wr.sgList(list);
    }

    @Test
    void eachOperationCallsItsFunction() {
        make(QpType.RC, ALL);
        assertThat(post(
                        with(request(WrOpcode.RDMA_WRITE, 1), 8, 9),
                        with(request(WrOpcode.RDMA_WRITE_WITH_IMM, 2), 8),
                        request(WrOpcode.SEND, 3),
                        with(request(WrOpcode.SEND_WITH_IMM, 4), 8),
                        with(request(WrOpcode.RDMA_READ, 5), 8),
                        with(request(WrOpcode.SEND_WITH_INV, 6).invalidateRkey(0x77), 8),
                        with(request(WrOpcode.ATOMIC_CMP_AND_SWP, 7), 8),
                        with(request(WrOpcode.ATOMIC_FETCH_AND_ADD, 8), 8)))
                .isZero();
        String network = NativeMemory.fromNetwork(1) == 1 ? "1020304" : "4030201";
        assertThat(calls)
                .containsExactly(
                        "start",
                        "wr 1 SIGNALED",
                        "write 1234 200000008",
                        "sges 2 0 40",
                        "wr 2 SIGNALED",
                        "write_imm 1234 200000008 " + network,
                        "sges 1 0",
                        "wr 3 SIGNALED",
                        "send",
                        "sges 0",
                        "wr 4 SIGNALED",
                        "send_imm " + network,
                        "sges 1 0",
                        "wr 5 SIGNALED",
                        "read 1234 200000008",
                        "sges 1 0",
                        "wr 6 SIGNALED",
                        "send_inv 77",
                        "sges 1 0",
                        "wr 7 SIGNALED",
                        "cmp_swp 1234 200000008 5 6",
                        "sges 1 0",
                        "wr 8 SIGNALED",
                        "fetch_add 1234 200000008 5",
                        "sges 1 0",
                        "complete");
    }

    @Test
    void operationsWithoutDataSetNone() {
        make(QpType.RC, ALL);
        assertThat(post(request(WrOpcode.ATOMIC_WRITE, 1), request(WrOpcode.FLUSH, 2)))
                .isZero();
        assertThat(post(request(WrOpcode.LOCAL_INV, 3).invalidateRkey(0x88))).isZero();
        assertThat(calls)
                .containsExactly(
                        "start",
                        "wr 1 SIGNALED",
                        "atomic_write 1234 200000008 1122334455667788",
                        "wr 2 SIGNALED",
                        "flush 1234 200000008 fffffff0 1 1",
                        "complete",
                        "start",
                        "wr 3 SIGNALED",
                        "local_inv 88",
                        "complete");
    }

    /** They stay in order. */
    @Test
    void requestsPostedTogetherAreBuiltTogether() {
        make(QpType.RC, ALL, QpCreateSendOps.FLUSH);
        assertThat(post(
                        with(request(WrOpcode.RDMA_WRITE, 1), 8),
                        request(WrOpcode.FLUSH, 2),
                        request(WrOpcode.SEND, 3)))
                .isZero();
        assertThat(calls.stream().filter(call -> !call.startsWith("wr ") && !call.startsWith("sges")))
                .containsExactly(
                        "start", "write 1234 200000008", "flush 1234 200000008 fffffff0 1 1", "send", "complete");
    }

    @Test
    void inlineDataIsTakenInPlace() {
        make(QpType.RC, ALL);
        SendWorkRequest wr = with(request(WrOpcode.SEND, 1).sendFlags(SendFlags.INLINE), 7, 9);
        assertThat(post(wr)).isZero();
        assertThat(calls)
                .containsExactly(
                        "start", "wr 1 INLINE", "send", "inline 2", "data 100000000 7", "data 100000040 9", "complete");
    }

    /** Drivers report a full queue. */
    @Test
    void inlineDataTooLongIsRefused() {
        make(QpType.RC, ALL);
        SendWorkRequest wr = with(request(WrOpcode.SEND, 2).sendFlags(SendFlags.INLINE), 8, 9);
        assertThat(post(request(WrOpcode.FLUSH, 1), wr)).isEqualTo(Errno.EINVAL);
        assertThat(area.badIndex()).isEqualTo(1);
        assertThat(calls).containsExactly("start", "wr 1 SIGNALED", "flush 1234 200000008 fffffff0 1 1", "complete");
    }

    /** Older libefa checks nothing. */
    @Test
    void inlineWritesCanBeRefused() {
        make(QpType.RC, ALL);
        SendWorkRequest write = with(request(WrOpcode.RDMA_WRITE, 1).sendFlags(SendFlags.INLINE), 8);
        SendWorkRequest withImm = with(request(WrOpcode.RDMA_WRITE_WITH_IMM, 2).sendFlags(SendFlags.INLINE), 8);
        assertThat(post(write, withImm)).isZero();
        builder.refuseInlineWrites();
        calls.clear();
        assertThat(post(write)).isEqualTo(Errno.EINVAL);
        assertThat(post(withImm)).isEqualTo(Errno.EINVAL);
        assertThat(calls).isEmpty();
        assertThat(post(with(request(WrOpcode.SEND, 3).sendFlags(SendFlags.INLINE), 8)))
                .isZero();
        assertThat(post(with(request(WrOpcode.RDMA_WRITE, 4), 8))).isZero();
        assertThat(calls).contains("send", "write 1234 200000008");
    }

    /** libefa needs the hint there, for each request that has data. */
    @Test
    void hintIsSetBetweenOperationAndData() {
        make(QpType.RC, ALL);
        Function setter = (object, word, c, d, e, f) -> call("hint", 2, object, word);
        functions.add(setter);
        builder.hintBy(
                NativeFunction.data(Pointer.nativeValue(CallbackReference.getFunctionPointer(setter))), 0x7000, 3);
        assertThat(post(with(request(WrOpcode.SEND, 1), 8), request(WrOpcode.FLUSH, 2)))
                .isZero();
        assertThat(calls)
                .containsExactly(
                        "start",
                        "wr 1 SIGNALED",
                        "send",
                        "hint 7000 3",
                        "sges 1 0",
                        "wr 2 SIGNALED",
                        "flush 1234 200000008 fffffff0 1 1",
                        "complete");
    }

    /**
     * As with ibv_post_send, requests before the refused one are posted, and a full queue is reported with the verb's
     * own errno.
     */
    @Test
    void fullQueueTakesOnlyWhatFits() {
        make(QpType.RC, ALL);
        room = 2;
        SendWorkRequest[] three = {
            request(WrOpcode.ATOMIC_WRITE, 1), request(WrOpcode.FLUSH, 2), request(WrOpcode.ATOMIC_WRITE, 3)
        };
        assertThat(post(three)).isEqualTo(Errno.ENOMEM);
        assertThat(area.badIndex()).isEqualTo(2);
        assertThat(room).isZero();
        assertThat(calls.stream().filter("complete"::equals)).hasSize(4);
        errno = Errno.EIO;
        assertThat(post(three[0])).isEqualTo(Errno.EIO);
        assertThat(area.badIndex()).isZero();
        assertThat(calls).doesNotContain("abort");
        calls.clear();
        assertThat(post(three[0])).isEqualTo(Errno.EIO);
        assertThat(calls.stream().filter("complete"::equals))
                .as("there is nothing to try again")
                .hasSize(1);
    }

    /** The driver's lock is held from start on. */
    @Test
    void interruptedBuildIsAborted() {
        make(QpType.RC, QpCreateSendOps.FLUSH, ALL);
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> post(request(WrOpcode.ATOMIC_WRITE, 1)));
        assertThat(calls).containsExactly("start", "abort");
    }

    /** libmlx5 does so when the state changes. */
    @Test
    void driverMayReplaceCompleteFunction() {
        make(QpType.RC, ALL);
        at(QpExLayout.WR_COMPLETE, (qp, b, c, d, e, f) -> Errno.EIO);
        assertThat(post(request(WrOpcode.FLUSH, 1))).isEqualTo(Errno.EIO);
        at(QpExLayout.WR_COMPLETE, (qp, b, c, d, e, f) -> 0);
        assertThat(post(request(WrOpcode.FLUSH, 1))).isZero();
    }

    @Test
    void sharedReceiveQueueIsSet() {
        make(QpType.XRC_SEND, ALL);
        assertThat(post(request(WrOpcode.SEND, 1).remoteSrqn(0x55))).isZero();
        assertThat(calls).containsExactly("start", "wr 1 SIGNALED", "send", "srqn 55", "sges 0", "complete");
    }

    @Test
    void addressOfDatagramsIsSet() {
        make(QpType.UD, QpCreateSendOps.SEND);
        long ah = NativeMemory.allocate(64);
        try {
            NativeAddressHandle handle = new NativeAddressHandle(pd, ah);
            assertThat(post(request(WrOpcode.SEND, 1).ah(handle).remoteQpn(0x11).remoteQkey(0x8000_0001)))
                    .isZero();
        } finally {
            NativeMemory.free(ah);
        }
        assertThat(calls)
                .containsExactly(
                        "start",
                        "wr 1 SIGNALED",
                        "send",
                        "ud " + Long.toHexString(ah) + " 11 80000001",
                        "sges 0",
                        "complete");
    }

    /** As on SRD: the request holds both addresses. */
    @Test
    void datagramsSupportReadsAndWrites() {
        long operations = QpCreateSendOps.RDMA_READ | QpCreateSendOps.RDMA_WRITE;
        make(QpType.UD, operations);
        long ah = NativeMemory.allocate(64);
        try {
            NativeAddressHandle handle = new NativeAddressHandle(pd, ah);
            for (int opcode : new int[] {WrOpcode.RDMA_READ, WrOpcode.RDMA_WRITE}) {
                assertThat(post(with(
                                request(opcode, 1).ah(handle).remoteQpn(0x11).remoteQkey(7), 8)))
                        .isZero();
            }
        } finally {
            NativeMemory.free(ah);
        }
        assertThat(calls)
                .contains("read 1234 200000008", "write 1234 200000008", "ud " + Long.toHexString(ah) + " 11 7");
    }

    /** A release without a function has no field for it either; the data there must be neither called nor read. */
    @Test
    void onlyRequestedFunctionsAreRead() {
        NativeMemory.putLong(struct + SHIFT + QpExLayout.WR_FLUSH, 1);
        make(QpType.RC, QpCreateSendOps.ATOMIC_WRITE);
        assertThat(post(request(WrOpcode.ATOMIC_WRITE, 1))).isZero();
        NativeMemory.putLong(struct + SHIFT + QpExLayout.WR_FLUSH, 0);
        make(QpType.RC, QpCreateSendOps.ATOMIC_WRITE);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> make(QpType.RC, QpCreateSendOps.FLUSH))
                .matches(e -> e.errno() == Errno.EOPNOTSUPP)
                .withMessageContaining("offset 352");
    }
}

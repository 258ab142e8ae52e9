/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.AddressHandle;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.FlushLevel;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpAttr;
import io.verbs4j.QpCreateFlags;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Refused requests are explained, and explained requests are refused: requests of every kind, valid and invalid in
 * every attribute.
 */
class ExplanationsAgreeTest extends TwoSides {
    private static final int REQUESTS = 10_000;
    private static final int[] FLAGS = {
        0,
        SendFlags.SIGNALED,
        SendFlags.SIGNALED | SendFlags.INLINE,
        SendFlags.INLINE,
        SendFlags.FENCE | SendFlags.SOLICITED,
        1 << 4,
        1 << 20
    };

    private final Random random = new Random(7);
    private MemoryWindow window;
    private MemoryWindow typeOne;
    private MemoryRegion key;
    private AddressHandle ah;

    @Override
    boolean overTheWire() {
        return false;
    }

    private int any(int... of) {
        return of[random.nextInt(of.length)];
    }

    /** Mostly returns the first value, which is valid. */
    private <T> T mostly(T usual, T other) {
        return random.nextInt(5) == 0 ? other : usual;
    }

    private ScatterGatherElement element(int bytes) {
        ScatterGatherElement made = a.sge(8 * random.nextInt(100), 0).length(bytes);
        return mostly(made, a.sge(0, 0).length(bytes).lkey(a.mr.lkey() + 1));
    }

    private ScatterGatherElement[] list() {
        return switch (random.nextInt(9)) {
            case 0 -> new ScatterGatherElement[0];
            case 1 -> new ScatterGatherElement[] {element(8), element(0)};
            case 2 -> new ScatterGatherElement[] {null};
            case 3 -> new ScatterGatherElement[] {element(-1)};
            case 4 -> new ScatterGatherElement[] {element(1), element(1), element(1), element(1), element(1)};
            case 5 -> new ScatterGatherElement[] {element(a.maxInline + 1)};
            case 6 -> new ScatterGatherElement[] {element(Integer.MAX_VALUE), element(any(1, 2))};
            case 7 -> new ScatterGatherElement[] {element(4)};
            default -> new ScatterGatherElement[] {element(8)};
        };
    }

    private SendWorkRequest request() {
        ScatterGatherElement[] list = list();
        SendWorkRequest wr = new SendWorkRequest()
                .wrId(1)
                .opcode(random.nextInt(-1, 40))
                .sendFlags(any(FLAGS))
                .sgList(list)
                .remoteAddr(b.mr.addr() + any(0, 8, 4, 1))
                .rkey(b.mr.rkey())
                .remoteSrqn(mostly(1, -1))
                .ah(mostly(ah, null))
                .remoteQpn(1)
                .atomicWidth(any(0, 0, 4, 8, 2, 16, 3, -1))
                .flushType(any(1, 2, 3, 0, 4))
                .flushLevel(any(FlushLevel.RANGE, FlushLevel.MR, 7))
                .flushLength(mostly(8L, mostly(-1L, 1L << 32)))
                .waitCount(any(1, 1, 0, -1))
                .waitCq(mostly(a.cq, null))
                .enableQp(mostly(a.qp, mostly(null, b.qp)));
        if (random.nextInt(20) == 0) {
            wr.sgList(random.nextBoolean() ? list : null, any(-1, 0, list.length + 1));
        }
        wr.mw(mostly(window, mostly(typeOne, null)));
        wr.mwRkey(window == null ? 0 : mostly(MemoryWindow.incRkey(window.rkey()), window.rkey() ^ 0x1000));
        MwBind bind = new MwBind()
                .mr(mostly(a.mr, mostly(key, null)))
                .addr(a.mr.addr())
                .length(mostly(8L, -1L))
                .mwAccessFlags(mostly(AccessFlags.REMOTE_READ, any(AccessFlags.LOCAL_WRITE, AccessFlags.HUGETLB)));
        wr.mwBind(mostly(bind, null));
        FastRegister register = new FastRegister()
                .mr(mostly(key, mostly(a.mr, null)))
                .key(key == null ? 0 : mostly(MemoryWindow.incRkey(key.lkey()), key.lkey() ^ 0x1000))
                .access(mostly(AccessFlags.LOCAL_WRITE, any(AccessFlags.REMOTE_WRITE, AccessFlags.MW_BIND, 0)));
        wr.fastRegister(mostly(register, null));
        return wr;
    }

    private void drain() {
        WorkCompletion[] wc = {new WorkCompletion()};
        while (a.cq.poll(1, wc) == 1) {
            assertThat(wc[0].wrId()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "2, " + QpCreateFlags.CROSS_CHANNEL, "3, 0", "4, 0", "9, 0"})
    void explanationsAgreeForSends(int type, int createFlags) {
        make(s -> {
            s.qpType = type;
            s.createFlags = createFlags;
        });
        a.toInit();
        if (type != QpType.XRC_SEND) {
            b.toInit();
        }
        a.toRtr(b.gid(), b.qp.qpNum(), 1);
        a.toRts(1);
        a.qp.modify(new QpAttr().qpState(QpState.ERR)); // in which accepted requests are flushed
        window = a.opened(a.pd.allocMw(MwType.TYPE_2));
        typeOne = a.opened(a.pd.allocMw(MwType.TYPE_1));
        key = a.opened(a.pd.allocMrKey(new MrKeyInitAttr().maxEntries(2)));
        ah = a.opened(a.pd.createAh(a.path(b.gid())));
        int refused = 0;
        for (int i = 0; i < REQUESTS; i++) {
            SendWorkRequest wr = request();
            String words = a.qp.explain(wr);
            int errno = a.qp.postSend(wr);
            if ((errno == 0) != (words == null)) {
                throw new AssertionError(
                        "posting returns " + Errno.toString(errno) + ", explain says " + words + ": " + describe(wr));
            }
            assertThat(errno).isIn(0, Errno.EINVAL, Errno.EOPNOTSUPP);
            refused += errno == 0 ? 0 : 1;
            drain();
        }
        assertThat(refused).isBetween(REQUESTS / 10, REQUESTS - 50);
    }

    private static String describe(SendWorkRequest wr) {
        return WrOpcode.toString(wr.opcode()) + " flags " + wr.sendFlags() + " numSge " + wr.numSge() + " of "
                + Arrays.toString(wr.sgList()) + " addr " + Long.toHexString(wr.remoteAddr()) + " width "
                + wr.atomicWidth() + " flush " + wr.flushType() + "/" + wr.flushLevel() + "/" + wr.flushLength()
                + " count " + wr.waitCount() + " srqn " + wr.remoteSrqn();
    }

    private void receives(SharedReceiveQueue srq) {
        for (int i = 0; i < 500; i++) {
            ScatterGatherElement[] list = list();
            RecvWorkRequest wr = new RecvWorkRequest().wrId(1).sgList(list);
            if (random.nextInt(10) == 0) {
                wr.sgList(random.nextBoolean() ? list : null, any(-1, 0, list.length + 1));
            }
            String words = srq == null ? a.qp.explain(wr) : srq.explain(wr);
            int errno = srq == null ? a.qp.postRecv(wr) : srq.postRecv(wr);
            if (errno != Errno.ENOMEM && (errno == 0) != (words == null)) {
                throw new AssertionError("posting returns " + Errno.toString(errno) + ", explain says " + words
                        + ": numSge " + wr.numSge() + " of " + Arrays.toString(list));
            }
            drain();
        }
    }

    @Test
    void explanationsAgreeForReceives() {
        make(s -> {});
        a.toInit();
        a.qp.modify(new QpAttr().qpState(QpState.ERR));
        receives(null);
    }

    @Test
    void explanationsAgreeForSharedReceives() {
        make(s -> s.withSrq = true);
        a.toInit();
        receives(a.srq);
        receives(null);
    }

    @Test
    void explanationsAgreeWithoutReceiveQueue() {
        make(s -> s.qpType = QpType.XRC_SEND);
        a.toInit();
        receives(null);
        a.close();
        b.close();
        make(s -> s.qpType = QpType.XRC_RECV);
        a.toInit();
        receives(null);
    }
}

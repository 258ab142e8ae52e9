/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpState;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory windows of type 2: how {@code b} or its peer invalidates them. */
@WithOneCopy
class WindowInvalidationPathsTest extends WindowPaths {
    // ---- invalidation

    @ParameterizedTest
    @ValueSource(strings = {"free", "unknown", "old", "region", "type 1", "zero"})
    void invalidatingOtherKeysFails(String what) {
        startWithWindow();
        int old = bound(RIGHTS);
        b.post(invalidate(5, old));
        b.next(5, WcStatus.SUCCESS);
        int key = switch (what) {
            case "free" -> old;
            case "unknown" -> old ^ 0x100;
            case "old" -> {
                bound(RIGHTS);
                yield old;
            }
            case "region" -> b.mr.rkey();
            case "type 1" -> {
                MemoryWindow first = b.opened(b.pd.allocMw(MwType.TYPE_1));
                assertThat(b.qp.bindMw(first, part(RIGHTS))).isZero();
                yield first.rkey();
            }
            default -> 0;
        };
        b.post(invalidate(6, key).next(invalidate(7, key)));
        assertThat(b.next(6, WcStatus.LOC_QP_OP_ERR).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
        b.next(7, WcStatus.WR_FLUSH_ERR);
        b.awaitState(QpState.ERR);
    }

    @Test
    void otherQueuePairCannotInvalidateWindow() {
        startWithWindow();
        int key = bound(RIGHTS);
        try (Side other = new Side(b.context.device(), BYTES).create()) {
            Side.connectToItself(other);
            other.post(invalidate(6, key));
            other.next(6, WcStatus.LOC_QP_OP_ERR);
        }
        works(key);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, SendFlags.FENCE})
    void invalidationWaitsForEarlierRequests(int fence) {
        startWithWindow();
        int key = bound(RIGHTS);
        int big = 200_000;
        for (int i = 0; i < 20; i++) {
            SendWorkRequest last = Side.wr(WrOpcode.SEND, 4, b.sge(0, 4));
            SendWorkRequest inv = invalidate(3, key).next(last);
            inv.sendFlags(SendFlags.SIGNALED | fence);
            SendWorkRequest write =
                    b.to(Side.wr(WrOpcode.RDMA_WRITE, 2, b.sge(0, big)), a, 0).next(inv);
            a.recv(9, 0, 100);
            b.post(b.to(Side.wr(WrOpcode.RDMA_READ, 1, b.sge(big, big)), a, 0).next(write));
            b.next(1, WcStatus.SUCCESS);
            b.next(2, WcStatus.SUCCESS);
            b.next(3, WcStatus.SUCCESS);
            b.next(4, WcStatus.SUCCESS);
            a.next(9, WcStatus.SUCCESS);
            key = bound(RIGHTS);
        }
    }

    // ---- invalidation by the peer

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 1024, 5000})
    void messageInvalidatesKey(int bytes) {
        startWithWindow();
        int key = bound(RIGHTS);
        works(key);
        b.recv(8, 100_000, 10_000);
        a.post(send(1, bytes, key));
        assertThat(a.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.SEND);
        WorkCompletion wc = b.next(8, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(wc.byteLen()).isEqualTo(bytes);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
        assertThat(wc.invalidatedRkey()).isEqualTo(key);
        b.assertPattern(100_000, 1, 0, bytes);
        works(bound(RIGHTS));
        isRefused(through(WrOpcode.RDMA_WRITE, 2, key, 0, 1));
    }

    @Test
    void messageToSharedQueueInvalidatesKey() {
        start(side -> side.withSrq = true);
        mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        int key = bound(RIGHTS);
        b.recv(8, 100_000, 10_000);
        a.post(send(1, 100, key));
        a.next(1, WcStatus.SUCCESS);
        assertThat(b.next(8, WcStatus.SUCCESS).invalidatedRkey()).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"free", "unknown", "region", "of another"})
    void messageWithInvalidKeyFails(String what) {
        startWithWindow();
        int key = switch (what) {
            case "free" -> mw.rkey();
            case "region" -> b.mr.rkey();
            case "of another" -> {
                Side other = b.opened(new Side(b.context.device(), BYTES)).create();
                Side.connectToItself(other);
                MemoryWindow its = other.opened(other.pd.allocMw(MwType.TYPE_2));
                other.post(local(WrOpcode.BIND_MW, 1)
                        .mw(its)
                        .mwRkey(its.rkey())
                        .mwBind(new MwBind()
                                .mr(other.mr)
                                .addr(other.mr.addr())
                                .length(8)
                                .mwAccessFlags(RIGHTS)));
                other.next(1, WcStatus.SUCCESS);
                yield its.rkey();
            }
            default -> mw.rkey() ^ 0x100;
        };
        b.recv(8, 100_000, 10_000);
        b.recv(9, 100_000, 10_000);
        a.post(send(1, 100, key));
        a.next(1, WcStatus.SUCCESS); // it has arrived
        WorkCompletion wc = b.next(8, WcStatus.REM_INV_REQ_ERR);
        assertThat(wc.wcFlags()).isZero();
        b.next(9, WcStatus.WR_FLUSH_ERR);
        b.awaitState(QpState.ERR);
        b.assertPattern(100_000, 1, 0, 100);
    }
}

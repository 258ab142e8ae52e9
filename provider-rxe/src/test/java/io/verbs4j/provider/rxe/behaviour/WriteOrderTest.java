/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write of data followed by a write of a flag: a thread that polls the flag in memory sees the data. Processors that
 * keep stores in order, such as x86, always pass, whatever the device does; others do not.
 */
@Timeout(Patience.TEST_SECONDS)
class WriteOrderTest {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int DATA = 0;
    private static final int FLAG = 2048;
    private static final int ROUNDS = 2000;

    private static SendWorkRequest write(ObservedEnd a, ObservedEnd b, int at, int flags) {
        return a.request(WrOpcode.RDMA_WRITE, 0, Long.BYTES, b)
                .sgList(ScatterGatherElement.of(a.mr, 0, Long.BYTES))
                .remoteAddr(b.mr.addr() + at)
                .sendFlags(flags);
    }

    @ParameterizedTest
    @EnumSource
    void dataIsVisibleWhenFlagIs(EveryWay way) throws InterruptedException {
        AtomicLong early = new AtomicLong();
        try (TestContext device = way.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            a.toRtr(b);
            b.toRtr(a);
            a.toRts();
            b.toRts();
            way.await(device);
            Thread reader = new Thread(() -> {
                long flag = 0;
                for (int turn = 0; flag < ROUNDS; turn++) {
                    Patience.pause(turn % 300); // spins, with occasional naps
                    flag = (long) LONGS.getAcquire(b.buffer, FLAG);
                    if ((long) LONGS.getOpaque(b.buffer, DATA) < flag) {
                        early.incrementAndGet();
                    }
                }
            });
            reader.start();
            WorkCompletion[] wc = {new WorkCompletion()};
            for (long n = 1; n <= ROUNDS; n++) {
                LONGS.setRelease(a.buffer, 0, n);
                SendWorkRequest flag = write(a, b, FLAG, SendFlags.SIGNALED);
                assertThat(a.qp.postSend(write(a, b, DATA, 0).next(flag))).isZero();
                for (int turn = 0; a.cq.poll(1, wc) == 0; turn++) {
                    Patience.pause(turn);
                }
                assertThat(wc[0].status()).isZero();
            }
            reader.join();
        }
        assertThat(early).hasValue(0);
    }
}

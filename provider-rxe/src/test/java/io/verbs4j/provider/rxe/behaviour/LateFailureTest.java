/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.qp.RxeQp;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import io.verbs4j.provider.rxe.qp.SendPath;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread detects a failure of a connection and reports it after the queue pair has been connected again. */
class LateFailureTest {
    private static final long PATIENCE = Patience.NANOS;

    private static void await(ObservedEnd end, String seen) {
        long until = System.nanoTime() + PATIENCE;
        while (!end.seen().equals(seen) && System.nanoTime() < until) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(end.seen()).isEqualTo(seen);
    }

    @ParameterizedTest
    @EnumSource(names = {"WITHIN_JVM", "PACKETS"})
    void lateFailureLeavesNewConnectionAlone(EveryWay way) {
        try (TestContext device = way.open();
                ObservedEnd a = new ObservedEnd(device, QpType.RC);
                ObservedEnd b = new ObservedEnd(device, QpType.RC)) {
            RxeQp receiver = ((RxeQueuePair) b.qp).qp;
            connect(a, b);
            SendPath old = receiver.path();
            a.modify(QpState.RESET);
            b.modify(QpState.RESET);
            connect(a, b);
            receiver.failSoon(old);
            for (int i = 1; i <= 3; i++) {
                b.recv(i, 100);
            }
            a.post(a.request(WrOpcode.SEND, 1, 100, b));
            await(a, "1 sent; ; RTS");
            await(b, "1 received 100; ; RTS");
            receiver.failSoon(receiver.path());
            receiver.failSoon(old); // does not replace the earlier failure
            await(
                    b,
                    "1 received 100, 2 Work Request Flushed Error, 3 Work Request Flushed Error; "
                            + "local work queue catastrophic error; ERR");
        }
    }

    private static void connect(ObservedEnd a, ObservedEnd b) {
        a.toRtr(b);
        b.toRtr(a);
        a.toRts();
        b.toRts();
    }
}

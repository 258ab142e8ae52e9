/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Errno;
import io.verbs4j.bulk.transfer.Breaker;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries are submitted during a recovery; the peer is not driven before the test needs it. */
@ParameterizedClass
@EnumSource(names = {"EVERYTHING", "BY_TCP", "WITHOUT_READ", "WRITE_ALONE", "DATAGRAMS"})
class BulkSuspendedTest {
    private static final int SIZE = 10_000;

    @Parameter
    Strategy strategy;

    private Pair pair;
    private Canaries from;
    private Canaries to;
    private BulkWindow window;

    @BeforeEach
    void suspend() {
        pair = new Pair(strategy, config -> config.withRecovery(Patience.SECONDS, TimeUnit.SECONDS));
        from = new Canaries(pair.a, SIZE).fill(3);
        to = new Canaries(pair.b, SIZE);
        window = to.buffer.window(0, SIZE + 2 * Canaries.MARGIN, BulkWindow.WRITE);
        put(1);
        pair.aRing.submit();
        assertThat(pair.next(pair.aDone).result()).as("the window is known").isEqualTo(SIZE);
        pair.until(() -> pair.toB.link().recovery().policy() != null);
        Breaker.breakQueuePair(pair.toB.link());
        pair.aRing.send(pair.aRing.next(), pair.toB, 9, from.buffer, 0, 8, 2); // meets the failure
        pair.aRing.submit();
        untilAlone(pair.toB::isRecovering);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private int put(long userData) {
        int i = pair.aRing.next();
        pair.aRing.put(i, pair.toB, from.buffer, Canaries.MARGIN, window.id(), Canaries.MARGIN, SIZE, userData);
        return i;
    }

    private interface Condition {
        boolean holds();
    }

    /** Drives only the first side. */
    private void untilAlone(Condition condition) {
        long start = System.nanoTime();
        while (!condition.holds()) {
            assertThat(System.nanoTime() - start).isLessThan(Patience.NANOS);
            if (pair.aDone.take() == 0) {
                Patience.pause(1);
            }
        }
    }

    private void assertNext(long userData, long result) {
        untilAlone(() -> !pair.aDone.isEmpty());
        Completions.Completion completion = pair.aDone.remove();
        assertThat(completion.userData()).isEqualTo(userData);
        assertThat(BulkResult.toString(completion.result())).isEqualTo(BulkResult.toString(result));
        assertThat(pair.toB.isRecovering()).isTrue();
    }

    /** The connection is restored, and the message that met the failure arrives. */
    private void resume() {
        pair.bRing.receive(pair.bRing.next(), pair.toA, 9, to.buffer, 0, 8, 20);
        pair.bRing.submit();
        assertThat(pair.next(pair.bDone).userData()).isEqualTo(20);
        assertThat(pair.next(pair.aDone).userData()).isEqualTo(2);
        assertThat(pair.toB.reconnections()).isPositive();
    }

    @Test
    void suspendedEntryIsCancelledAtOnce() {
        put(3);
        pair.aRing.cancel(pair.aRing.next(), 3, 4);
        pair.aRing.submit();
        untilAlone(() -> pair.aDone.size() == 2);
        assertThat(pair.toB.isRecovering()).isTrue();
        for (int n = 0; n < 2; n++) {
            Completions.Completion completion = pair.aDone.remove();
            assertThat(completion.result()).isEqualTo(completion.userData() == 3 ? -Errno.ECANCELED : 0);
        }
        resume();
    }

    @Test
    void suspendedEntryKeepsDeadline() {
        int i = put(3);
        pair.aRing.deadline(i, 20);
        pair.aRing.submit();
        assertNext(3, -Errno.ETIMEDOUT);
        resume();
    }

    @Test
    void chainContinuesAfterRecovery() {
        to.buffer.bytes().put(new byte[to.buffer.bytes().capacity()]);
        pair.aRing.flags(put(3), BulkFlags.LINK);
        pair.aRing.send(pair.aRing.next(), pair.toB, 9, from.buffer, 8, 8, 4);
        pair.aRing.submit();
        pair.bRing.receive(pair.bRing.next(), pair.toA, 9, to.buffer, 0, 8, 20);
        pair.bRing.receive(pair.bRing.next(), pair.toA, 9, to.buffer, 8, 8, 21);
        pair.bRing.submit();
        pair.until(() -> pair.bDone.size() == 2);
        assertThat(to.part()).as("data written before the message").isEqualTo(from.part());
        pair.until(() -> pair.aDone.size() == 3);
        for (long userData = 2; userData <= 4; userData++) {
            assertThat(pair.aDone.remove().userData()).isEqualTo(userData);
        }
    }

    @Test
    void cancelledEntryEndsChain() {
        pair.aRing.flags(put(3), BulkFlags.LINK);
        put(4);
        pair.aRing.cancel(pair.aRing.next(), 3, 5);
        pair.aRing.submit();
        untilAlone(() -> pair.aDone.size() == 3);
        for (int n = 0; n < 3; n++) {
            Completions.Completion completion = pair.aDone.remove();
            assertThat(completion.result()).isEqualTo(completion.userData() == 5 ? 0 : -Errno.ECANCELED);
        }
        resume();
    }

    /** A window revoked meanwhile is free when the peer has confirmed it after the recovery. */
    @Test
    void windowRevokedDuringRecoveryIsReleased() {
        var revoked = window.revoke();
        put(3);
        pair.aRing.submit();
        pair.bRing.receive(pair.bRing.next(), pair.toA, 9, to.buffer, 0, 8, 20);
        pair.bRing.submit();
        pair.until(() -> pair.aDone.size() == 2 && revoked.isDone());
        assertThat(revoked).isCompleted();
        for (int n = 0; n < 2; n++) { // in no order
            Completions.Completion completion = pair.aDone.remove();
            long good = completion.userData() == 3 ? SIZE : 8;
            assertThat(completion.result()).isIn(good, completion.userData() == 3 ? -Errno.ESTALE : good);
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.QpType;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program polls now and then, so that the device leaves receiving to it. It has a ring, and packets by a socket. */
@Timeout(Patience.TEST_SECONDS)
class RarePollsTest {
    private static final int MESSAGES = 40;
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(100);

    private final Subject receiver = new Subject(TestContext.open(TestContext.oneCopy()), QpType.UD, 4096);
    private final Subject near = new Subject(TestContext.open(TestContext.oneCopy()), QpType.UD, 64);
    private final Subject far = new Subject(TestContext.open(TestContext.PACKETS), QpType.UD, 64);

    @BeforeEach
    void connect() {
        for (Subject each : new Subject[] {receiver, near, far}) {
            each.connect(null, 0, 0, 0);
        }
        for (int i = 0; i <= MESSAGES; i++) {
            receiver.recv(i, 0, 256);
        }
    }

    @AfterEach
    void close() {
        near.close();
        far.close();
        receiver.close();
    }

    private AddressHandle handle(Subject from) {
        return from.pd.createAh(Subject.path(receiver.gid()));
    }

    private void send(Subject from, AddressHandle ah) {
        from.post(from.wr(WrOpcode.SEND, 1, 0, 8)
                .ah(ah)
                .remoteQpn(receiver.qp.qpNum())
                .remoteQkey(Subject.QKEY));
        from.next();
    }

    /** Polls until a message has come; returns how often. */
    private int polls() {
        WorkCompletion[] wc = {new WorkCompletion()};
        int polls = 1;
        long end = System.nanoTime() + Patience.NANOS;
        for (; receiver.cq.poll(1, wc) == 0; polls++) {
            assertThat(System.nanoTime()).as("time until a message").isLessThan(end);
            LockSupport.parkNanos(PAUSE);
        }
        return polls;
    }

    @Test
    void packetsOfSocketDoNotWaitForManyPolls() {
        try (AddressHandle byRing = handle(near);
                AddressHandle bySocket = handle(far)) {
            near.awaitRing(receiver.gid());
            send(near, byRing);
            polls();
            assertThat(near.context.port().counters().get("tx_onecopy_records")).isEqualTo(1);
            int polls = 0;
            for (int i = 0; i < MESSAGES; i++) {
                send(far, bySocket);
                polls += polls();
            }
            assertThat(polls).isLessThan(8 * MESSAGES);
        }
    }
}

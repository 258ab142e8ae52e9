/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static io.verbs4j.BuilderFakes.AH;
import static io.verbs4j.BuilderFakes.CQ;
import static io.verbs4j.BuilderFakes.MW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbs4j.BuilderFakes.NewQp;
import io.verbs4j.BuilderFakes.OldQp;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What fails when requests are built, and what is posted then. */
class SendBuilderErrorsTest extends SendBuilderRig {
    @Test
    void builderRejectsWholeListWithWrongAddress() {
        OldQp ud = new OldQp(QpType.UD);
        assertEquals(Errno.EINVAL, built(ud, b -> b.send(1, S).udAddr(AH, 1, 2).send(2, S)), "no address");
        OldQp xrc = new OldQp(QpType.XRC_SEND);
        assertEquals(Errno.EINVAL, built(xrc, b -> b.send(1, S).xrcSrqn(1).send(2, S)), "no number");
        assertEquals(0, built(xrc, b -> b.send(1, S).xrcSrqn(-1)));
        OldQp driver = new OldQp(QpType.DRIVER);
        assertEquals(
                Errno.EOPNOTSUPP, built(driver, b -> b.send(1, S).send(2, S).vendorAddr(AH, 1, 2)));
        assertEquals(0, built(driver, b -> b.send(1, S).vendorAddr(AH, 1, 2).udAddr(AH, 3, 4)), "the last one counts");
        assertEquals(0, ud.calls);
        assertEquals(1, xrc.calls);
        assertEquals(List.of("SEND 1 flags 2 ah true 3 4"), driver.posted);
    }

    private static void wrong(int qpType, Consumer<SendBuilder> what) {
        for (OldQp qp : List.of(new OldQp(qpType), new NewQp(qpType))) {
            SendBuilder b = qp.builder();
            b.start();
            b.send(1, S);
            if (qpType == QpType.UD) {
                b.udAddr(AH, 1, 1);
            }
            what.accept(b);
            b.send(2, S)
                    .sge(1, 2, 3)
                    .send(3, S, 1, 2, 3)
                    .localInv(4, 0, 1)
                    .nop(5, 0)
                    .cqeWait(6, 0, CQ, 1);
            assertEquals(Errno.EINVAL, b.complete());
            assertEquals(0, b.posted());
            assertEquals(0, qp.calls, "nothing has reached the provider");
            assertEquals(Errno.EINVAL, b.complete(), "not started");
            b.start();
            if (qpType == QpType.UD) {
                b.send(1, S).udAddr(AH, 1, 1);
            } else if (qpType == QpType.XRC_SEND) {
                b.send(1, S).xrcSrqn(1);
            } else {
                b.nop(7, 0);
            }
            assertEquals(0, b.complete(), "the next batch is independent");
            assertEquals(1, b.posted());
        }
    }

    @Test
    void completeReportsInvalidRequests() {
        wrong(QpType.RC, b -> b.sge(1, 2, -1));
        wrong(QpType.RC, b -> b.sge(1, 2, 3).sge(1, 2, -1));
        wrong(QpType.RC, b -> b.inlineData(1, 2, -1));
        wrong(QpType.RC, b -> b.send(1, S, 1, 2, -1));
        wrong(QpType.RC, b -> b.write(1, S, 1, 2, 1, 2, Integer.MIN_VALUE));
        wrong(QpType.RC, b -> b.sge(1, 2, 3).inlineData(1, 2, 3));
        wrong(QpType.RC, b -> b.inlineData(1, 2, 3).sge(1, 2, 3));
        wrong(QpType.RC, b -> b.udAddr(AH, 1, 2));
        wrong(QpType.UC, b -> b.vendorAddr(AH, 1, 2));
        wrong(QpType.XRC_SEND, b -> b.udAddr(AH, 1, 2));
        wrong(QpType.UD, b -> b.vendorAddr(AH, 1, 2));
        wrong(QpType.RC, b -> b.xrcSrqn(1));
        wrong(QpType.UD, b -> b.xrcSrqn(1));
        wrong(QpType.DRIVER, b -> b.xrcSrqn(1));
        wrong(QpType.RC, b -> b.bindMw(1, S, MW, 1, null));
        wrong(QpType.RC, b -> b.regMr(1, S, null));
        wrong(QpType.RC, SendBuilder::start);
        wrong(QpType.RC, b -> {
            for (int i = 0; i < 2048; i++) {
                b.sge(1, 2, 3);
            }
        });
    }

    /** An element would not be copied, although a program that sets the flag relies on that. */
    @Test
    void inlineFlagFails() {
        int flags = S | SendFlags.INLINE;
        wrong(QpType.RC, b -> b.send(1, flags));
        wrong(QpType.RC, b -> b.send(1, flags).inlineData(1, 2, 3));
        wrong(QpType.RC, b -> b.send(1, flags).sge(1, 2, 3));
        wrong(QpType.RC, b -> b.send(1, flags, 1, 2, 3));
        wrong(QpType.RC, b -> b.write(1, flags, 1, 2, 1, 2, 3));
        wrong(QpType.RC, b -> b.read(1, flags, 1, 2, 1, 2, 3));
        wrong(QpType.RC, b -> b.atomicFetchAdd(1, flags, RKEY, ADDR, 1));
        wrong(QpType.RC, b -> b.flush(1, flags, RKEY, ADDR, 1, 1, 1));
        wrong(QpType.RC, b -> b.nop(1, flags));
        wrong(QpType.RC, b -> b.bindMw(1, flags, MW, 1, new MwBind()));
        wrong(QpType.RC, b -> b.cqeWait(1, flags, CQ, 1));
    }

    /** Another start does not end it, because the program may not know that it is one too many. */
    @Test
    void reportedErrorEndsWithBatch() {
        NewQp qp = new NewQp(QpType.RC);
        SendBuilder b = qp.builder();
        b.start();
        b.nop(1, S).sge(1, 2, -1);
        assertEquals(0, b.count());
        b.start();
        b.nop(2, S);
        assertEquals(0, b.count());
        assertEquals(Errno.EINVAL, b.complete());
        assertEquals(0, qp.calls);
        b.start();
        b.nop(3, S);
        assertEquals(1, b.count());
        assertEquals(0, b.complete());
    }

    @Test
    void elementsOfBareOperationsFail() {
        List<Consumer<SendBuilder>> bare = List.of(
                b -> b.localInv(1, S, 1),
                b -> b.bindMw(1, S, MW, 1, new MwBind()),
                b -> b.flush(1, S, 1, 1, 1, 1, 1),
                b -> b.atomicWrite(1, S, 1, 1, 1),
                b -> b.nop(1, S),
                b -> b.cqeWait(1, S, CQ, 1),
                b -> b.sendEnable(1, S, null, 1),
                b -> b.recvEnable(1, S, null, 1));
        for (Consumer<SendBuilder> operation : bare) {
            wrong(QpType.RC, operation.andThen(b -> b.sge(1, 2, 3)));
            wrong(QpType.RC, operation.andThen(b -> b.inlineData(1, 2, 0)));
        }
    }

    @Test
    void callsInWrongOrderFail() {
        for (OldQp qp : List.of(new OldQp(QpType.RC), new NewQp(QpType.RC))) {
            SendBuilder b = qp.builder();
            assertSame(qp, b.qp());
            assertEquals(Errno.EINVAL, b.complete(), "without start");
            b.send(1, S).sge(1, 2, 3).xrcSrqn(1).write(1, S, 1, 2, 3, 4, 5);
            assertEquals(Errno.EINVAL, b.complete(), "still");
            b.start();
            assertEquals(0, b.complete(), "nothing");
            assertEquals(0, qp.calls, "the provider was not called");
            assertEquals(Errno.EINVAL, b.complete(), "that batch was over");
            b.start();
            assertEquals(0, b.complete(), "nothing again");
            b.start();
            b.sge(1, 2, 3);
            assertEquals(Errno.EINVAL, b.complete(), "an element without a request");
            b.start();
            b.send(1, S, 1, 2, 3);
            b.abort();
            assertEquals(Errno.EINVAL, b.complete(), "after abort");
            b.abort();
            b.start();
            b.sge(1, 2, 3);
            b.abort();
            b.start();
            b.send(9, S);
            assertEquals(0, b.complete(), "an aborted batch leaves no error");
            assertEquals(List.of("SEND 9 flags 2"), qp.posted);
        }
    }

    @Test
    void failedBatchPostsNothing() {
        NewQp qp = new NewQp(QpType.RC);
        qp.answer = Errno.ENOMEM;
        SendBuilder b = qp.builder();
        b.start();
        b.send(1, S).send(2, S);
        assertEquals(Errno.ENOMEM, b.complete());
        assertEquals(2, qp.seen);
        assertEquals(0, b.posted(), "all or nothing");
        assertEquals(Errno.EINVAL, b.complete());
        assertEquals(0, b.posted());
    }

    @Test
    void listPostsRequestsBeforeFailedOne() {
        OldQp qp = new OldQp(QpType.RC);
        qp.room = 2;
        SendBuilder b = qp.builder();
        b.start();
        b.send(1, S).send(2, S).send(3, S).send(4, S);
        assertEquals(Errno.ENOMEM, b.complete());
        assertEquals(2, b.posted());
        assertEquals(2, qp.posted.size());
        qp.room = 0;
        b.start();
        b.send(1, S).send(2, S);
        assertEquals(Errno.ENOMEM, b.complete());
        assertEquals(0, b.posted());
    }

    /** Every part of a request, when there is no request. */
    @Test
    void partsWithoutRequestFail() {
        List<Consumer<SendBuilder>> parts = List.of(
                b -> b.sge(1, 2, 3),
                b -> b.inlineData(1, 2, 3),
                b -> b.udAddr(AH, 1, 2),
                b -> b.vendorAddr(AH, 1, 2),
                b -> b.xrcSrqn(1));
        for (int qpType : new int[] {QpType.RC, QpType.UD, QpType.XRC_SEND, QpType.DRIVER}) {
            for (Consumer<SendBuilder> part : parts) {
                NewQp qp = new NewQp(qpType);
                SendBuilder b = qp.builder();
                part.accept(b);
                assertEquals(Errno.EINVAL, b.complete(), "before a start");
                b.start();
                part.accept(b);
                part.accept(b);
                assertEquals(Errno.EINVAL, b.complete(), "of the first, and after the error");
                part.accept(b);
                b.start();
                b.send(1, S).sge(1, 2, -3);
                part.accept(b);
                assertEquals(Errno.EINVAL, b.complete(), "after a request with an error");
                assertEquals(0, qp.calls);
                assertEquals(0, b.objectAt());
                b.start();
                assertEquals(0, b.complete());
            }
        }
    }

    @Test
    void builderRecoversFromThrowingProvider() {
        NewQp qp = new NewQp(QpType.RC) {
            @Override
            protected int postBuilt(SendBuilder builder) {
                if (builder.wrId(0) == 1) {
                    throw new IllegalStateException("a defect");
                }
                return super.postBuilt(builder);
            }
        };
        SendBuilder b = qp.builder();
        b.start();
        b.cqeWait(1, S, CQ, 1);
        assertThrows(IllegalStateException.class, b::complete);
        assertEquals(0, b.objectAt());
        assertEquals(0, b.count());
        assertEquals(Errno.EINVAL, b.complete(), "no batch was started");
        b.start();
        b.send(2, S);
        assertEquals(0, b.complete());
        assertEquals(1, b.posted());
    }
}

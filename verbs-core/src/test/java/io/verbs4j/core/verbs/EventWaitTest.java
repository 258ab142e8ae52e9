/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import io.verbs4j.core.Background;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events and destruction in several threads. */
@Timeout(Patience.TEST_SECONDS)
class EventWaitTest {
    private final Rig rig = new Rig();
    private final ProtectionDomain pd = rig.pd();
    private final CompletionChannel channel = rig.channel();
    private final CompletionQueue cq = rig.cq(channel);

    static Stream<Function<EventWaitTest, VerbsObject>> objectsWithEvents() {
        return Stream.of(t -> t.cq, t -> t.rig.udQp(), t -> t.rig.srq(t.pd));
    }

    private AsyncEvent deliverAbout(VerbsObject object) {
        doReturn(AsyncEvent.of(EventType.QP_FATAL, object)).when(rig.ops).getAsyncEvent(anyLong());
        return rig.context.getAsyncEvent();
    }

    private void verifyDestroyed(VerbsObject object, int times) {
        if (object instanceof CompletionQueue c) {
            verify(rig.ops, times(times)).destroyCq(c);
        } else if (object instanceof QueuePair q) {
            verify(rig.ops, times(times)).destroyQp(q);
        } else {
            verify(rig.ops, times(times)).destroySrq((SharedReceiveQueue) object);
        }
    }

    @ParameterizedTest
    @MethodSource("objectsWithEvents")
    void closeForgetsEventsInUse(Function<EventWaitTest, VerbsObject> make) {
        VerbsObject object = make.apply(this);
        AsyncEvent kept = deliverAbout(object);
        AsyncEvent givenBack = deliverAbout(object);
        givenBack.ack();

        object.close();

        verifyDestroyed(object, 1);
        assertThat(kept.element()).isSameAs(object);
        assertThat(kept.eventType()).isEqualTo(EventType.QP_FATAL);
        kept.ack(); // nobody needs to know any more
        verify(rig.ops, never()).ackAsyncEvent(kept);
        verify(rig.ops).ackAsyncEvent(givenBack);
    }

    /** What try-with-resources does where the program throws between the event and its acknowledgement. */
    @Test
    void programsExceptionIsNotSwallowed() {
        doReturn(cq).when(rig.ops).getCqEvent(any(), anyLong());

        assertThatThrownBy(() -> {
                    try (CompletionQueue queue = cq) {
                        channel.getEvent();
                        throw new IllegalStateException("the program's own, on " + queue);
                    }
                })
                .hasMessageStartingWith("the program's own");
        verify(rig.ops).destroyCq(cq);
    }

    @Test
    void closeForgetsCompletionEventsToo() {
        doReturn(cq).when(rig.ops).getCqEvent(any(), anyLong());
        channel.getEvent();
        channel.getEvent();
        cq.ackEvents(1);

        cq.close();

        verify(rig.ops).destroyCq(cq);
        assertFails(Errno.EINVAL, () -> cq.ackEvents(1), "closed");
    }

    @Test
    void providerGetsAcknowledgementBeforeDestroy() throws InterruptedException {
        AsyncEvent event = deliverAbout(cq);
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return null;
                })
                .when(rig.ops)
                .ackAsyncEvent(event);

        Background<Void> ack = Background.run(event::ack);
        inProvider.await();
        Background<Void> close = Background.run(cq::close).awaitWaiting();
        assertFails(Errno.EINVAL, event::ack);
        verify(rig.ops, never()).destroyCq(cq);
        finish.countDown();

        assertThat(ack.thrown()).isNull();
        assertThat(close.thrown()).isNull();
    }

    @Test
    void parentIsBusyWithoutWaiting() {
        QueuePair qp = rig.qp(pd, cq, QpType.UD);
        deliverAbout(cq);

        assertFails(Errno.EBUSY, cq::close, "1 queue pair");
        qp.close();
    }

    /** The provider waits while others use the channel and the context: no lock is held. */
    @Test
    void waitingHoldsNothing() throws InterruptedException {
        CountDownLatch inProvider = new CountDownLatch(2);
        CountDownLatch finish = new CountDownLatch(1);
        AsyncEvent event = AsyncEvent.of(rig.context, EventType.PORT_ERR, 1);
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return cq;
                })
                .when(rig.ops)
                .getCqEvent(any(), anyLong());
        doAnswer(i -> {
                    inProvider.countDown();
                    finish.await();
                    return event;
                })
                .when(rig.ops)
                .getAsyncEvent(anyLong());
        Background<CompletionQueue> waitsForCompletion = Background.call(channel::getEvent);
        Background<AsyncEvent> waitsForEvent = Background.call(rig.context::getAsyncEvent);
        inProvider.await();

        cq.resize(3);
        rig.cq(channel).close();
        rig.context.queryPort(1);
        finish.countDown();

        assertThat(waitsForCompletion.result()).isSameAs(cq);
        assertThat(waitsForEvent.result()).isSameAs(event);
    }

    @Test
    void closingChannelWakesWaitingThreads() throws InterruptedException {
        CountDownLatch inProvider = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    closed.await();
                    throw new VerbsException(Errno.EBADF, "get_cq_event", "destroyed");
                })
                .when(rig.ops)
                .getCqEvent(any(), anyLong());
        doAnswer(i -> {
                    closed.countDown();
                    return null;
                })
                .when(rig.ops)
                .destroyCompChannel(channel);
        Background<CompletionQueue> waits = Background.call(channel::getEvent);
        inProvider.await();
        cq.close();

        channel.close();

        assertThat(waits.thrown())
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void closingContextWakesWaitingThreads() throws InterruptedException {
        CountDownLatch inProvider = new CountDownLatch(3);
        CountDownLatch closed = new CountDownLatch(1);
        doAnswer(i -> {
                    inProvider.countDown();
                    closed.await();
                    throw new NullPointerException("pulled away");
                })
                .doAnswer(i -> {
                    inProvider.countDown();
                    closed.await();
                    return null;
                })
                .doAnswer(i -> {
                    inProvider.countDown();
                    closed.await();
                    return AsyncEvent.of(rig.context, EventType.DEVICE_FATAL, 0);
                })
                .when(rig.ops)
                .getAsyncEvent(anyLong());
        Background<AsyncEvent> first =
                Background.call(rig.context::getAsyncEvent).awaitWaiting();
        Background<AsyncEvent> second =
                Background.call(rig.context::getAsyncEvent).awaitWaiting();
        Background<AsyncEvent> third =
                Background.call(rig.context::getAsyncEvent).awaitWaiting();
        inProvider.await();
        cq.close();
        channel.close();
        pd.close();

        rig.context.close();
        closed.countDown();

        assertThat(first.thrown()).hasMessageContaining("EBADF").hasMessageContaining("context of fake0 is closed");
        assertThat(second.thrown()).hasMessageContaining("EBADF");
        assertThat(third.thrown()).hasMessageContaining("EBADF");
    }

    @Test
    void eventDuringFailedDestroyIsNotLost() throws InterruptedException {
        CountDownLatch inDestroy = new CountDownLatch(1);
        CountDownLatch fail = new CountDownLatch(1);
        doAnswer(i -> {
                    inDestroy.countDown();
                    fail.await();
                    throw new VerbsException(Errno.EIO, "destroy_cq", "not now");
                })
                .doNothing()
                .when(rig.ops)
                .destroyCq(cq);
        doReturn(cq).when(rig.ops).getCqEvent(any(), anyLong());
        Background<Void> close = Background.run(cq::close);
        inDestroy.await();

        Background<CompletionQueue> event = Background.call(channel::getEvent).awaitWaiting();
        fail.countDown();

        assertThat(close.thrown()).hasMessageContaining("not now");
        assertThat(event.result()).isSameAs(cq);
        cq.ackEvents(1);
        cq.close();
    }

    @Test
    void eventDuringDestroyIsDropped() throws InterruptedException {
        CountDownLatch inDestroy = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        doAnswer(i -> {
                    inDestroy.countDown();
                    finish.await();
                    return null;
                })
                .when(rig.ops)
                .destroyCq(cq);
        doReturn(cq)
                .doThrow(new VerbsException(Errno.EAGAIN, "get_cq_event", "nothing more"))
                .when(rig.ops)
                .getCqEvent(any(), anyLong());
        Background<Void> close = Background.run(cq::close);
        inDestroy.await();

        Background<CompletionQueue> event = Background.call(channel::getEvent).awaitWaiting();
        finish.countDown();

        assertThat(close.thrown()).isNull();
        assertThat(event.thrown()).hasMessageContaining("nothing more");
    }

    @Test
    void errorOfOpenSourceIsPassedOn() {
        doThrow(new VerbsException(Errno.ENXIO, "get_cq_event", "gone"))
                .when(rig.ops)
                .getCqEvent(any(), anyLong());

        assertFails(Errno.ENXIO, channel::getEvent, "gone");
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.core.Fakes;
import io.verbs4j.testsupport.Patience;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.ArgumentCaptor;

/** Events are counted when they are handed out, and given back once. EventWaitTest has what takes two threads. */
@Timeout(Patience.TEST_SECONDS)
class EventsTest {
    private final Rig rig = new Rig();
    private final CompletionChannel channel = rig.channel();
    private final CompletionQueue cq = rig.cq(channel);

    private void nextCqEvents(CompletionQueue first, CompletionQueue... more) {
        doReturn(first, (Object[]) more).when(rig.ops).getCqEvent(eq(channel), anyLong());
    }

    private AsyncEvent deliver(AsyncEvent event) {
        doReturn(event).when(rig.ops).getAsyncEvent(anyLong());
        return rig.context.getAsyncEvent();
    }

    @Test
    void completionEventsCannotBeAcknowledgedTooOften() {
        nextCqEvents(cq);
        channel.getEvent();
        channel.getEvent();
        channel.getEvent();

        assertFails(Errno.EINVAL, () -> cq.ackEvents(4), "ack_cq_events", "count is 4, but 3 events");
        cq.ackEvents(2);
        assertFails(Errno.EINVAL, () -> cq.ackEvents(2), "count is 2, but 1 events");
        cq.ackEvents(1);
        assertFails(Errno.EINVAL, () -> cq.ackEvents(1), "0 events");
        verify(rig.ops).ackCqEvents(cq, 2);
        verify(rig.ops).ackCqEvents(cq, 1);
        verify(rig.ops, times(2)).ackCqEvents(any(), anyInt());
        cq.close();
    }

    @Test
    void countMustBePositive() {
        assertFails(Errno.EINVAL, () -> cq.ackEvents(0), "count is 0");
        assertFails(Errno.EINVAL, () -> cq.ackEvents(-1), "count is -1");
        verify(rig.ops, never()).ackCqEvents(any(), anyInt());
    }

    @Test
    void asynchronousEventIsAcknowledgedOnce() {
        QueuePair qp = rig.udQp();
        AsyncEvent event = deliver(AsyncEvent.of(EventType.COMM_EST, qp));

        event.ack();

        verify(rig.ops).ackAsyncEvent(event);
        assertFails(Errno.EINVAL, event::ack, "ack_async_event", "communication established", "once");
        verify(rig.ops, times(1)).ackAsyncEvent(any());
        qp.close();
    }

    @Test
    void portEventIsAcknowledgedOnce() {
        AsyncEvent event = deliver(AsyncEvent.of(rig.context, EventType.PORT_ACTIVE, 1));

        event.ack();

        verify(rig.ops).ackAsyncEvent(event);
        assertFails(Errno.EINVAL, event::ack, "port active on port 1");
    }

    @Test
    void unknownEventCannotBeAcknowledged() {
        assertFails(
                Errno.EINVAL,
                () -> AsyncEvent.of(rig.context, EventType.PORT_ERR, 1).ack(),
                "did not return it");
        assertFails(Errno.EINVAL, () -> AsyncEvent.of(EventType.CQ_ERR, cq).ack(), "did not return it");
        assertFails(
                Errno.EINVAL, () -> ((LibraryContext) rig.context).libraryOps().ackAsyncEvent(null), "event is null");
        verify(rig.ops, never()).ackAsyncEvent(any());
    }

    @Test
    void eventDeliveredTwiceIsAcknowledgedTwice() {
        AsyncEvent event = AsyncEvent.of(EventType.CQ_ERR, cq);
        deliver(event);
        deliver(event);

        event.ack();
        event.ack();
        assertFails(Errno.EINVAL, event::ack);
        cq.close();
    }

    @Test
    void eventIsAcknowledgedEvenIfProviderFails() {
        AsyncEvent event = deliver(AsyncEvent.of(EventType.CQ_ERR, cq));
        nextCqEvents(cq);
        channel.getEvent();
        doThrow(new IllegalStateException("oops")).when(rig.ops).ackAsyncEvent(any());
        doThrow(new IllegalStateException("oops")).when(rig.ops).ackCqEvents(any(), anyInt());

        assertFails(Errno.EIO, event::ack);
        assertFails(Errno.EIO, () -> cq.ackEvents(1));

        cq.close(); // does not wait
    }

    @Test
    void unacknowledgedPortEventDoesNotBlockClose() {
        AsyncEvent event = deliver(AsyncEvent.of(rig.context, EventType.PORT_ACTIVE, 1));
        cq.close();
        channel.close();

        rig.context.close();

        event.ack(); // nobody needs to know any more
        verify(rig.ops, never()).ackAsyncEvent(event);
    }

    @Test
    void eventsOfClosedObjectsAreDropped() {
        CompletionQueue closed = rig.cq(channel);
        QueuePair closedQp = rig.udQp();
        closed.close();
        closedQp.close();
        AsyncEvent good = AsyncEvent.of(EventType.CQ_ERR, cq);
        nextCqEvents(closed, closed, cq);
        doReturn(AsyncEvent.of(EventType.COMM_EST, closedQp), good)
                .when(rig.ops)
                .getAsyncEvent(anyLong());

        assertThat(channel.getEvent()).isSameAs(cq);
        assertThat(rig.context.getAsyncEvent()).isSameAs(good);

        verify(rig.ops, times(3)).getCqEvent(channel, -1);
        verify(rig.ops, times(2)).getAsyncEvent(-1);
    }

    @Test
    void waitContinuesForRestOfTimeAfterDroppedEvent() {
        CompletionQueue closed = rig.cq(channel);
        closed.close();
        nextCqEvents(closed, closed, (CompletionQueue) null);

        assertThat(channel.getEvent(1, TimeUnit.HOURS)).isNull();

        ArgumentCaptor<Long> nanos = ArgumentCaptor.forClass(Long.class);
        verify(rig.ops, times(3)).getCqEvent(eq(channel), nanos.capture());
        assertThat(nanos.getAllValues().get(0)).isEqualTo(TimeUnit.HOURS.toNanos(1));
        assertThat(nanos.getAllValues().get(1))
                .isLessThan(nanos.getAllValues().get(0))
                .isPositive();
        assertThat(nanos.getAllValues().get(2))
                .isLessThan(nanos.getAllValues().get(1))
                .isPositive();
    }

    @Test
    void timeoutsPassThrough() {
        assertThat(channel.getEvent(5, TimeUnit.MICROSECONDS)).isNull();
        assertThat(rig.context.getAsyncEvent(7, TimeUnit.MICROSECONDS)).isNull();

        verify(rig.ops).getCqEvent(channel, 5000);
        verify(rig.ops).getAsyncEvent(7000);
    }

    @Test
    void timeoutBelowForEverIsRefused() {
        var ops = ((LibraryContext) rig.context).libraryOps();
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> ops.getCqEvent(channel, -2), "timeoutNanos is -2");
        assertFails(Errno.EINVAL, () -> ops.getAsyncEvent(-2), "timeoutNanos is -2");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void closedSourceFailsWithBadDescriptor() {
        cq.close();
        channel.close();
        clearInvocations(rig.ops);

        assertFails(Errno.EBADF, channel::getEvent, "get_cq_event", "completion channel of fake0 is closed");
        rig.context.close();
        clearInvocations(rig.ops);
        assertFails(Errno.EBADF, rig.context::getAsyncEvent, "get_async_event", "context of fake0 is closed");
        verifyNoInteractions(rig.ops);
    }

    @Test
    void interruptedThreadDoesNotWait() {
        clearInvocations(rig.ops);
        Thread.currentThread().interrupt();

        assertFails(Errno.EINTR, channel::getEvent, "get_cq_event", "interrupted");
        assertFails(Errno.EINTR, () -> rig.context.getAsyncEvent(1, TimeUnit.DAYS), "get_async_event");
        verifyNoInteractions(rig.ops);
        assertThat(channel.getEvent(0, TimeUnit.SECONDS))
                .as("polling does not wait")
                .isNull();
        assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
    }

    @Test
    void interruptOfProviderIsKept() {
        doThrow(new VerbsException(Errno.EINTR, "get_cq_event", "interrupted"))
                .when(rig.ops)
                .getCqEvent(any(), anyLong());

        assertFails(Errno.EINTR, channel::getEvent);

        assertThat(Thread.interrupted()).isTrue();
    }

    /** Reserved for providers of later levels: a wait without end may be woken, too. */
    @Test
    void wokenEndlessWaitReturnsNull() {
        assertThat(channel.getEvent()).isNull();
        assertThat(deliver(null)).isNull();
    }

    @Test
    void nonsenseIsReportedAsProvidersDefect() {
        Rig other = new Rig("fake1");
        nextCqEvents(other.cq());
        assertFails(Errno.EIO, channel::getEvent, "does not belong to this context");
        nextCqEvents(new Fakes.FakeCq(rig.context, 1, null, channel));
        assertFails(Errno.EIO, channel::getEvent, "does not belong to this context");
        nextCqEvents(rig.cq(rig.channel()));
        assertFails(Errno.EIO, channel::getEvent, "does not belong to the channel");
        assertFails(
                Errno.EIO,
                () -> deliver(AsyncEvent.of(EventType.CQ_ERR, rig.pd())),
                "protection domain",
                "has no events");
        assertFails(
                Errno.EIO,
                () -> deliver(AsyncEvent.of(EventType.CQ_ERR, other.cq())),
                "does not belong to this context");
    }
}

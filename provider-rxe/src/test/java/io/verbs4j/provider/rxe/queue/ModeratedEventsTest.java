/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.provider.rxe.TestContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that wait for a number of completions, or for a time. */
class ModeratedEventsTest {
    private final TestContext context = TestContext.open((String) null);
    private final QuietHost host = new QuietHost();
    private final RxeCompletionChannel channel = new RxeCompletionChannel(context, context.port());

    @AfterEach
    void close() {
        context.close();
    }

    private RxeCompletionQueue queue(int cqe) {
        return new RxeCompletionQueue(context, cqe, null, channel, host, full -> {});
    }

    private static void push(RxeCompletionQueue cq, long wrId) {
        cq.cq.push(new WorkCompletion().wrId(wrId), "owner", false);
    }

    private int events() {
        int n = 0;
        while (channel.events.get(0) != null) {
            n++;
        }
        return n;
    }

    @Test
    void eventsAreModeratedByCount() {
        RxeCompletionQueue cq = queue(2000);
        cq.cq.moderate(7, 0);
        assertThat(host.watched).isFalse();
        int events = 0;
        for (int i = 0; i < 1000; i++) {
            cq.reqNotify(false);
            push(cq, i);
            events += events();
        }
        assertThat(events).isEqualTo(1000 / 7);
        cq.cq.moderate(0, 0); // raises the delayed event
        assertThat(events()).isEqualTo(1);
        cq.reqNotify(false);
        push(cq, 1);
        assertThat(events()).isEqualTo(1);
        push(cq, 2);
        assertThat(events()).as("events without a request").isZero();
    }

    @Test
    void eventsAreModeratedByTime() {
        RxeCompletionQueue cq = queue(2000);
        cq.cq.moderate(3, 1000);
        assertThat(host.watched).isTrue();
        host.now = 500;
        cq.reqNotify(false);
        push(cq, 1);
        assertThat(host.deadline).isEqualTo(1500);
        host.now = 600;
        push(cq, 2);
        cq.cq.onTimer(1499);
        assertThat(events()).isZero();
        cq.cq.onTimer(1500);
        assertThat(events()).isEqualTo(1);
        assertThat(cq.cq.deadline()).isEqualTo(Long.MAX_VALUE);
        cq.cq.onTimer(9999);
        assertThat(events()).isZero();
        cq.reqNotify(false);
        push(cq, 3);
        push(cq, 4);
        push(cq, 5);
        assertThat(events()).as("events by count, before the period ends").isEqualTo(1);
        cq.cq.onTimer(99_999);
        assertThat(events()).isZero();
        cq.cq.destroy();
        assertThat(host.watched).isFalse();
    }

    @Test
    void onlySolicitedCompletionsCount() {
        RxeCompletionQueue cq = queue(100);
        cq.cq.moderate(2, 0);
        cq.reqNotify(true);
        push(cq, 1);
        push(cq, 2);
        push(cq, 3);
        assertThat(events()).isZero();
        cq.cq.push(new WorkCompletion(), this, true);
        assertThat(events()).isZero();
        cq.cq.push(new WorkCompletion().status(WcStatus.WR_FLUSH_ERR), this, false);
        assertThat(events()).isEqualTo(1);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.flight;

import io.verbs4j.CompletionQueue;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A completion was lost because its queue was full. */
@Name("io.verbs4j.CompletionQueueOverrun")
@Label("Completion Queue Overrun")
@Description("A completion was lost because its queue was full")
@Category("RDMA")
@StackTrace(false)
final class CompletionQueueOverrunEvent extends Event {
    @Label("Device")
    String device;

    @Label("Entries")
    @Description("The size of the queue")
    int entries;

    static void record(CompletionQueue cq) {
        CompletionQueueOverrunEvent event = new CompletionQueueOverrunEvent();
        if (event.shouldCommit()) {
            event.device = cq.context().device().name();
            event.entries = cq.cqe();
            event.commit();
        }
    }
}

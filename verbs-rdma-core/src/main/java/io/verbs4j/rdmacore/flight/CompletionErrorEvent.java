/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.flight;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WcStatus;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A work request failed. */
@Name("io.verbs4j.CompletionError")
@Label("Completion Error")
@Description("A work request failed; requests flushed behind it are not recorded")
@Category("RDMA")
@StackTrace(false)
final class CompletionErrorEvent extends Event {
    @Label("Device")
    String device;

    @Label("Queue Pair Number")
    int qpNum;

    @Label("Work Request ID")
    long wrId;

    @Label("Status")
    String status;

    static void record(CompletionQueue cq, int qpNum, long wrId, int status) {
        CompletionErrorEvent event = new CompletionErrorEvent();
        if (event.shouldCommit()) {
            event.device = cq.context().device().name();
            event.qpNum = qpNum;
            event.wrId = wrId;
            event.status = WcStatus.toString(status);
            event.commit();
        }
    }
}

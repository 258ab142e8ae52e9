/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.flight;

import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A program moved a queue pair to another state. */
@Name("io.verbs4j.QueuePairState")
@Label("Queue Pair State")
@Description("A program moved a queue pair to another state")
@Category("RDMA")
@StackTrace(false)
final class QueuePairStateEvent extends Event {
    @Label("Device")
    String device;

    @Label("Queue Pair Number")
    int qpNum;

    @Label("Type")
    String type;

    @Label("From")
    String from;

    @Label("To")
    String to;

    static void record(QueuePair qp, int from, int to) {
        QueuePairStateEvent event = new QueuePairStateEvent();
        if (event.shouldCommit()) {
            event.device = qp.pd().context().device().name();
            event.qpNum = qp.qpNum();
            event.type = QpType.toString(qp.qpType());
            event.from = QpState.toString(from);
            event.to = QpState.toString(to);
            event.commit();
        }
    }
}

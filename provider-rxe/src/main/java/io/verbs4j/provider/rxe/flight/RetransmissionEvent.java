/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A queue pair sends packets again. */
@Name("io.verbs4j.Retransmission")
@Label("Retransmission")
@Description("A reliable queue pair of the embedded device sends packets again")
@Category("RDMA")
@StackTrace(false)
final class RetransmissionEvent extends Event {
    @Label("Queue Pair Number")
    int qpNum;

    @Label("Packets")
    @Description("From the first that is not acknowledged to the last that was sent")
    int packets;

    @Label("Timeouts")
    @Description("How many in a row have led here; 0 where the peer asked for it")
    int timeouts;

    static void record(int qpNum, int packets, int timeouts) {
        RetransmissionEvent event = new RetransmissionEvent();
        if (event.shouldCommit()) {
            event.qpNum = qpNum;
            event.packets = packets;
            event.timeouts = timeouts;
            event.commit();
        }
    }
}

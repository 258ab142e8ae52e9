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
@Description("A reliable queue pair of the embedded device retransmits packets")
@Category("RDMA")
@StackTrace(false)
final class RetransmissionEvent extends Event {
    @Label("Queue Pair Number")
    int qpNum;

    @Label("Packets")
    @Description("From the first unacknowledged packet to the last one sent")
    int packets;

    @Label("Timeouts")
    @Description("Consecutive timeouts that led to it; 0 if the peer requested it")
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

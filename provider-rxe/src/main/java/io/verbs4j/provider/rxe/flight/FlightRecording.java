/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.flight;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import jdk.jfr.FlightRecorder;

/**
 * Records events of the embedded device for the flight recorder: only errors and retransmissions, and nothing for a
 * packet that arrives normally. Does nothing if the JVM has no recorder, or before the first recording starts.
 */
public final class FlightRecording {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    private static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }

    /**
     * Records a failed work request. Requests flushed after it are not recorded.
     *
     * @param cq the queue that receives its completion
     * @param wc its completion, with a status other than SUCCESS
     */
    public static void failed(CompletionQueue cq, WorkCompletion wc) {
        if (wc.status() != WcStatus.WR_FLUSH_ERR && isOn()) {
            CompletionErrorEvent.record(cq, wc);
        }
    }

    /**
     * Records a completion that was lost because its queue was full.
     *
     * @param cq the queue
     */
    public static void overrun(CompletionQueue cq) {
        if (isOn()) {
            CompletionQueueOverrunEvent.record(cq);
        }
    }

    /**
     * Records a retransmission.
     *
     * @param qpNum the queue pair's number
     * @param packets maximum number of packets sent again
     * @param timeouts number of consecutive timeouts that caused it, or 0 if the peer requested it
     */
    public static void sentAgain(int qpNum, int packets, int timeouts) {
        if (isOn()) {
            RetransmissionEvent.record(qpNum, packets, timeouts);
        }
    }
}

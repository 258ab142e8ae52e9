/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.flight;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import jdk.jfr.FlightRecorder;

/**
 * What the embedded device tells the flight recorder: what goes wrong, and nothing for a packet that does not. Nothing where the
 * JVM has none, and nothing before the first recording.
 */
public final class FlightRecording {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    private static boolean isOn() {
        return IS_THERE && FlightRecorder.isInitialized();
    }

    /**
     * A work request has failed. Those that are flushed behind it have not.
     *
     * @param cq the queue that gets its completion
     * @param wc its completion, with another status than SUCCESS
     */
    public static void failed(CompletionQueue cq, WorkCompletion wc) {
        if (wc.status() != WcStatus.WR_FLUSH_ERR && isOn()) {
            CompletionErrorEvent.record(cq, wc);
        }
    }

    /**
     * A completion was lost, as its queue was full.
     *
     * @param cq the queue
     */
    public static void overrun(CompletionQueue cq) {
        if (isOn()) {
            CompletionQueueOverrunEvent.record(cq);
        }
    }

    /**
     * A queue pair sends packets again.
     *
     * @param qpNum its number
     * @param packets how many at most
     * @param timeouts how many in a row have led to this; 0 where the peer asked for it
     */
    public static void sentAgain(int qpNum, int packets, int timeouts) {
        if (isOn()) {
            RetransmissionEvent.record(qpNum, packets, timeouts);
        }
    }
}

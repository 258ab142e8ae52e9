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
     * @param wc its completion, with another status than SUCCESS
     */
    public static void failed(CompletionQueue cq, WorkCompletion wc) {
        if (wc.status() != WcStatus.WR_FLUSH_ERR && isOn()) {
            CompletionErrorEvent.record(cq, wc);
        }
    }

    /** A completion was lost, as its queue was full. */
    public static void overrun(CompletionQueue cq) {
        if (isOn()) {
            CompletionQueueOverrunEvent.record(cq);
        }
    }

    /** Packets of a queue pair, as many, are sent again. */
    public static void sentAgain(int qpNum, int packets, int timeouts) {
        if (isOn()) {
            RetransmissionEvent.record(qpNum, packets, timeouts);
        }
    }
}

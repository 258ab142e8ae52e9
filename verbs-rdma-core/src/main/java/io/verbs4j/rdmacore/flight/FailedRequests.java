/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.flight;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import jdk.jfr.FlightRecorder;

/**
 * Reports failed work requests to the flight recorder, but not the requests that are flushed after them. Does nothing
 * if the JVM has no recorder. Until the first recording starts, a poll costs one read of a flag; from then on, one look
 * at each completion's status.
 */
public final class FailedRequests {
    private static final boolean CAN_BE_RECORDED =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FailedRequests() {}

    /** Returns whether a recording has been started since the JVM began. */
    private static boolean isOn() {
        return CAN_BE_RECORDED && FlightRecorder.isInitialized();
    }

    /**
     * Reports the failures among polled completions.
     *
     * @param cq the queue
     * @param wc the completions
     * @param taken number of completions, or the negative of an errno
     * @return {@code taken}
     */
    public static int polled(CompletionQueue cq, WorkCompletion[] wc, int taken) {
        if (isOn()) {
            for (int i = 0; i < taken; i++) {
                if (wc[i].status() != WcStatus.SUCCESS) {
                    failed(cq, wc[i]);
                }
            }
        }
        return taken;
    }

    /**
     * Reports a failed request.
     *
     * @param cq the queue that has its completion
     * @param wc its completion
     */
    public static void failed(CompletionQueue cq, WorkCompletion wc) {
        failed(cq, wc.qpNum(), wc.wrId(), wc.status());
    }

    /**
     * Reports a failed request.
     *
     * @param cq the queue that has its completion
     * @param qpNum the queue pair's number
     * @param wrId the request's id
     * @param status of its completion, not SUCCESS
     */
    public static void failed(CompletionQueue cq, int qpNum, long wrId, int status) {
        if (status != WcStatus.WR_FLUSH_ERR && isOn()) {
            CompletionErrorEvent.record(cq, qpNum, wrId, status);
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;

/**
 * The call sites of an application. For each of them, the JVM records the classes of its receivers, and compiles it for
 * those.
 */
final class Sites {
    private Sites() {}

    /**
     * A call site for one device. {@code postSend(wr)} is a method of the API, which contains a call of the provider
     * that all programs share.
     */
    static int own(QueuePair qp, SendWorkRequest[] requests) {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= qp.postSend(wr);
        }
        return error;
    }

    /** A call site for one device that calls the provider directly. */
    static int ownBadWr(QueuePair qp, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= qp.postSend(wr, badWr);
        }
        return error;
    }

    /** The same again, as a call site for all devices. */
    static int shared(QueuePair qp, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= qp.postSend(wr, badWr);
        }
        return error;
    }

    /** One call site that posts a request of each device in turn. */
    static int inTurn(QueuePair[] qps, SendWorkRequest[][] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (int i = 0; i < requests[0].length; i++) {
            for (int k = 0; k < qps.length; k++) {
                error |= qps[k].postSend(requests[k][i], badWr);
            }
        }
        return error;
    }

    /** Call sites for the other devices. */
    static int elsewhere(QueuePair qp, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (int i = 0; i < requests.length; i += 2) {
            error |= qp.postSend(requests[i]);
            error |= qp.postSend(requests[i + 1], badWr);
        }
        return error;
    }
}

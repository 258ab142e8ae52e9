/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;

/** The call sites of an application. The JVM counts for each which classes came by, and compiles it for those. */
final class Sites {
    private Sites() {}

    /** A site of one device. {@code postSend(wr)} is a method of the API itself, whose call of the provider all programs share. */
    static int own(QueuePair qp, SendWorkRequest[] requests) {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= qp.postSend(wr);
        }
        return error;
    }

    /** A site of one device, straight to the provider. */
    static int ownBadWr(QueuePair qp, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= qp.postSend(wr, badWr);
        }
        return error;
    }

    /** The same once more, which all devices are to come by. */
    static int shared(QueuePair qp, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (SendWorkRequest wr : requests) {
            error |= qp.postSend(wr, badWr);
        }
        return error;
    }

    /** A request of each device in turn, by one site. */
    static int inTurn(QueuePair[] qps, SendWorkRequest[][] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (int i = 0; i < requests[0].length; i++) {
            for (int k = 0; k < qps.length; k++) {
                error |= qps[k].postSend(requests[k][i], badWr);
            }
        }
        return error;
    }

    /** Where the other devices post. */
    static int elsewhere(QueuePair qp, SendWorkRequest[] requests, SendWorkRequest[] badWr) {
        int error = 0;
        for (int i = 0; i < requests.length; i += 2) {
            error |= qp.postSend(requests[i]);
            error |= qp.postSend(requests[i + 1], badWr);
        }
        return error;
    }
}

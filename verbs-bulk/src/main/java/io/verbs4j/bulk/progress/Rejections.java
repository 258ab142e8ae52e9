/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.bulk.connect.ConnectionRejectedException;
import java.util.List;

/** The reasons that peers are rejected with, and which of them are final. The texts are part of the protocol. */
final class Rejections {
    /** Prefix: this endpoint and the peer are incompatible. */
    static final String UNFIT = "this is a bulk endpoint: ";

    static final String CLOSED = "the endpoint is closed";

    /** Prefix: this side does not know the connection to recover, or knows a newer epoch of it. */
    static final String NO_SUCH_CONNECTION = "there is no such connection";

    /** The peer should try again. */
    static final String NOT_YET = "not yet";

    private static final List<String> FINAL = List.of(UNFIT, CLOSED, NO_SUCH_CONNECTION);

    private Rejections() {}

    /** Whether the peer will give the same answer again. Other reasons, such as a port that is down, may pass. */
    static boolean areFinal(ConnectionRejectedException rejected) {
        return rejected.reason == null || FINAL.stream().anyMatch(rejected.reason::startsWith);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.bulk.connect.ConnectionRejectedException;
import java.util.List;

/** The reasons that peers are rejected with, and which of them are final. The words are part of the protocol. */
final class Rejections {
    /** Beginning: this endpoint and the peer have nothing in common. */
    static final String UNFIT = "this is a bulk endpoint: ";

    static final String CLOSED = "the endpoint is closed";

    /** Beginning: a connection is to be recovered that this side does not know, or knows as newer. */
    static final String NO_SUCH_CONNECTION = "there is no such connection";

    /** The peer shall come again. */
    static final String NOT_YET = "not yet";

    private static final List<String> FINAL = List.of(UNFIT, CLOSED, NO_SUCH_CONNECTION);

    private Rejections() {}

    /** Whether a peer will say the same again. Whatever else it says, a port that is down for instance, may pass. */
    static boolean areFinal(ConnectionRejectedException rejected) {
        return rejected.reason == null || FINAL.stream().anyMatch(rejected.reason::startsWith);
    }
}

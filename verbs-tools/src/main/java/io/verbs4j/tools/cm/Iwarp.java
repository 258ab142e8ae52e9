/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.cm;

import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.TransportType;
import io.verbs4j.cm.CmId;
import io.verbs4j.tools.traffic.Endpoint;

/**
 * iWARP devices move queue pairs themselves when a connection manager connects them, and the queue pairs have no
 * numbers that a peer needs.
 */
final class Iwarp {
    private Iwarp() {}

    static boolean movesQueuePairs(QueuePair qp) {
        return qp.context().device().transportType() == TransportType.IWARP;
    }

    /**
     * Records an established connection. Repeats the device's step to RTS, which changes nothing, so that the library
     * knows the state.
     */
    static void connected(Endpoint endpoint, int index, CmId id) {
        endpoint.queuePair(index).modify(new QpAttr().qpState(QpState.RTS));
        endpoint.connected(
                index, id.localAddress().getAddress(), id.peerAddress().getAddress());
    }
}

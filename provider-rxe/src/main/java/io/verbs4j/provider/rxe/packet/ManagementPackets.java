/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.Packet;

/** Takes what comes to queue pair 1 of a port, the general service interface. Called by threads that receive: it waits for nothing. */
public interface ManagementPackets {
    /** A datagram with the right Q_Key and P_Key, of the length of a management packet; valid for the time of the call. */
    void onPacket(Packet packet);

    /** The first packet of a connection has come to a queue pair. */
    void communicating(int qpNum);
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.provider.rxe.wire.Packet;

/**
 * Receives packets to queue pair 1 of a port, the general service interface. Called by receiving threads, so it never
 * blocks.
 */
public interface ManagementPackets {
    /**
     * Receives a datagram with the right Q_Key and P_Key and the length of a management packet. The packet is valid
     * during the call only.
     */
    void onPacket(Packet packet);

    /** Notes that the first packet of a connection has arrived at a queue pair. */
    void communicating(int qpNum);
}

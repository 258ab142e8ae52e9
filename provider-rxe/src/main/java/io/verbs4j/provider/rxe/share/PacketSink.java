/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.provider.rxe.wire.Packet;

/** Receives packets. */
@FunctionalInterface
public interface PacketSink {
    /**
     * Handles a complete packet.
     *
     * @param packet the packet; it and its buffer are valid during this call only
     */
    void onPacket(Packet packet);
}

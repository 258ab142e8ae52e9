/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.PacketSink;
import io.verbs4j.provider.rxe.wire.Packet;

/** Handles received packets. */
@FunctionalInterface
public interface PacketHandler extends PacketSink {
    /**
     * Returns whether to process a packet further, judging by its headers and addresses alone. Dropping it here costs
     * less than checking its ICRC. An implementation that rejects a packet must count it.
     *
     * @param packet the packet, whose ICRC may be wrong; it and its buffer are valid during this call only
     * @return false to drop the packet
     */
    default boolean wants(Packet packet) {
        return true;
    }

    /**
     * Returns whether peers have acknowledged packets otherwise than by packets since the last burst, so that a thread
     * must not wait for packets now. Any thread may ask.
     */
    default boolean hasReceipts() {
        return false;
    }

    /**
     * Handles a packet whose ICRC was valid or that came from the memory of a process of this machine.
     *
     * @param packet the packet; it and its buffer are valid during this call only
     */
    @Override
    void onPacket(Packet packet);
}

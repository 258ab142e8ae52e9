/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.PacketSink;
import io.verbs4j.provider.rxe.wire.Packet;

/** Takes received packets. */
@FunctionalInterface
public interface PacketHandler extends PacketSink {
    /**
     * Whether a packet is to be looked at further, by its headers and addresses alone: it costs less to drop it than to check
     * its ICRC. Who refuses counts it.
     *
     * @param packet the packet, whose ICRC may be wrong; it and its buffer are valid during this call only
     * @return false where it is to be dropped
     */
    default boolean wants(Packet packet) {
        return true;
    }

    /**
     * A packet came in; its ICRC was good, or it came from the memory of a process of this machine.
     *
     * @param packet the packet; it and its buffer are valid during this call only
     */
    @Override
    void onPacket(Packet packet);
}

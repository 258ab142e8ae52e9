/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.wire.Packet;

/** Takes received packets. */
@FunctionalInterface
public interface PacketHandler {
    /**
     * A packet came in; its ICRC was good.
     *
     * @param packet the packet; it and its buffer are valid during this call only
     */
    void onPacket(Packet packet);
}

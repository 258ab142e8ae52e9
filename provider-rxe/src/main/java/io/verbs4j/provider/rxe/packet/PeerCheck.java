/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.wire.Packet;

/** Checks which packets a connected queue pair accepts: those from its peer's address to its own. */
final class PeerCheck {
    private final long remoteHigh;
    private final long remoteLow;
    private final long localHigh;
    private final long localLow;

    PeerCheck(Gid remote, Gid local) {
        remoteHigh = remote.subnetPrefix();
        remoteLow = remote.interfaceId();
        localHigh = local.subnetPrefix();
        localLow = local.interfaceId();
    }

    boolean allows(Packet packet) {
        return packet.sourceGidLow() == remoteLow
                && packet.sourceGidHigh() == remoteHigh
                && packet.destinationGidLow() == localLow
                && packet.destinationGidHigh() == localHigh;
    }
}

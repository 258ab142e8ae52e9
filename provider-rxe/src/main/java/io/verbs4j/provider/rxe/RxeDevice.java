/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.port.PortAddresses;
import io.verbs4j.provider.rxe.port.RxeConfig;

/** An embedded Soft-RoCE device. It has one port. */
final class RxeDevice extends Device {
    /** Locally administered, so that it is no vendor's. */
    private static final long GUID_BASE = 0x0252_5845_0000_0000L;

    private final Port port;

    RxeDevice(int number, RxeConfig config) {
        super("rxe_emb" + number, guid(number, config), NodeType.CA, TransportType.IB);
        port = new Port(name(), config, PortAddresses.of(config, number));
    }

    private static long guid(int number, RxeConfig config) {
        var gids = PortAddresses.of(config, number);
        long address = gids.isEmpty() ? number : gids.get(0).interfaceId();
        return GUID_BASE | address & 0xffff_ffffL;
    }

    Port port() {
        return port;
    }
}

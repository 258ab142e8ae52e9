/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.port.PortAddresses;
import io.verbs4j.provider.rxe.port.RxeConfig;
import java.util.function.LongSupplier;

/** An embedded Soft-RoCE device. It has one port. */
final class RxeDevice extends Device {
    private final Port port;

    RxeDevice(int number, RxeConfig config) {
        this(number, config, System::nanoTime);
    }

    /** With a clock of nanoseconds that its timers go by. */
    RxeDevice(int number, RxeConfig config, LongSupplier nanos) {
        super("rxe_emb" + number, PortAddresses.guid(number), NodeType.CA, TransportType.IB);
        port = new Port(name(), config, PortAddresses.of(config, number), nanos);
    }

    Port port() {
        return port;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.Gid;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.provider.rxe.clock.SystemClock;
import io.verbs4j.provider.rxe.port.NodeGuid;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.provider.rxe.port.PortAddresses;
import io.verbs4j.provider.rxe.port.RxeConfig;
import java.net.NetworkInterface;
import java.util.List;
import java.util.function.LongSupplier;

/** An embedded Soft-RoCE device. It has one port. */
final class RxeDevice extends Device {
    /** The port. A field rather than a method, because method names belong to the header. */
    final Port port;

    RxeDevice(int number, RxeConfig config) {
        this(number, config, new SystemClock());
    }

    /** Creates a device whose timers use the given nanosecond clock. */
    RxeDevice(int number, RxeConfig config, LongSupplier nanos) {
        this(number, config, PortAddresses.interfaces(), nanos);
    }

    private RxeDevice(int number, RxeConfig config, List<NetworkInterface> interfaces, LongSupplier nanos) {
        this(number, config, interfaces, PortAddresses.of(config, number, interfaces), nanos);
    }

    private RxeDevice(
            int number, RxeConfig config, List<NetworkInterface> interfaces, List<Gid> addresses, LongSupplier nanos) {
        super(
                "rxe_emb" + number,
                NodeGuid.of(number, addresses, interfaces),
                NodeType.CA,
                TransportType.IB,
                DeviceKind.EMBEDDED);
        port = new Port(name(), config, addresses, nanos);
    }
}

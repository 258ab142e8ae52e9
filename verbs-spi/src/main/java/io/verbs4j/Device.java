/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An RDMA device. Providers subclass it and add the fields that they need to open the device. They add no methods, for
 * the reason given at {@link VerbsObject}.
 *
 * <p>Immutable and safe for use from any thread. Source: {@code ibv_get_device_list(3)}.
 */
public abstract class Device {
    private final String name;
    private final long guid;
    private final int nodeType;
    private final int transportType;
    private final int kind;

    /**
     * Creates a device of kind {@link DeviceKind#HARDWARE}.
     *
     * @param name name of the device, unique on the machine and the same at every start
     * @param guid GUID of the node, EUI-64 in host byte order
     * @param nodeType a {@link NodeType} value
     * @param transportType a {@link TransportType} value
     */
    protected Device(String name, long guid, int nodeType, int transportType) {
        this(name, guid, nodeType, transportType, DeviceKind.HARDWARE);
    }

    /**
     * Creates a device.
     *
     * @param name name of the device, unique on the machine and the same at every start
     * @param guid GUID of the node, EUI-64 in host byte order
     * @param nodeType a {@link NodeType} value
     * @param transportType a {@link TransportType} value
     * @param kind a {@link DeviceKind} value
     */
    protected Device(String name, long guid, int nodeType, int transportType, int kind) {
        this.name = Objects.requireNonNull(name, "name");
        this.guid = guid;
        this.nodeType = nodeType;
        this.transportType = transportType;
        this.kind = kind;
    }

    /** {@return the device's name, for instance {@code mlx5_0}} */
    public final String name() {
        return name;
    }

    /** {@return the GUID of the node, EUI-64 in host order} */
    public final long guid() {
        return guid;
    }

    /** {@return the kind of node, a {@link NodeType} value} */
    public final int nodeType() {
        return nodeType;
    }

    /** {@return the kind of transport, a {@link TransportType} value} */
    public final int transportType() {
        return transportType;
    }

    /** {@return what performs the device's work, a {@link DeviceKind} value} */
    public final int kind() {
        return kind;
    }

    @Override
    public final String toString() {
        return name;
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Objects;

/**
 * An RDMA device. Providers subclass it and add what they need to open the device.
 *
 * <p>Immutable and safe for use by any thread. Source: {@code ibv_get_device_list(3)}.
 */
public abstract class Device {
    private final String name;
    private final long guid;
    private final int nodeType;
    private final int transportType;

    /**
     * Creates a device.
     *
     * @param name name of the device, unique on the machine and the same at every start
     * @param guid GUID of the node, EUI-64 in host order
     * @param nodeType a {@link NodeType} value
     * @param transportType a {@link TransportType} value
     */
    protected Device(String name, long guid, int nodeType, int transportType) {
        this.name = Objects.requireNonNull(name, "name");
        this.guid = guid;
        this.nodeType = nodeType;
        this.transportType = transportType;
    }

    /**
     * The device's name, for instance {@code mlx5_0}.
     *
     * @return the name
     */
    public final String name() {
        return name;
    }

    /**
     * The GUID of the node.
     *
     * @return the GUID, EUI-64 in host order
     */
    public final long guid() {
        return guid;
    }

    /**
     * The kind of node.
     *
     * @return a {@link NodeType} value
     */
    public final int nodeType() {
        return nodeType;
    }

    /**
     * The kind of transport.
     *
     * @return a {@link TransportType} value
     */
    public final int transportType() {
        return transportType;
    }

    @Override
    public final String toString() {
        return name;
    }
}

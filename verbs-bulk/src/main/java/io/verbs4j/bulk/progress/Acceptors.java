/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.bulk.connect.Connections;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** The listeners of an endpoint: one for each device, or one for all devices that connect by TCP. */
public final class Acceptors implements AutoCloseable {
    /**
     * A listener.
     *
     * @param adapter its device, or null if it serves several
     */
    private record Listener(Connections connections, Adapter adapter, Acceptor acceptor) {}

    private final Devices devices;
    private final List<Listener> listeners = new ArrayList<>();
    private Connector connector;
    private Executor executor;
    private InetSocketAddress address;

    /** Address of the first listener; null if there was none. */
    private InetSocketAddress shown;

    private boolean closed;

    Acceptors(Devices devices) {
        this.devices = devices;
    }

    /**
     * Listens on all devices.
     *
     * @param wanted the address; with port 0, the first device picks a port and the others use the same one
     * @param threads wait for requesting peers
     */
    public synchronized void listen(Connector to, InetSocketAddress wanted, Executor threads) {
        connector = to;
        executor = threads;
        address = wanted;
        devices.all().forEach(this::listen);
    }

    /** Listens on a device that replaces a lost one, if the endpoint listens. */
    public synchronized void renew(Adapter adapter) {
        if (connector != null && !closed) {
            listen(adapter);
        }
    }

    private void listen(Adapter adapter) {
        Connections connections = adapter.connections();
        boolean byDevice = connections.listensByDevice();
        if (!byDevice && listeners.stream().anyMatch(one -> one.connections == connections)) {
            return;
        }
        Acceptor acceptor = new Acceptor(
                connector, byDevice ? () -> List.of(adapter) : () -> live(connections), adapter, address, executor);
        if (shown == null) {
            shown = acceptor.address();
        }
        listeners.add(new Listener(connections, byDevice ? adapter : null, acceptor));
        if (address.getPort() == 0) {
            address = new InetSocketAddress(
                    address.getAddress(), acceptor.address().getPort());
        }
    }

    private List<Adapter> live(Connections connections) {
        return devices.live().stream()
                .filter(one -> one.connections() == connections)
                .toList();
    }

    /** Closes the listener of a lost device. */
    public synchronized void lose(Adapter adapter) {
        listeners.removeIf(one -> {
            boolean its = one.adapter == adapter;
            if (its) {
                one.acceptor.closeQuietly();
            }
            return its;
        });
    }

    /** {@return the address that the endpoint listens at, with the actual port; null if it does not listen} */
    public synchronized InetSocketAddress address() {
        return shown;
    }

    @Override
    public synchronized void close() {
        closed = true;
        listeners.forEach(one -> one.acceptor.close());
        listeners.clear();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionListener;
import io.verbs4j.bulk.connect.ConnectionRequest;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;

/** Listens at a device, or at several that share a listener. */
public final class Acceptor implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Connector connector;
    private final List<Adapter> adapters;
    private final ConnectionListener listener;

    /**
     * Listens.
     *
     * @param adapters the devices, at least one; a peer gets the one whose address it has come to, or else the first
     * @param executor its threads wait for peers that have asked for a connection
     */
    public Acceptor(Connector connector, List<Adapter> adapters, InetSocketAddress address, Executor executor) {
        this.connector = connector;
        this.adapters = adapters;
        Adapter first = adapters.get(0);
        listener = first.connections().listen(first.context(), address, executor, this::accept);
    }

    private void accept(ConnectionRequest request) {
        try (request) {
            connector.accept(adapterOf(request), request);
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a peer was not accepted", e);
        }
    }

    private Adapter adapterOf(ConnectionRequest request) {
        for (Adapter adapter : adapters) {
            if (adapters.size() > 1 && comesTo(request, adapter)) {
                return adapter;
            }
        }
        return adapters.get(0);
    }

    private static boolean comesTo(ConnectionRequest request, Adapter adapter) {
        try {
            return request.comesTo(adapter.context());
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, adapter.context().device() + " does not say what addresses it has", e);
            return false;
        }
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    @Override
    public void close() {
        listener.close();
    }
}

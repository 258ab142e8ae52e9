/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionListener;
import io.verbs4j.bulk.connect.ConnectionRequest;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Listens on a device, or on several that share a listener. */
public final class Acceptor implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Connector connector;
    private final Supplier<List<Adapter>> adapters;
    private final ConnectionListener listener;

    /**
     * Starts to listen.
     *
     * @param adapters the live devices; a peer gets the one whose address it connected to, otherwise the first
     * @param first one of them
     * @param executor its threads wait for requesting peers
     */
    public Acceptor(
            Connector connector,
            Supplier<List<Adapter>> adapters,
            Adapter first,
            InetSocketAddress address,
            Executor executor) {
        this.connector = connector;
        this.adapters = adapters;
        listener = first.connections().listen(first.context(), address, executor, this::accept);
    }

    private void accept(ConnectionRequest request) {
        try (request) {
            Adapter adapter = adapterOf(request);
            if (adapter == null) {
                request.reject(Rejections.NOT_YET);
            } else {
                connector.accept(adapter, request);
            }
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a peer was not accepted", e);
        }
    }

    private Adapter adapterOf(ConnectionRequest request) {
        List<Adapter> live = adapters.get();
        for (Adapter adapter : live) {
            if (live.size() > 1 && comesTo(request, adapter)) {
                return adapter;
            }
        }
        return live.isEmpty() ? null : live.get(0);
    }

    private static boolean comesTo(ConnectionRequest request, Adapter adapter) {
        try {
            return request.comesTo(adapter.context());
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, adapter.context().device() + " does not report its addresses", e);
            return false;
        }
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** Closes the listener of a lost device, whose errors are ignored. */
    void closeQuietly() {
        try {
            close();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the listener of a lost device failed", e);
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}

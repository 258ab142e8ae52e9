/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.progress;

import io.verbs4j.VerbsException;
import io.verbs4j.bulk.connect.ConnectionListener;
import io.verbs4j.bulk.connect.ConnectionRequest;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/** Listens at one device. */
public final class Acceptor implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.verbs4j.bulk");

    private final Connector connector;
    private final Adapter adapter;
    private final ConnectionListener listener;

    /**
     * Listens.
     *
     * @param executor its threads wait for peers that have asked for a connection
     */
    public Acceptor(Connector connector, Adapter adapter, InetSocketAddress address, Executor executor) {
        this.connector = connector;
        this.adapter = adapter;
        listener = adapter.connections().listen(adapter.context(), address, executor, this::accept);
    }

    private void accept(ConnectionRequest request) {
        try (request) {
            connector.accept(adapter, request);
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "a peer was not accepted", e);
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

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.bulk.control.Hello;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Connects without a connection manager: the two sides exchange the addresses of their queue pairs by TCP and connect
 * them themselves.
 */
public final class TcpConnections implements Connections {
    private static final String VERB = "bulk_connect";

    private final TcpWatch watch;

    /**
     * Creates the connections of an endpoint.
     *
     * @param name name of the thread, which is started on demand
     */
    public TcpConnections(String name) {
        watch = new TcpWatch(name);
    }

    @Override
    public PeerConnection connect(ConnectionSide side, InetSocketAddress address, long nanos) {
        long start = System.nanoTime();
        TcpChannel channel = channel(address, nanos);
        LocalQueuePair qp = null;
        boolean done = false;
        try {
            qp = LocalQueuePair.of(side, channel.local());
            channel.send(TcpMessage.of(TcpMessage.REQUEST, qp.address(), side.hello()));
            TcpMessage reply = reply(channel, nanos - (System.nanoTime() - start));
            byte[] hello = reply.helloBytes();
            qp.receive(reply.address(), Hello.decode(hello).ringKey());
            qp.send(reply.address());
            channel.send(TcpMessage.ready());
            done = true;
            return new TcpConnection(channel, qp, hello);
        } finally {
            if (!done) {
                channel.close();
                if (qp != null) {
                    qp.close();
                }
            }
        }
    }

    private TcpChannel channel(InetSocketAddress address, long nanos) {
        try {
            return TcpChannel.connect(watch, address, nanos);
        } catch (VerbsException e) {
            throw e.errno() == Errno.ECONNREFUSED ? new ConnectionRejectedException(e, null) : e;
        }
    }

    private static TcpMessage reply(TcpChannel channel, long nanos) {
        TcpMessage reply = channel.receive(nanos);
        return switch (reply.kind()) {
            case TcpMessage.REPLY -> reply;
            case TcpMessage.REJECT ->
                throw new ConnectionRejectedException(
                        VERB, channel.peer() + " rejected the connection: " + reply.reason(), reply.reason());
            case TcpMessage.DATAGRAMS -> throw new DatagramsWantedException("" + channel.peer());
            default ->
                throw new VerbsException(
                        Errno.EPROTO, VERB, channel.peer() + " answered with a message of kind " + reply.kind());
        };
    }

    @Override
    public ConnectionListener listen(
            Context context, InetSocketAddress address, Executor executor, Consumer<ConnectionRequest> handler) {
        return new TcpListener(watch, address, executor, handler);
    }

    @Override
    public boolean listensByDevice() {
        return false;
    }

    @Override
    public void close() {
        watch.close();
    }
}

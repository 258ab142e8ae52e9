/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.Context;
import io.verbs4j.tools.cm.CmPeer;
import io.verbs4j.tools.cm.CmServer;
import io.verbs4j.tools.cm.Reach;
import io.verbs4j.tools.net.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that waits for its client, at a TCP port or at a device's address. */
interface BenchServer extends AutoCloseable {
    /** {@return the port that it waits at} */
    int port();

    /** Waits for a client, and serves its requests. */
    void serve();

    @Override
    void close();

    /** {@return a server for clients on this machine} */
    static BenchServer here(Context context, BenchOptions options) {
        int port = options.path.localTcpPort();
        return options.path.cm()
                ? byCm(new Reach(context, new InetSocketAddress(port)), options)
                : bySocket(context, InetAddress.getLoopbackAddress(), port, options);
    }

    /** {@return a server for clients on any machine} */
    static BenchServer of(Reach at, BenchOptions options) {
        return options.path.cm() ? byCm(at, options) : bySocket(at.context(), null, options.path.tcpPort(), options);
    }

    private static BenchServer bySocket(Context context, InetAddress bind, int port, BenchOptions options) {
        ServerSocket listener = Wire.listen(bind, port);
        return new BenchServer() {
            @Override
            public int port() {
                return listener.getLocalPort();
            }

            @Override
            public void serve() {
                BenchServer.serve(context, Wire.accept(listener, options.path.timeoutMillis()), null, options);
            }

            @Override
            public void close() {
                Wire.close(listener);
            }
        };
    }

    private static BenchServer byCm(Reach at, BenchOptions options) {
        CmServer listener = CmServer.listen(at, options.path.timeoutNanos());
        return new BenchServer() {
            @Override
            public int port() {
                return listener.port();
            }

            @Override
            public void serve() {
                listener.accept();
                BenchServer.serve(at.context(), listener.socket(), listener, options);
            }

            @Override
            public void close() {
                listener.close();
            }
        };
    }

    private static void serve(Context context, Socket socket, CmPeer peer, BenchOptions options) {
        try (Control control = new Control(socket, options.path.timeoutMillis())) {
            new Session(context, options.settings(), control, peer).serve();
        }
    }
}

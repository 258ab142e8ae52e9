/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.net;

import io.verbs4j.tools.base.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** TCP connections with clear error messages, which wait for ever only on request. */
public final class Wire {
    /** The port that libibverbs' ping-pong programs use. */
    public static final int DEFAULT_PORT = 18515;

    private Wire() {}

    /**
     * Connects to a listening program.
     *
     * @param host its name or address; each address of a name is tried
     * @param port its port
     * @param timeoutMillis timeout of connecting, and of each read; 0 for ever
     */
    public static Socket connect(String host, int port, int timeoutMillis) {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw ToolException.failed("unknown host '" + host + "'", e);
        }
        IOException last = null;
        for (InetAddress address : addresses) {
            try {
                Socket socket = new Socket();
                socket.connect(new InetSocketAddress(address, port), timeoutMillis);
                return configured(socket, timeoutMillis);
            } catch (IOException e) {
                last = e;
            }
        }
        throw ToolException.failed(
                "couldn't connect to " + host + ":" + port + ": " + reason(last) + "; " + advice(last), last);
    }

    private static String advice(IOException e) {
        return reason(e).contains("unreachable")
                ? "no active network interface of this machine leads there"
                : "start the server there first";
    }

    /**
     * Opens a port to listen on.
     *
     * @param bind address to listen on; null for all of this machine
     * @param port the port; 0 for a free one
     */
    public static ServerSocket listen(InetAddress bind, int port) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(bind, port), 1);
            return server;
        } catch (IOException e) {
            throw ToolException.failed(
                    "couldn't listen on TCP port " + port + ": " + reason(e)
                            + "; stop the program that uses it, or choose another with -p",
                    e);
        }
    }

    /**
     * Waits for the other program, then closes the port.
     *
     * @param server the port
     * @param timeoutMillis how long to wait, and timeout of each read of the connection; 0 for ever
     */
    public static Socket accept(ServerSocket server, int timeoutMillis) {
        try (server) {
            server.setSoTimeout(timeoutMillis);
            return configured(server.accept(), timeoutMillis);
        } catch (SocketTimeoutException e) {
            throw ToolException.failed(
                    "no client connected to TCP port " + server.getLocalPort() + " within " + timeoutMillis / 1000
                            + " s; --timeout sets how long to wait, --timeout 0 waits forever",
                    e);
        } catch (IOException e) {
            throw ToolException.failed("waiting for the peer failed: " + reason(e), e);
        }
    }

    /** Closes a port that is no longer needed. */
    public static void close(ServerSocket server) {
        try {
            server.close();
        } catch (IOException e) {
            // nothing is lost
        }
    }

    private static Socket configured(Socket socket, int timeoutMillis) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(timeoutMillis);
        return socket;
    }

    /**
     * {@return a reader of the peer's text, which waits without a limit}
     *
     * @param socket connection to the peer
     */
    public static Reader text(Socket socket) {
        try {
            socket.setSoTimeout(0);
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw ToolException.failed("the connection to the peer is closed: " + reason(e), e);
        }
    }

    /**
     * Reads an exact number of bytes.
     *
     * @param in the stream to read
     * @param length number of bytes
     * @param what what they are, for the error message
     */
    static byte[] read(InputStream in, int length, String what) {
        try {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw ToolException.failed("the peer closed the connection instead of sending " + what + " ("
                        + bytes.length + " of " + length + " bytes arrived)");
            }
            return bytes;
        } catch (SocketTimeoutException e) {
            throw ToolException.failed("the peer did not send " + what + " in time", e);
        } catch (IOException e) {
            throw ToolException.failed("reading " + what + " from the peer failed: " + reason(e), e);
        }
    }

    static byte[] join(byte[] a, byte[] b) {
        byte[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A side channel between the two processes: lines over TCP. */
final class Talk implements AutoCloseable {
    private static final int PORT = 18516;
    private static final int PATIENCE_MILLIS = 120_000;

    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;

    private Talk(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Waits for the other process. */
    static Talk serve() throws IOException {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(PORT));
            server.setSoTimeout(PATIENCE_MILLIS);
            return new Talk(server.accept());
        }
    }

    /** Connects to the serving process, which may not be ready yet. */
    static Talk connect(String host) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        while (true) {
            try {
                return new Talk(new Socket(host, PORT));
            } catch (ConnectException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    /** Sends a line and waits for the other's. */
    String swap(String mine) throws IOException {
        out.println(mine);
        String theirs = in.readLine();
        if (theirs == null) {
            throw new IOException("the other process has ended");
        }
        return theirs;
    }

    /** Waits until both processes are here, and fails if one has failed. */
    void meet(Throwable trouble) throws IOException {
        String words = trouble == null ? "" : trouble.toString().replaceAll("\\s+", " ");
        String theirs = swap(words);
        if (!words.isEmpty() || !theirs.isEmpty()) {
            throw new IllegalStateException(words.isEmpty() ? "the other side: " + theirs : words);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

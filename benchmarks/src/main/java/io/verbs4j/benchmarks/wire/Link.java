/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.wire;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** Control messages between the two processes: lines of text over a separate TCP connection. */
public final class Link implements AutoCloseable {
    /** Prefix of a line that reports a failure instead of the expected answer. */
    private static final String FAILED = "failed: ";

    private static final int SILENCE_MILLIS = 120_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    Link(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(SILENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Sends a line. */
    public void tell(String line) throws IOException {
        out.writeUTF(line);
        out.flush();
    }

    void tellFailure(Exception why) throws IOException {
        tell(FAILED + why);
    }

    /** Returns the next line. Throws if the other process failed. */
    public String hear() throws IOException {
        String line = in.readUTF();
        if (line.startsWith(FAILED)) {
            throw new IOException("the other process reports: " + line.substring(FAILED.length()));
        }
        return line;
    }

    /** Throws if the next line is not the expected one. */
    public void expect(String expected) throws IOException {
        String line = hear();
        if (!line.equals(expected)) {
            throw new IOException("the other process sent '" + line + "' instead of '" + expected + "'");
        }
    }

    /** Sends a line, and returns the other process's line. */
    public String exchange(String line) throws IOException {
        tell(line);
        return hear();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

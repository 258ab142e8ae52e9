/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Gid;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A process that runs {@link AcceptingServerProgram}. */
final class ServerProcess implements AutoCloseable {
    final Process process;
    final InetSocketAddress address;

    /** How many addresses its device has, each with a mailbox. */
    final int addresses;

    private final BufferedReader said;
    private final Writer in;

    /** Starts it for one-byte messages. */
    ServerProcess(boolean oneCopy, long handshakeMillis) throws IOException {
        this(oneCopy, handshakeMillis, 1);
    }

    ServerProcess(boolean oneCopy, long handshakeMillis, int bytes) throws IOException {
        List<String> options = List.of("-Xmx32m", "-XX:+UseSerialGC", "-Dio.verbs4j.rxe.onecopy=" + oneCopy);
        List<String> command = new ArrayList<>(Jdk.own().command(options, AcceptingServerProgram.class));
        command.add(String.valueOf(handshakeMillis));
        command.add(String.valueOf(bytes));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        said = process.inputReader();
        in = process.outputWriter();
        String[] words = line().split(" ", -1);
        address = new InetSocketAddress(InetAddress.getByName(words[0]), Integer.parseInt(words[1]));
        addresses = Integer.parseInt(words[2]);
    }

    private String line() throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new AssertionError("the server has ended");
        }
        return line;
    }

    Gid gid() {
        return Gid.of(address.getAddress());
    }

    /** Returns how many clients it has served; must be followed by {@link #figures()}. */
    int served() throws IOException {
        in.write("?\n");
        in.flush();
        return Integer.parseInt(line());
    }

    /** Returns what it holds. */
    Figures figures() throws IOException {
        return Figures.parse(line());
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        said.close();
    }
}

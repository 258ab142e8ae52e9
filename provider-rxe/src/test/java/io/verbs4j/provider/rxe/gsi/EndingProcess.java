/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.DeviceKind;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process that runs {@link EndingPeerProgram}, and a party here that connects to it. */
final class EndingProcess implements AutoCloseable {
    static final long PATIENCE = 60;

    final Process process;
    final Party client;
    private final BufferedReader said;
    private final int port;

    EndingProcess(boolean oneCopy) throws IOException {
        process = new ProcessBuilder(Jdk.own()
                        .command(List.of(Jdk.QUICK, "-Dio.verbs4j.rxe.onecopy=" + oneCopy), EndingPeerProgram.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        said = process.inputReader();
        client = new Party(Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT));
        port = Integer.parseInt(said.readLine());
    }

    /** Connects and requests an end. */
    CmConnection connect(Consumer<QueuePair> prepare, int... asks) {
        byte[] data = new byte[asks.length];
        for (int i = 0; i < asks.length; i++) {
            data[i] = (byte) asks[i];
        }
        return CmConnection.connect(
                client.pd,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                client.attr(),
                ConnParam.DEFAULT.withPrivateData(data),
                prepare,
                PATIENCE,
                TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        client.close();
        said.close();
    }
}

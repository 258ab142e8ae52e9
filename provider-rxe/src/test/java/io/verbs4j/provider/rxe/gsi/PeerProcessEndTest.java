/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.DeviceKind;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.program.Jdk;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What this side sees of a peer in another process that ends, in one way or another. */
class PeerProcessEndTest {
    private static final long PATIENCE = 60;

    /** Ten times what docs/cm.md promises. */
    private static final long NOTICED_SECONDS = 20;

    private Process process;
    private BufferedReader said;
    private Party client;
    private int port;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder(Jdk.own().command(options(), EndingPeer.class))
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

    List<String> options() {
        return List.of(Jdk.QUICK, "-Dio.verbs4j.rxe.onecopy=false");
    }

    @AfterEach
    void end() throws Exception {
        process.destroyForcibly().waitFor();
        client.close();
        said.close();
    }

    private CmConnection connect(Consumer<QueuePair> prepare, int... asks) throws InterruptedException {
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

    private void receivesAreFlushed() {
        assertThat(WcStatus.toString(client.nextStatus())).isEqualTo(WcStatus.toString(WcStatus.WR_FLUSH_ERR));
    }

    /** In order: at once, and without a question whether it is there. */
    @ParameterizedTest
    @ValueSource(bytes = {EndingPeer.EXIT, EndingPeer.RETURN, EndingPeer.STAY})
    void processThatEndsDisconnects(byte how) throws Exception {
        try (CmConnection connection = connect(client::receive, how)) {
            connection.keepAlive(0, TimeUnit.SECONDS);
            if (how == EndingPeer.STAY) {
                process.destroy(); // SIGTERM
            }
            receivesAreFlushed();
            assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void killedProcessIsNoticed() throws Exception {
        try (CmConnection connection = connect(client::receive, EndingPeer.STAY)) {
            process.destroyForcibly().waitFor();
            assertThat(connection.awaitDisconnected(NOTICED_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            receivesAreFlushed();
        }
    }

    @Test
    void stoppedProcessIsThere() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "processes are stopped by a signal");
        try (CmConnection connection = connect(client::receive, EndingPeer.STAY)) {
            signal("STOP");
            assertThat(connection.awaitDisconnected(2, TimeUnit.SECONDS)).isFalse();
            signal("CONT");
            process.destroy();
            receivesAreFlushed();
        }
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** What a process has posted before it closes arrives. */
    @Test
    void closingLosesNothing() throws Exception {
        for (int size : new int[] {100, 100_000, 1 << 20, (16 << 20) - 1}) {
            try (Message message = new Message(client.pd, size);
                    CmConnection connection = connect(message::receive, EndingPeer.SEND, size >> 16, size >> 8, size)) {
                client.completed(Message.RECEIVED);
                assertThat(message.isFilled(size)).as("%d bytes", size).isTrue();
                assertThat(connection.awaitDisconnected(PATIENCE, TimeUnit.SECONDS))
                        .isTrue();
            }
        }
    }
}

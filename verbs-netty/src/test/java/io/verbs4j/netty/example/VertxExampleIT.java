/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.netty.vertx.VerbsTransport;
import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server and the client of {@code examples/vertx}. */
@Timeout(Patience.TEST_SECONDS)
class VertxExampleIT {
    private static final Path SOURCES = Path.of("..", "examples", "vertx", "src", "main", "java");
    private static final String SERVER = "com.example.vertx.PageServer";
    private static final String CLIENT = "com.example.vertx.PageClient";
    private static final List<String> BY_PROPERTY = List.of("-D" + VerbsTransport.PROPERTY + "=true");

    @TempDir
    private Path folder;

    private ExampleProcess start(List<String> options, Path sources, String main, String... arguments)
            throws IOException {
        return ExampleProcess.start(options, sources, folder.resolve(main), main, arguments);
    }

    private void serverAnswersClient(List<String> options, Path serversSources, Path clientsSources) throws Exception {
        try (ExampleProcess server = start(options, serversSources, SERVER, "127.0.0.1", "0")) {
            String port = server.port();
            try (ExampleProcess client = start(List.of(), clientsSources, CLIENT, "localhost", port)) {
                assertThat(client.rest())
                        .containsExactly(
                                "a page over HTTP_1_1",
                                "10485760 bytes came back",
                                "a page over HTTP_2",
                                "10485760 bytes came back");
                assertThat(client.status()).isZero();
            }
            assertThat(server.rest()).isEmpty();
            assertThat(server.status()).isZero();
        }
    }

    @Test
    void serverAnswersClientOfAnotherProcess() throws Exception {
        serverAnswersClient(List.of(), SOURCES, SOURCES);
    }

    @Test
    void onlyMarkedLinesDifferFromTcp() throws Exception {
        TcpSources changed = TcpSources.of(SOURCES, folder.resolve("tcp"));
        assertThat(changed.marks()).isEqualTo(2);
        serverAnswersClient(List.of(), changed.folder(), changed.folder());
    }

    @Test
    void propertyMovesProgramForTcpToRdma() throws Exception {
        Path overTcp = TcpSources.of(SOURCES, folder.resolve("tcp")).folder();
        serverAnswersClient(BY_PROPERTY, overTcp, SOURCES);
    }

    @Test
    void clientOverTcpDoesNotReachServer() throws Exception {
        Path overTcp = TcpSources.of(SOURCES, folder.resolve("tcp")).folder();
        try (ExampleProcess server = start(BY_PROPERTY, overTcp, SERVER, "127.0.0.1", "0");
                ExampleProcess client = start(List.of(), overTcp, CLIENT, "127.0.0.1", server.port())) {
            assertThat(String.join("\n", client.rest())).contains("Connection refused");
            assertThat(client.status()).isOne();
        }
    }
}

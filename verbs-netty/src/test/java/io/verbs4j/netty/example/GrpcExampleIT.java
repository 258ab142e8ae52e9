/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.testsupport.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server and the client of {@code examples/grpc}. */
@Timeout(Patience.TEST_SECONDS)
class GrpcExampleIT {
    private static final Path SOURCES = Path.of("..", "examples", "grpc", "src", "main", "java");
    private static final String SERVER = "com.example.grpc.GreeterServer";
    private static final String CLIENT = "com.example.grpc.GreeterClient";

    @TempDir
    private Path folder;

    private ExampleProcess start(Path sources, String main, String... arguments) throws IOException {
        return ExampleProcess.start(List.of(), sources, folder.resolve(main), main, arguments);
    }

    private void serverGreetsClient(Path sources) throws Exception {
        try (ExampleProcess server = start(sources, SERVER, "127.0.0.1", "0")) {
            String port = server.port();
            try (ExampleProcess client = start(sources, CLIENT, "localhost", port, "RDMA")) {
                assertThat(client.rest())
                        .containsExactly(
                                "Hello, RDMA", "Hello, RDMA", "Bonjour, RDMA", "Guten Tag, RDMA", "Buenos dias, RDMA");
                assertThat(client.status()).isZero();
            }
            assertThat(server.rest()).isEmpty();
            assertThat(server.status()).isZero();
        }
    }

    @Test
    void serverGreetsClientOfAnotherProcess() throws Exception {
        serverGreetsClient(SOURCES);
    }

    @Test
    void onlyMarkedLinesDifferFromTcp() throws Exception {
        TcpSources changed = TcpSources.of(SOURCES, folder.resolve("tcp"));
        assertThat(changed.marks()).isEqualTo(4);
        serverGreetsClient(changed.folder());
    }

    @Test
    void clientWithoutServerEndsWithReason() throws Exception {
        String port;
        try (ExampleProcess server = start(SOURCES, SERVER, "127.0.0.1", "0")) {
            port = server.port();
        }
        try (ExampleProcess client = start(SOURCES, CLIENT, "127.0.0.1", port, "RDMA")) {
            assertThat(String.join("\n", client.rest())).contains("UNAVAILABLE", "127.0.0.1:" + port);
            assertThat(client.status()).isOne();
        }
    }

    @Test
    void clientEndsWithStatusOfServer() throws Exception {
        try (ExampleProcess server = start(SOURCES, SERVER, "127.0.0.1", "0");
                ExampleProcess client = start(SOURCES, CLIENT, "127.0.0.1", server.port(), " ")) {
            assertThat(String.join("\n", client.rest())).contains("INVALID_ARGUMENT: the name is empty");
            assertThat(client.status()).isOne();
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.verbs4j.testsupport.Patience;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP with Vert.x, which works as over TCP. */
@Timeout(Patience.TEST_SECONDS)
class VertxTest {
    private static final int LENGTH = 5 << 20;

    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.builder().withTransport(new VerbsTransport()).build();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().await(Patience.SECONDS, TimeUnit.SECONDS);
    }

    private HttpServer echo(HttpServerOptions options) throws Exception {
        return vertx.createHttpServer(options)
                .requestHandler(request ->
                        request.body().onSuccess(body -> request.response().end(body)))
                .webSocketHandler(socket -> socket.handler(socket::write))
                .listen(0, "127.0.0.1")
                .await(Patience.SECONDS, TimeUnit.SECONDS);
    }

    private static Buffer random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return Buffer.buffer(bytes);
    }

    /** Closes the client only at the end, which keeps it referenced: Vert.x closes unreferenced clients. */
    private static Buffer post(HttpClient client, int port, Buffer body) throws Exception {
        Buffer response = client.request(HttpMethod.POST, port, "127.0.0.1", "/")
                .compose(request -> request.send(body))
                .compose(HttpClientResponse::body)
                .await(Patience.SECONDS, TimeUnit.SECONDS);
        client.close().await(Patience.SECONDS, TimeUnit.SECONDS);
        return response;
    }

    @Test
    void instanceReportsThatTransportIsUsed() {
        assertThat(vertx.isNativeTransportEnabled()).isTrue();
        assertThat(vertx.unavailableNativeTransportCause()).isNull();
    }

    /** All of these are socket options; those that make no sense over RDMA are accepted and have no effect. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void socketOptionsAreApplied(HttpVersion version) throws Exception {
        HttpServerOptions serverOptions = new HttpServerOptions();
        serverOptions
                .setTcpFastOpen(true)
                .setTcpNoDelay(false)
                .setTcpQuickAck(true)
                .setTcpCork(true)
                .setTcpKeepAlive(true)
                .setReuseAddress(true)
                .setReusePort(true)
                .setSendBufferSize(100_000)
                .setReceiveBufferSize(100_000)
                .setTrafficClass(8)
                .setSoLinger(3)
                .setAcceptBacklog(10);
        HttpClientOptions clientOptions = new HttpClientOptions().setProtocolVersion(version);
        clientOptions
                .setTcpFastOpen(true)
                .setTcpNoDelay(false)
                .setTcpQuickAck(true)
                .setTcpCork(true)
                .setTcpKeepAlive(true)
                .setReuseAddress(true)
                .setReusePort(true)
                .setSendBufferSize(100_000)
                .setReceiveBufferSize(100_000)
                .setTrafficClass(8)
                .setSoLinger(3)
                .setLocalAddress("127.0.0.1");
        HttpServer server = echo(serverOptions);
        Buffer sent = random(LENGTH);
        assertThat(post(vertx.createHttpClient(clientOptions), server.actualPort(), sent))
                .isEqualTo(sent);
    }

    @Test
    void requestsAreEncryptedByTls() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Buffer certificate = Buffer.buffer(bundle.getCertificatePEM());
        HttpServerOptions serverOptions = new HttpServerOptions().setSsl(true).setUseAlpn(true);
        serverOptions.setKeyCertOptions(new PemKeyCertOptions()
                .addCertValue(certificate)
                .addKeyValue(Buffer.buffer(bundle.getPrivateKeyPEM())));
        HttpClientOptions clientOptions = new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setTrustOptions(new PemTrustOptions().addCertValue(certificate));
        HttpServer server = echo(serverOptions);
        Buffer sent = random(LENGTH);
        assertThat(post(vertx.createHttpClient(clientOptions), server.actualPort(), sent))
                .isEqualTo(sent);
    }

    @Test
    void webSocketEchoes() throws Exception {
        HttpServer server = echo(new HttpServerOptions());
        WebSocketClient client = vertx.createWebSocketClient();
        WebSocket socket =
                client.connect(server.actualPort(), "127.0.0.1", "/").await(Patience.SECONDS, TimeUnit.SECONDS);
        CompletableFuture<String> echoed = new CompletableFuture<>();
        socket.textMessageHandler(echoed::complete);
        socket.binaryMessageHandler(message -> echoed.complete("binary " + message.length()));
        socket.writeBinaryMessage(random(1000)).await(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(echoed.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo("binary 1000");
        socket.close().await(Patience.SECONDS, TimeUnit.SECONDS);
        client.close().await(Patience.SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void fileIsSentCompletely(@TempDir Path folder) throws Exception {
        Buffer content = random(LENGTH);
        Path file = Files.write(folder.resolve("file"), content.getBytes());
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.response().sendFile(file.toString()))
                .listen(0, "127.0.0.1")
                .await(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(post(vertx.createHttpClient(), server.actualPort(), Buffer.buffer()))
                .isEqualTo(content);
    }

    @Test
    void secondServerAtSamePortFails() throws Exception {
        HttpServer server = echo(new HttpServerOptions());
        Vertx other = Vertx.builder().withTransport(new VerbsTransport()).build();
        try {
            assertThatThrownBy(() -> other.createHttpServer()
                            .requestHandler(request -> request.response().end())
                            .listen(server.actualPort(), "127.0.0.1")
                            .await(Patience.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(BindException.class);
        } finally {
            other.close().await(Patience.SECONDS, TimeUnit.SECONDS);
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import io.verbs4j.testsupport.Patience;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that answers text in capitals, and bytes unchanged. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes whose effect is what is tested
@Timeout(Patience.TEST_SECONDS)
class WebSocketTest {
    private static final int MAX_FRAME = 4 << 20;

    private Server server;
    private Client client;
    private Channel channel;

    @BeforeEach
    void start() throws Exception {
        server = new Server(WebSocketTest::addServersHandlers);
        client = new Client();
        channel = server.connect(client::addHandlers);
        client.connected.get(Patience.SECONDS, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void addServersHandlers(SocketChannel channel) {
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(),
                        new HttpObjectAggregator(65536),
                        new WebSocketServerCompressionHandler(0),
                        new WebSocketServerProtocolHandler("/capitals", null, true, MAX_FRAME),
                        new WebSocketFrameAggregator(MAX_FRAME),
                        new Capitals());
    }

    @Test
    void textIsAnswered() throws Exception {
        for (int i = 0; i < 100; i++) {
            channel.writeAndFlush(new TextWebSocketFrame("message " + i));
            assertThat(client.next()).isEqualTo("MESSAGE " + i);
        }
    }

    @Test
    void fragmentsOfLargeMessageAreAnswered() throws Exception {
        byte[] sent = new byte[3 << 20];
        new Random(1).nextBytes(sent);
        int part = 100_000;
        for (int i = 0; i < sent.length; i += part) {
            boolean last = i + part >= sent.length;
            byte[] bytes = Arrays.copyOfRange(sent, i, Math.min(sent.length, i + part));
            channel.write(
                    i == 0
                            ? new BinaryWebSocketFrame(last, 0, Unpooled.wrappedBuffer(bytes))
                            : new ContinuationWebSocketFrame(last, 0, Unpooled.wrappedBuffer(bytes)));
        }
        channel.flush();
        assertThat((byte[]) client.next()).isEqualTo(sent);
    }

    @Test
    void pingIsAnswered() throws Exception {
        channel.writeAndFlush(new PingWebSocketFrame(Unpooled.copyInt(7)));
        assertThat(client.next()).isEqualTo("pong");
    }

    @Test
    void closingHandshakeEndsConnection() throws Exception {
        channel.writeAndFlush(new CloseWebSocketFrame());
        assertThat(channel.closeFuture().await(Patience.SECONDS, TimeUnit.SECONDS))
                .isTrue();
    }

    /** The server's handler. */
    private static final class Capitals extends SimpleChannelInboundHandler<WebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            context.writeAndFlush(
                    frame instanceof TextWebSocketFrame text
                            ? new TextWebSocketFrame(text.text().toUpperCase(Locale.ROOT))
                            : frame.retain());
        }
    }

    /** Keeps received messages until they are requested. */
    private static final class Client extends SimpleChannelInboundHandler<WebSocketFrame> {
        private final CompletableFuture<Void> connected = new CompletableFuture<>();
        private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

        void addHandlers(SocketChannel channel) {
            WebSocketClientHandshaker handshaker = WebSocketClientHandshakerFactory.newHandshaker(
                    URI.create("ws://localhost/capitals"),
                    WebSocketVersion.V13,
                    null,
                    true,
                    new DefaultHttpHeaders(),
                    MAX_FRAME);
            channel.pipeline()
                    .addLast(
                            new HttpClientCodec(),
                            new HttpObjectAggregator(65536),
                            new WebSocketClientCompressionHandler(0),
                            new WebSocketClientProtocolHandler(handshaker, true, false),
                            new WebSocketFrameAggregator(MAX_FRAME),
                            this);
        }

        Object next() throws InterruptedException {
            Object next = received.poll(Patience.SECONDS, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            return next;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                connected.complete(null);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text) {
                received.add(text.text());
            } else if (frame instanceof PongWebSocketFrame) {
                received.add("pong");
            } else {
                received.add(ByteBufUtil.getBytes(frame.content()));
            }
        }
    }
}

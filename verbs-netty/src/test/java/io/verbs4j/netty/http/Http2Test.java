/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.verbs4j.testsupport.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 streams with Netty's codec, in the clear and over TLS. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes whose effect is what is tested
@Timeout(Patience.TEST_SECONDS)
class Http2Test {
    private static final int STREAMS = 50;
    private static final int LENGTH = 300_000;
    private static final int FRAME = 16_384;

    private static ApplicationProtocolConfig protocols() {
        return new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                ApplicationProtocolNames.HTTP_2);
    }

    private static SslContextBuilder configured(SslContextBuilder builder) {
        return builder.ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(protocols());
    }

    /** Returns the contexts of both sides, the server's first; nulls for connections in the clear. */
    private static SslContext[] contexts(boolean secured) throws Exception {
        if (!secured) {
            return new SslContext[2];
        }
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        return new SslContext[] {
            configured(SslContextBuilder.forServer(bundle.getKeyPair().getPrivate(), bundle.getCertificatePath()))
                    .build(),
            configured(SslContextBuilder.forClient().trustManager(bundle.getCertificate()))
                    .endpointIdentificationAlgorithm(null)
                    .build()
        };
    }

    private static Server server(SslContext context) throws InterruptedException {
        return new Server(channel -> {
            secure(channel, context);
            channel.pipeline()
                    .addLast(Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(new StreamEcho()));
        });
    }

    private static Channel connect(Server server, SslContext context) throws InterruptedException {
        return server.connect(channel -> {
            secure(channel, context);
            channel.pipeline()
                    .addLast(
                            Http2FrameCodecBuilder.forClient().build(),
                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
        });
    }

    private static void secure(SocketChannel channel, SslContext context) {
        if (context != null) {
            channel.pipeline().addLast(context.newHandler(channel.alloc()));
        }
    }

    private static byte[] body(int seed) {
        byte[] bytes = new byte[LENGTH];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void send(Http2StreamChannel stream, byte[] bytes) {
        stream.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/")
                .authority("localhost")));
        for (int i = 0; i < bytes.length; i += FRAME) {
            int count = Math.min(FRAME, bytes.length - i);
            stream.write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes, i, count), i + count == bytes.length));
        }
        stream.flush();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamsOfOneConnectionEcho(boolean secured) throws Exception {
        SslContext[] contexts = contexts(secured);
        try (Server server = server(contexts[0])) {
            Channel connection = connect(server, contexts[1]);
            List<Response> responses = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                Response response = new Response();
                Http2StreamChannel stream = new Http2StreamChannelBootstrap(connection)
                        .handler(response)
                        .open()
                        .sync()
                        .getNow();
                send(stream, body(i));
                responses.add(response);
            }
            for (int i = 0; i < STREAMS; i++) {
                assertThat(responses.get(i).body.get(Patience.SECONDS, TimeUnit.SECONDS))
                        .isEqualTo(body(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void resetStreamDoesNotAffectOthers(boolean secured) throws Exception {
        SslContext[] contexts = contexts(secured);
        try (Server server = server(contexts[0])) {
            Channel connection = connect(server, contexts[1]);
            Response reset = new Response();
            Http2StreamChannel stream = new Http2StreamChannelBootstrap(connection)
                    .handler(reset)
                    .open()
                    .sync()
                    .getNow();
            stream.writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers()
                    .method("GET")
                    .scheme("http")
                    .path("/reset")
                    .authority("localhost")));
            assertThat(reset.error.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(Http2Error.REFUSED_STREAM.code());

            Response response = new Response();
            send(
                    new Http2StreamChannelBootstrap(connection)
                            .handler(response)
                            .open()
                            .sync()
                            .getNow(),
                    body(1));
            assertThat(response.body.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(body(1));
        }
    }

    /** Sends the data of a stream back, or resets the stream. */
    @ChannelHandler.Sharable
    private static final class StreamEcho extends SimpleChannelInboundHandler<Http2StreamFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2HeadersFrame headers) {
                if (headers.headers().path().toString().equals("/reset")) {
                    context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                } else {
                    context.writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")));
                }
            } else if (frame instanceof Http2DataFrame data) {
                ByteBuf content = data.content().retain();
                context.writeAndFlush(new DefaultHttp2DataFrame(content, data.isEndStream()));
            }
        }
    }

    /** Collects the response on a stream. */
    private static final class Response extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final CompletableFuture<Long> error = new CompletableFuture<>();
        private final ByteBuf bytes = Unpooled.buffer();

        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2DataFrame data) {
                bytes.writeBytes(data.content());
                if (data.isEndStream()) {
                    body.complete(ByteBufUtil.getBytes(bytes));
                }
            } else if (frame instanceof Http2ResetFrame reset) {
                error.complete(reset.errorCode());
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof Http2ResetFrame reset) {
                error.complete(reset.errorCode());
            }
        }
    }
}

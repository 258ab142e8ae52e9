/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Options that make sense are accepted, others are refused; failures state the reason. */
@Timeout(60)
class OptionsTest {
    @Test
    void socketOptionsAreApplied() {
        VerbsSocketChannel channel = new VerbsSocketChannel();
        VerbsSocketChannelConfig config = channel.config();
        assertThat(config.setOption(ChannelOption.TCP_NODELAY, false)).isTrue();
        assertThat(config.setOption(ChannelOption.SO_KEEPALIVE, false)).isTrue();
        assertThat(config.setOption(ChannelOption.SO_LINGER, 3)).isTrue();
        assertThat(config.setOption(ChannelOption.SO_RCVBUF, 100_000)).isTrue();
        assertThat(config.setOption(ChannelOption.SO_SNDBUF, 200_000)).isTrue();
        assertThat(config.setOption(ChannelOption.SO_REUSEADDR, true)).isTrue();
        assertThat(config.setOption(ChannelOption.IP_TOS, 8)).isTrue();
        assertThat(config.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true)).isTrue();
        assertThat(config.getOptions())
                .containsEntry(ChannelOption.TCP_NODELAY, false)
                .containsEntry(ChannelOption.SO_KEEPALIVE, false)
                .containsEntry(ChannelOption.SO_LINGER, 3)
                .containsEntry(ChannelOption.SO_RCVBUF, 100_000)
                .containsEntry(ChannelOption.SO_SNDBUF, 200_000)
                .containsEntry(ChannelOption.SO_REUSEADDR, true)
                .containsEntry(ChannelOption.IP_TOS, 8)
                .containsEntry(ChannelOption.ALLOW_HALF_CLOSURE, true);
        assertThatThrownBy(() -> config.setTrafficClass(256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> config.setReceiveBufferSize(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void serverOptionsAreApplied() {
        VerbsServerSocketChannelConfig config = new VerbsServerSocketChannel().config();
        assertThat(config.setOption(ChannelOption.SO_BACKLOG, 5)).isTrue();
        assertThat(config.setOption(ChannelOption.SO_REUSEADDR, true)).isTrue();
        assertThat(config.getOptions())
                .containsEntry(ChannelOption.SO_BACKLOG, 5)
                .containsEntry(ChannelOption.SO_REUSEADDR, true);
        assertThatThrownBy(() -> config.setBacklog(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unknownOptionsAreRefused() {
        assertThat(new VerbsSocketChannel().config().setOption(ChannelOption.SO_BROADCAST, true))
                .isFalse();
        assertThat(new VerbsSocketChannel().config().setOption(ChannelOption.TCP_FASTOPEN_CONNECT, true))
                .isFalse();
        assertThat(new VerbsServerSocketChannel().config().setOption(ChannelOption.SO_LINGER, 1))
                .isFalse();
    }

    @Test
    void loopOptionsHaveLimits() {
        VerbsOptions options = VerbsOptions.DEFAULT
                .withMessageSize(8192)
                .withMaxMemory(8 << 20)
                .withSpin(7, TimeUnit.MICROSECONDS)
                .withDevice("x");
        assertThat(options).hasToString("device=x messageSize=8192 maxMemory=8388608 spin=7 us");
        assertThatThrownBy(() -> options.withSpin(31, TimeUnit.MICROSECONDS))
                .hasMessage("spin is 31; it must be 0 to 30");
        assertThatThrownBy(() -> options.withMessageSize(4095)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.withMaxMemory(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void missingDeviceFailsWithAlternative() {
        VerbsOptions options = VerbsOptions.DEFAULT.withDevice("mlx5_99");
        assertThatThrownBy(() -> new MultiThreadIoEventLoopGroup(1, VerbsIoHandler.newFactory(options)))
                .hasStackTraceContaining("no RDMA device can be used")
                .hasStackTraceContaining("mlx5_99")
                .hasStackTraceContaining("use NioIoHandler with NioServerSocketChannel");
    }

    @Test
    void failuresEqualThoseOfSockets() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            Bootstrap bootstrap = new Bootstrap()
                    .group(pair.group)
                    .channel(VerbsSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter());
            int port = ((InetSocketAddress) pair.server.localAddress()).getPort();
            assertThatThrownBy(() -> bootstrap.connect("localhost", port + 1).sync())
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("no listener there");
            assertThatThrownBy(() -> bootstrap
                            .clone()
                            .handler(new ChannelInboundHandlerAdapter())
                            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 300)
                            .connect("127.77.1.2", port)
                            .sync())
                    .isInstanceOf(ConnectTimeoutException.class);
            assertThatThrownBy(() -> pair.serverBootstrap()
                            .bind(pair.server.localAddress())
                            .sync())
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("Address already in use");
        }
    }

    @Test
    void attemptToConnectCanBeCancelled() throws Exception {
        try (EchoPair pair = new EchoPair()) {
            ChannelFuture attempt = new Bootstrap()
                    .group(pair.group)
                    .channel(VerbsSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect("127.77.1.2", 7777); // an address that no process has
            assertThat(attempt.await(200)).isFalse();
            assertThat(attempt.cancel(true)).isTrue();
            assertThat(attempt.channel().closeFuture().await(10, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(attempt.isCancelled()).isTrue();
        }
    }

    @Test
    void channelRefusesLoopOfOtherKind() throws Exception {
        MultiThreadIoEventLoopGroup other = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            assertThatThrownBy(() -> other.register(new VerbsSocketChannel()).sync())
                    .isInstanceOfAny(IllegalStateException.class, ChannelException.class)
                    .hasMessageContaining("incompatible event loop type");
        } finally {
            other.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.verbs4j.netty.VerbsByteBufAllocator;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsOptions;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import io.verbs4j.testsupport.Extent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/** The channels that Netty's own suite runs with, instead of NIO's. */
final class VerbsChannels {
    /** Replaces the suite's loopback address if the device does not have it. */
    private static final String HOST = System.getProperty("verbs4j.test.host");

    private static final int THREADS = 2;
    private static final EventLoopGroup SERVERS = group("verbs-server");
    private static final EventLoopGroup WORKERS = group("verbs-worker");

    private static final ByteBufAllocator REGISTERED = new VerbsByteBufAllocator(VerbsOptions.DEFAULT);

    private VerbsChannels() {}

    private static EventLoopGroup group(String name) {
        return new MultiThreadIoEventLoopGroup(
                THREADS, new DefaultThreadFactory(name, true), VerbsIoHandler.newFactory());
    }

    /**
     * Returns an allocator of registered memory, and, unless the short set of tests runs, one of unregistered memory.
     */
    static List<ByteBufAllocator> allocators() {
        return Extent.some(List.of(REGISTERED, PooledByteBufAllocator.DEFAULT), 2);
    }

    static List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> both() {
        return List.of(new BootstrapComboFactory<>() {
            @Override
            public ServerBootstrap newServerInstance() {
                return server();
            }

            @Override
            public Bootstrap newClientInstance() {
                return client();
            }
        });
    }

    static List<BootstrapFactory<ServerBootstrap>> servers() {
        return List.of(VerbsChannels::server);
    }

    static List<BootstrapFactory<Bootstrap>> clients() {
        return List.of(VerbsChannels::client);
    }

    static ServerBootstrap server() {
        return new Server().group(SERVERS, WORKERS).channel(VerbsServerSocketChannel.class);
    }

    static Bootstrap client() {
        return new Client().group(WORKERS).channel(VerbsSocketChannel.class);
    }

    /** Translates an address of the suite to one of the device. */
    static SocketAddress here(SocketAddress address) {
        boolean replaced = HOST != null
                && address instanceof InetSocketAddress named
                && !named.isUnresolved()
                && named.getAddress().isLoopbackAddress();
        return replaced ? new InetSocketAddress(HOST, ((InetSocketAddress) address).getPort()) : address;
    }

    /** A server at the device's address. */
    private static final class Server extends ServerBootstrap {
        @Override
        public ServerBootstrap localAddress(SocketAddress address) {
            return super.localAddress(here(address));
        }

        @Override
        public ChannelFuture bind(SocketAddress address) {
            return super.bind(here(address));
        }
    }

    /** A client to the device's address. */
    private static final class Client extends Bootstrap {
        @Override
        public Bootstrap localAddress(SocketAddress address) {
            return super.localAddress(here(address));
        }

        @Override
        public ChannelFuture connect(SocketAddress remote) {
            return super.connect(here(remote));
        }

        @Override
        public ChannelFuture connect(SocketAddress remote, SocketAddress local) {
            return super.connect(here(remote), here(local));
        }
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
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
import java.util.List;

/** The channels that Netty's own suite runs with in place of NIO's. */
final class VerbsChannels {
    private static final int THREADS = 2;
    private static final EventLoopGroup SERVERS = group("verbs-server");
    private static final EventLoopGroup WORKERS = group("verbs-worker");

    private static final ByteBufAllocator REGISTERED = new VerbsByteBufAllocator(VerbsOptions.DEFAULT);

    private VerbsChannels() {}

    private static EventLoopGroup group(String name) {
        return new MultiThreadIoEventLoopGroup(
                THREADS, new DefaultThreadFactory(name, true), VerbsIoHandler.newFactory());
    }

    /** One that registers its memory, and, unless the command is the short one, one that does not. */
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
        return new ServerBootstrap().group(SERVERS, WORKERS).channel(VerbsServerSocketChannel.class);
    }

    static Bootstrap client() {
        return new Bootstrap().group(WORKERS).channel(VerbsSocketChannel.class);
    }
}

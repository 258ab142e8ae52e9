/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.AbstractSocketShutdownOutputByPeerTest;
import java.net.SocketAddress;
import java.util.List;

/**
 * The peer is a channel of this module, instead of a socket of the operating system as in Netty's {@code
 * SocketShutdownOutputByPeerTest}.
 */
class SocketShutdownOutputByPeerTest
        extends AbstractSocketShutdownOutputByPeerTest<SocketShutdownOutputByPeerTest.Peer> {
    /** A client. */
    static final class Peer {
        private Channel channel;
    }

    @Override
    protected List<BootstrapFactory<ServerBootstrap>> newFactories() {
        return VerbsChannels.servers();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }

    @Override
    protected Peer newSocket() {
        return new Peer();
    }

    @Override
    protected void connect(Peer peer, SocketAddress address) {
        peer.channel = VerbsChannels.client()
                .handler(new ChannelInboundHandlerAdapter())
                .connect(address)
                .syncUninterruptibly()
                .channel();
    }

    @Override
    protected void shutdownOutput(Peer peer) {
        ((SocketChannel) peer.channel).shutdownOutput().syncUninterruptibly();
    }

    @Override
    protected void write(Peer peer, int data) {
        peer.channel.writeAndFlush(Unpooled.buffer(1).writeByte(data)).syncUninterruptibly();
    }

    @Override
    protected void close(Peer peer) {
        if (peer.channel != null) {
            peer.channel.close().syncUninterruptibly();
        }
    }
}

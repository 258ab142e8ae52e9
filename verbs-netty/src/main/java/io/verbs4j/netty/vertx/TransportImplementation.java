/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.verbs4j.netty.VerbsOptions;
import io.verbs4j.netty.VerbsServerSocketChannel;
import io.verbs4j.netty.VerbsSocketChannel;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;

/** Implements a Vert.x transport: streams over RDMA, everything else by NIO on the same event loops. */
@SuppressWarnings("deprecation") // InternetProtocolFamily: the interface of Vert.x uses it
final class TransportImplementation implements Transport {
    private static final Transport NIO = io.vertx.core.transport.Transport.NIO.implementation();

    private final VerbsTransport transport;
    private final VerbsOptions options;

    TransportImplementation(VerbsTransport transport, VerbsOptions options) {
        this.transport = transport;
        this.options = options;
    }

    @Override
    public boolean isAvailable() {
        return transport.available();
    }

    @Override
    public Throwable unavailabilityCause() {
        return transport.unavailabilityCause();
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return MixedIoHandler.newFactory(options);
    }

    @Override
    public boolean supportsDomainSockets() {
        return NIO.supportsDomainSockets();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
        return NIO.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
        return NIO.convert(address);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return NIO.datagramChannel();
    }

    @Override
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return NIO.datagramChannel(family);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions datagramOptions) {
        NIO.configure(channel, datagramOptions);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return domainSocket ? NIO.channelFactory(true) : VerbsSocketChannel::new;
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? NIO.serverChannelFactory(true) : VerbsServerSocketChannel::new;
    }
}

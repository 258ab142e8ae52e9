/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

class SocketAddressesTest extends io.netty.testsuite.transport.socket.SocketAddressesTest {
    @Override
    protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
        return VerbsChannels.both();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }

    @Override
    protected SocketAddress newSocketAddress() {
        return VerbsChannels.here(super.newSocketAddress());
    }

    @Override
    protected void assertAddress(SocketAddress address) {
        assertTrue(((InetSocketAddress) address).getPort() > 0);
        assertTrue(!((InetSocketAddress) address).getAddress().isAnyLocalAddress());
    }
}

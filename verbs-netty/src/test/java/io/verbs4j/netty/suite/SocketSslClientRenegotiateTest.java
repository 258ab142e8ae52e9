/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import java.util.List;
import org.junit.jupiter.api.TestInfo;

class SocketSslClientRenegotiateTest extends io.netty.testsuite.transport.socket.SocketSslClientRenegotiateTest {
    @Override
    protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
        return VerbsChannels.both();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }

    @Override
    @NotRun("the suite runs it only with OpenSSL")
    public void testSslRenegotiationRejected(
            SslContext serverContext, SslContext clientContext, boolean delegate, TestInfo info) {
        // not run
    }
}

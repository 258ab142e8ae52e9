/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import java.util.List;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SocketSslSessionReuseTest extends io.netty.testsuite.transport.socket.SocketSslSessionReuseTest {
    @Override
    protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
        return VerbsChannels.both();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }

    /** Only with the JDK's TLS: OpenSSL is not among the build's libraries. */
    @Override
    @ParameterizedTest
    @MethodSource("io.netty.testsuite.transport.socket.SocketSslSessionReuseTest#jdkOnly")
    public void testSslSessionTrustManagerResumption(SslContextBuilder server, SslContextBuilder client, TestInfo info)
            throws Throwable {
        super.testSslSessionTrustManagerResumption(server, client, info);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import java.util.List;
import org.junit.jupiter.api.TestInfo;

class ServerSocketSuspendTest extends io.netty.testsuite.transport.socket.ServerSocketSuspendTest {
    @Override
    protected List<BootstrapFactory<ServerBootstrap>> newFactories() {
        return VerbsChannels.servers();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }

    @Override
    @NotRun("disabled in the suite")
    public void testSuspendAndResumeAccept(TestInfo info) {
        // not run
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import java.util.List;
import org.junit.jupiter.api.TestInfo;

class SocketChannelNotYetConnectedTest extends io.netty.testsuite.transport.socket.SocketChannelNotYetConnectedTest {
    @Override
    protected List<BootstrapFactory<Bootstrap>> newFactories() {
        return VerbsChannels.clients();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }

    @Override
    @NotRun("uses a TCP server")
    public void readMustBePendingUntilChannelIsActive(TestInfo info) {
        // not run
    }
}

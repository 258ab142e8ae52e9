/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import java.util.List;

class WriteBeforeRegisteredTest extends io.netty.testsuite.transport.socket.WriteBeforeRegisteredTest {
    @Override
    protected List<BootstrapFactory<Bootstrap>> newFactories() {
        return VerbsChannels.clients();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return VerbsChannels.allocators();
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.gsi.ShortLivedClientsProgram.Client;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.provider.rxe.port.Port;
import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.Patience;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Nothing in a device refers to the last client once it is gone: otherwise its ring would stay mapped. */
@Tag("attack")
@EnabledOnOs(OS.LINUX)
@Timeout(Patience.TEST_SECONDS)
class GoneClientTest {
    private final List<WeakReference<?>> left = new ArrayList<>();

    @Test
    void serverForgetsQueuePairAndRingOfItsLastClient() throws Exception {
        LinkOptions options = TestContext.oneCopy();
        try (Party server = new Party(TestContext.open(options));
                CmListener listener = CmListener.listen(server.context, new InetSocketAddress(0), 1)) {
            serveOne(server, listener);
            long end = System.nanoTime() + Patience.NANOS;
            while (left.stream().anyMatch(one -> one.get() != null)) {
                assertThat(System.nanoTime())
                        .as("%s", left.stream().map(WeakReference::get).toList())
                        .isLessThan(end);
                System.gc();
                Thread.sleep(50);
            }
        }
    }

    private void serveOne(Party server, CmListener listener) throws Exception {
        Port port = ((TestContext) server.context).port();
        Link link = port.openLinks().get(0);
        InetSocketAddress address = new InetSocketAddress(
                link.localGid().toInetAddress(), listener.address().getPort());
        AtomicReference<Client> made = new AtomicReference<>();
        CompletableFuture<Void> connects = OwnThreads.run(() -> made.set(new Client(address, 1)));
        try (CmConnection c = listener.accept(
                server.pd, server.attr(), ConnParam.DEFAULT, server::receive, Patience.SECONDS, TimeUnit.SECONDS)) {
            connects.get(Patience.SECONDS, TimeUnit.SECONDS);
            Client client = made.get();
            client.awaitRing();
            left.add(new WeakReference<>(port.find(c.queuePair().qpNum())));
            client.send(6);
            assertThat(server.received()).isEqualTo(6);
            left.add(new WeakReference<>(client.awaitRingFrom(link)));
            server.send(c.queuePair(), 7);
            server.completed(1);
            client.receive(6);
            client.close();
            c.awaitDisconnected(Patience.SECONDS, TimeUnit.SECONDS);
        }
    }
}

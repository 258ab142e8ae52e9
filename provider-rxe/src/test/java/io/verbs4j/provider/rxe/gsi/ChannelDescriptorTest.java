/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.TestContext;
import io.verbs4j.provider.rxe.link.EventLoop;
import io.verbs4j.provider.rxe.link.LinkOptions;
import io.verbs4j.testsupport.OwnThreads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The descriptor of an event channel, as an event loop outside Java sees it. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ChannelDescriptorTest {
    private static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);

    private final EventLoop loop = new EventLoop();
    private final Context context = open(0);
    private final EventChannel channel = EventChannel.create();

    private static Context open(int index) {
        List<Device> embedded = Verbs.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .toList();
        return Verbs.open(embedded.get(index), VerbsLevel.CURRENT);
    }

    @AfterEach
    void close() {
        channel.close();
        context.close();
        loop.close();
    }

    private CmId newId() {
        return channel.createId(context, PortSpace.TCP);
    }

    /** One event. */
    private void resolve(CmId id) {
        id.resolveAddress(null, ANYWHERE, 1, TimeUnit.SECONDS);
    }

    private CmEvent look() {
        return channel.getEvent(0, TimeUnit.SECONDS);
    }

    private boolean isReadable() {
        return loop.isReadable(channel.descriptor());
    }

    @Test
    void descriptorComesWithFirstIdAndStays() {
        assertThat(channel.descriptor()).isEqualTo(-1);
        CmId first = newId();
        int number = channel.descriptor();
        assertThat(number).isPositive();
        first.close();
        newId();
        assertThat(channel.descriptor()).isEqualTo(number);
        assertThat(loop.isOpen(number)).isTrue();
        channel.close();
        assertThat(loop.isOpen(number)).isFalse();
        assertThat(channel.descriptor()).isEqualTo(-1);
    }

    @Test
    void descriptorStaysWhenDeviceIsClosed() {
        CmId own = newId();
        assertThat(isReadable()).isFalse();
        own.close();
        context.close();
        try (Context other = open(1)) {
            CmId id = channel.createId(other, PortSpace.TCP);
            resolve(id);
            assertThat(isReadable()).isTrue();
            assertThat(look().id()).isSameAs(id);
            assertThat(isReadable()).isFalse();
            id.close();
        }
    }

    @Test
    void readableFromFirstEventToLast() {
        CmId a = newId();
        CmId b = newId();
        assertThat(isReadable()).isFalse();
        resolve(a);
        resolve(b);
        assertThat(isReadable()).isTrue();
        assertThat(look().type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        assertThat(isReadable()).as("readable with one event left").isTrue();
        assertThat(look().type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        assertThat(isReadable()).isFalse();
        a.resolveRoute(1, TimeUnit.SECONDS);
        assertThat(isReadable()).isTrue();
        a.close();
        assertThat(isReadable()).as("readable after its id closed").isFalse();
    }

    @Test
    void earlierEventMakesItReadable() {
        resolve(newId());
        assertThat(isReadable()).isTrue();
        assertThat(look()).isNotNull();
        assertThat(isReadable()).isFalse();
    }

    @Test
    void wakeUpMakesItReadableUntilTaken() {
        channel.wakeup();
        newId();
        assertThat(isReadable()).isTrue();
        assertThat(look()).isNull();
        assertThat(isReadable()).isTrue();
        assertThat(channel.getEvent()).isNull();
        assertThat(isReadable()).isFalse();
        channel.wakeup();
        assertThat(isReadable()).isTrue();
    }

    @Test
    void fullDescriptorTableLeavesNone() {
        resolve(newId());
        int[] answers = new int[1];
        loop.withoutFiles(() -> answers[0] = channel.descriptor());
        assertThat(answers).containsExactly(-1);
        assertThat(isReadable()).as("descriptor opened later is readable").isTrue();
    }

    @Test
    void noDescriptorWithoutSystemCalls() {
        LinkOptions options = LinkOptions.defaults().withKind(LinkOptions.Kind.NIO);
        try (TestContext other = TestContext.open(options)) {
            CmId id = channel.createId(other, PortSpace.TCP);
            assertThat(channel.descriptor()).isEqualTo(-1);
            newId();
            assertThat(channel.descriptor())
                    .as("descriptor from the other id's device")
                    .isPositive();
            resolve(id);
            assertThat(isReadable()).isTrue();
            id.close();
        }
    }

    /** Another device's requests, delivered by the threads of the connection manager. */
    @Test
    void noEdgeIsLostBetweenTwoThreads() throws Exception {
        int peers = 50;
        CmId listener = newId();
        listener.bind(new InetSocketAddress(0));
        listener.listen(peers);
        InetSocketAddress address = new InetSocketAddress(
                context.queryGid(1, 0).toInetAddress(), listener.localAddress().getPort());
        int fd = channel.descriptor();
        try (Party client = new Party(open(1));
                EventChannel asking = EventChannel.create()) {
            CompletableFuture<Void> all = OwnThreads.run(() -> {
                for (int i = 0; i < peers; i++) {
                    ask(asking, client, address);
                }
            });
            int asked = 0;
            while (asked < peers) {
                assertThat(loop.awaitReadable(fd)).as("request " + asked).isTrue();
                for (CmEvent event; (event = look()) != null; asked++) {
                    assertThat(event.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
                }
            }
            all.get(60, TimeUnit.SECONDS);
        }
    }

    private static void ask(EventChannel channel, Party client, InetSocketAddress address) {
        CmId id = channel.createId(client.context, PortSpace.TCP);
        id.resolveAddress(null, address, 1, TimeUnit.SECONDS);
        assertThat(channel.getEvent(60, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(1, TimeUnit.SECONDS);
        assertThat(channel.getEvent(60, TimeUnit.SECONDS).type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        id.createQp(client.pd, client.attr());
        id.connect(ConnParam.DEFAULT);
    }
}

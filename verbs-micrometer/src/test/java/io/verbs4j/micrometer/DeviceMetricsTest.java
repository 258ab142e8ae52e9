/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import io.verbs4j.rxedv.RxeDv;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DeviceMetricsTest {
    private static final int SECONDS = 60;

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private double value(String name, String... tags) {
        return registry.get("verbs4j." + name).tags(tags).functionCounter().count();
    }

    private static QpInitAttr attr(CompletionQueue cq) {
        return new QpInitAttr()
                .qpType(QpType.RC)
                .sendCq(cq)
                .recvCq(cq)
                .cap(new QpCap().maxSendWr(4).maxSendSge(1).maxRecvWr(4).maxRecvSge(1));
    }

    /** A connection between two devices takes a few packets each way. */
    @Test
    void packetsOfConnectionAreCounted() throws Exception {
        List<Device> devices = Verbs.devices();
        try (Context context = Verbs.open(devices.get(0), VerbsLevel.CURRENT);
                Context other = Verbs.open(devices.get(1), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd();
                ProtectionDomain othersPd = other.allocPd();
                CompletionQueue cq = context.createCq(16);
                CompletionQueue othersCq = other.createCq(16);
                CmListener listener = CmListener.listen(other, new InetSocketAddress(0), 1)) {
            new DeviceMetrics(context).bindTo(registry);
            new DeviceMetrics(other, Tags.of("of", "peer")).bindTo(registry);
            String device = context.device().name();
            double before = value("packets", "device", device, "direction", "tx");

            CompletableFuture<CmConnection> client = CmConnection.connectAsync(
                    pd,
                    listener.address(),
                    attr(cq),
                    ConnParam.DEFAULT,
                    qp -> {},
                    SECONDS,
                    TimeUnit.SECONDS,
                    task -> new Thread(task).start());
            try (CmConnection server = listener.accept(othersPd, attr(othersCq), SECONDS, TimeUnit.SECONDS);
                    CmConnection connection = client.get()) {
                assertThat(server.queuePair().qpNum())
                        .isNotEqualTo(connection.queuePair().qpNum());
            }
            assertThat(value("packets", "device", device, "direction", "tx") - before)
                    .isGreaterThanOrEqualTo(2);
            assertThat(value("bytes", "device", device, "direction", "tx", "way", "packets"))
                    .isGreaterThanOrEqualTo(2 * 256);
            assertThat(value("packets", "of", "peer", "direction", "rx")).isGreaterThanOrEqualTo(2);
        }
    }

    /** Each counter of the device has one meter, and the number of names does not grow. */
    @Test
    void eachCounterHasOneMeter() {
        try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT)) {
            new DeviceMetrics(context).bindTo(registry);
            Set<String> names = registry.getMeters().stream()
                    .map(meter -> meter.getId().getName())
                    .collect(Collectors.toSet());
            assertThat(names)
                    .containsExactlyInAnyOrder("verbs4j.packets", "verbs4j.bytes", "verbs4j.drops", "verbs4j.events");
            assertThat(registry.getMeters())
                    .hasSameSizeAs(context.vendor(RxeDv.class).counters().keySet());
            assertThat(value("drops", "direction", "rx", "reason", "unknown_qp"))
                    .isZero();
            assertThat(value("drops", "direction", "tx", "reason", "onecopy_full"))
                    .isZero();
            assertThat(value("events", "event", "timeouts")).isZero();
        }
    }

    /** The registry reads the device's counters, to which nothing else needs to refer. */
    @Test
    void metersOutliveBinderAndContext() {
        try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT)) {
            new DeviceMetrics(context).bindTo(registry);
        }
        System.gc();
        FunctionCounter packets =
                registry.get("verbs4j.packets").tags("direction", "tx").functionCounter();
        assertThat(packets.count()).isNotNaN().isGreaterThanOrEqualTo(0);
    }

    @Test
    void nullContextFails() {
        assertThatThrownBy(() -> new DeviceMetrics(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("context");
    }
}

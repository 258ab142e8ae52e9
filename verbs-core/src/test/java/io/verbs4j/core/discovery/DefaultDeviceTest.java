/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.PortAttr;
import io.verbs4j.PortState;
import io.verbs4j.VerbsException;
import io.verbs4j.core.Fakes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order of the list, and the device that a program gets where it has no reason for another. */
class DefaultDeviceTest {
    private static final class Dev extends Device {
        private final ContextOps ops = mock(ContextOps.class);

        Dev(String name, int kind, int... portStates) {
            super(name, 1, 1, 0, kind);
            doAnswer(i -> i.<DeviceAttr>getArgument(0).physPortCnt(portStates.length))
                    .when(ops)
                    .queryDevice(any());
            doAnswer(i -> i.<PortAttr>getArgument(1).state(portStates[i.<Integer>getArgument(0) - 1]))
                    .when(ops)
                    .queryPort(anyInt(), any());
        }
    }

    private static Library library(Dev... devices) {
        List<DiscoveredProvider> found = new ArrayList<>();
        for (Dev device : devices) {
            Fakes.FakeProvider provider =
                    new Fakes.FakeProvider("of-" + device.name().replace('_', '-'), device);
            provider.opener = (d, context) -> device.ops;
            found.add(provider.found());
        }
        return new Library(() -> found, TimeLimit::ofProperty);
    }

    @Test
    void hardwareComesFirstAndEmbeddedLast() {
        Library library = library(
                new Dev("rxe_emb0", DeviceKind.EMBEDDED),
                new Dev("rxe0", DeviceKind.KERNEL),
                new Dev("mlx5_0", DeviceKind.HARDWARE),
                new Dev("later0", 99),
                new Dev("siw0", DeviceKind.KERNEL));

        assertThat(library.devices().stream().map(Device::name))
                .containsExactly("mlx5_0", "later0", "rxe0", "siw0", "rxe_emb0");
    }

    @Test
    void defaultIsFirstWithActivePort() {
        Dev embedded = new Dev("rxe_emb0", DeviceKind.EMBEDDED, PortState.ACTIVE);
        Dev down = new Dev("mlx5_0", DeviceKind.HARDWARE, PortState.DOWN, PortState.INIT);
        Dev up = new Dev("mlx5_1", DeviceKind.HARDWARE, PortState.DOWN, PortState.ACTIVE);
        Dev broken = new Dev("bad0", DeviceKind.HARDWARE, PortState.ACTIVE);
        doThrow(new VerbsException(Errno.EIO, "query_device", "no answer"))
                .when(broken.ops)
                .queryDevice(any());

        assertThat(library(embedded, broken, down, up).defaultDevice(null)).isSameAs(up);
        assertThat(library(embedded, broken, down).defaultDevice("")).isSameAs(embedded);
        Stream.of(down, broken).forEach(device -> verify(device.ops, times(2)).close());
        verify(up.ops).close();
    }

    @Test
    void propertyNamesDefaultDevice() {
        Dev up = new Dev("mlx5_0", DeviceKind.HARDWARE, PortState.ACTIVE);
        Dev embedded = new Dev("rxe_emb0", DeviceKind.EMBEDDED, PortState.ACTIVE);

        assertThat(library(up, embedded).defaultDevice(" rxe_emb0 ")).isSameAs(embedded);
        assertFails(Errno.ENODEV, () -> library(up).defaultDevice("rxe_emb0"), "no device 'rxe_emb0'", "mlx5_0");
    }

    @Test
    void missingDefaultFailsWithReasonsAndReport() {
        Dev down = new Dev("mlx5_0", DeviceKind.HARDWARE, PortState.DOWN);

        assertFails(
                Errno.ENODEV,
                () -> library(down).defaultDevice(null),
                "mlx5_0: none of its ports (1) is active",
                "verbs4j library level");
        assertFails(Errno.ENODEV, () -> library().defaultDevice(null), "no providers found");
        assertFails(Errno.ENODEV, () -> library(down).device("mlx5_9"), "no device 'mlx5_9'", "of-mlx5-0");
        assertThat(library(down).device("mlx5_0")).isSameAs(down);
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.VerbsProvider;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Without verbs-rdma-core on the path there are the embedded devices alone, and nothing is broken. */
class WithoutBindingTest {
    @Test
    void theEmbeddedDevicesAreThere() throws Exception {
        URL[] path = Stream.of(VerbsProvider.class, RxeProvider.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = Class.forName("io.verbs4j.provider.rxe.RxeProvider", true, loader);
            // As the service loader does: it looks at every constructor and method.
            assertThat(type.getDeclaredMethods()).isNotEmpty();
            Object provider = type.getConstructor().newInstance();
            List<?> devices = (List<?>) type.getMethod("devices").invoke(provider);
            assertThat(devices).extracting(Object::toString).allMatch(device -> device.contains("rxe_emb"));
            assertThat(devices).isNotEmpty();
        }
    }
}

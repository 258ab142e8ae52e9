/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.NativeClaim;
import io.verbs4j.spi.VerbsProvider;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.testsupport.program.Suite;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Without verbs-rdma-core on the path only the embedded devices exist, and they work. */
class WithoutBindingTest {
    private static final int SECONDS = 300;

    @Test
    void embeddedDevicesAreListedWithoutBinding() throws Exception {
        URL[] path = Stream.of(VerbsProvider.class, NativeMemory.class, RxeProvider.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = Class.forName("io.verbs4j.provider.rxe.RxeProvider", true, loader);
            // Like the service loader, which looks at every constructor and method.
            assertThat(type.getDeclaredMethods()).isNotEmpty();
            Object provider = type.getConstructor().newInstance();
            List<?> devices = (List<?>) type.getMethod("devices").invoke(provider);
            assertThat(devices).extracting(Object::toString).allMatch(device -> device.contains("rxe_emb"));
            assertThat(devices).isNotEmpty();
        }
    }

    /** Failing requests, with a recording and without. */
    @Test
    void failedRequestsDoNotNeedBinding() throws Exception {
        List<String> command = new ArrayList<>(Jdk.own().command(List.of("-Dio.verbs4j.rxe.devices=2"), Suite.class));
        String binding = Path.of(NativeClaim.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        command.replaceAll(word -> Stream.of(word.split(File.pathSeparator))
                .filter(entry -> !entry.equals(binding))
                .collect(Collectors.joining(File.pathSeparator)));
        command.addAll(List.of("io.verbs4j.provider.rxe.flight", ".*FlightRecordingTest"));
        assertThat(Program.run(command, SECONDS).text()).containsPattern("passed [1-9]");
    }
}

/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JavaCommandTest {
    @Test
    void newerJvmsGetFlagsForJna() {
        assertThat(JavaCommand.flags(17)).isEmpty();
        assertThat(JavaCommand.flags(22)).isEmpty();
        assertThat(JavaCommand.flags(23)).containsExactly("--sun-misc-unsafe-memory-access=allow");
        assertThat(JavaCommand.flags(25))
                .containsExactly("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    }

    @Test
    void secondProcessGetsJvmOptionsExceptExclusiveOnes() {
        assertThat(JavaCommand.options(
                        "-XX:+UseSerialGC",
                        "-Xlog:gc:file=gc.txt",
                        "-XX:SharedArchiveFile=a.jsa",
                        "-agentlib:jdwp=transport=dt_socket,address=1234",
                        "-Xmx64m",
                        "-cp",
                        "a.jar",
                        "io.verbs4j.tools.Main",
                        "bench",
                        "-Xnone"))
                .containsExactly("-XX:+UseSerialGC", "-Xmx64m");
        assertThat(JavaCommand.options()).isEmpty();
        assertThat(JavaCommand.of(List.of())).contains("-XX:+UseParallelGC"); // pom.xml gives this JVM the option
    }

    @Test
    void secondProcessGetsClassPathAndProperties() {
        System.setProperty("io.verbs4j.test.one", "a b");
        System.setProperty("io.verbs4j.rxe.pcap", "one file");
        try {
            List<String> command = JavaCommand.of(List.of("bench", "--server"));
            assertThat(command)
                    .contains("-Dio.verbs4j.test.one=a b", System.getProperty("java.class.path"))
                    .endsWith("io.verbs4j.tools.Main", "bench", "--server")
                    .noneMatch(a -> a.contains("pcap"));
        } finally {
            System.clearProperty("io.verbs4j.test.one");
            System.clearProperty("io.verbs4j.rxe.pcap");
        }
    }

    /**
     * Both processes look for each other in the same temporary folder, use the same address family, and load JNA the
     * same way.
     */
    @Test
    void secondProcessGetsSharedSystemProperties() {
        Map<String, String> given =
                Map.of("java.io.tmpdir", "/elsewhere", "java.net.preferIPv4Stack", "true", "jna.nosys", "true");
        Map<String, String> before = new HashMap<>();
        given.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        String loaded = System.setProperty("jna.loaded", "true");
        try {
            assertThat(JavaCommand.of(List.of()))
                    .contains("-Djava.io.tmpdir=/elsewhere", "-Djava.net.preferIPv4Stack=true", "-Djna.nosys=true")
                    .noneMatch(argument -> argument.contains("jna.loaded"));
        } finally {
            before.put("jna.loaded", loaded);
            before.forEach(JavaCommandTest::restore);
        }
    }

    private static void restore(String name, String value) {
        if (value == null) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, value);
        }
    }

    @Test
    void secondProcessGetsProviderJars() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ProviderJars used = ProviderJars.use(List.of(Path.of("a b.jar"), Path.of("/c.jar")));
        try {
            assertThat(JavaCommand.of(List.of("bench", "--server")))
                    .endsWith(
                            "io.verbs4j.tools.Main",
                            "--provider=" + Path.of("a b.jar").toAbsolutePath(),
                            "--provider=/c.jar",
                            "bench",
                            "--server");
        } finally {
            used.close();
        }
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }
}

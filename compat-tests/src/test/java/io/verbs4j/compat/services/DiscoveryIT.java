/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.verbs4j.compat.built.Javac;
import io.verbs4j.testsupport.program.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A program finds the provider if its jar is present, and says so otherwise: on both paths, on each JDK. */
class DiscoveryIT {
    private static final String PROGRAM = """
            package app;

            import io.verbs4j.core.ProviderReport;
            import io.verbs4j.core.Verbs;

            public final class ListDevices {
                public static void main(String[] args) {
                    System.out.println("path: " + (ListDevices.class.getModule().isNamed() ? "modules" : "classes"));
                    Verbs.devices().forEach(device -> System.out.println("device: " + device.name()));
                    for (ProviderReport.Entry entry : Verbs.report().entries()) {
                        System.out.println((entry.used() ? "used: " : "set aside: ") + entry.className());
                        System.out.println("from: " + entry.location());
                        System.err.println(entry);
                    }
                }
            }
            """;

    private static final String MODULE = "module app { requires io.verbs4j.core; }";

    @TempDir
    static Path scratch;

    private static Path jars;

    @BeforeAll
    static void compileProgram() {
        String folder = System.getProperty("verbs4j.jars");
        assertThat(folder)
                .as("system property verbs4j.jars: these tests run in ./mvnw verify, which copies the jars")
                .isNotNull();
        jars = Path.of(folder);
        Map<String, String> sources = Map.of("app/ListDevices.java", PROGRAM);
        Javac.compile(sources, scratch.resolve("classes"), List.of("-cp", path("verbs-spi", "verbs-core")));
        Javac.compile(
                Map.of("module-info.java", MODULE, "app/ListDevices.java", PROGRAM),
                scratch.resolve("modules"),
                List.of("-p", path("verbs-spi", "verbs-core")));
    }

    private static String path(String... artifacts) {
        List<String> files = new ArrayList<>();
        for (String artifact : artifacts) {
            Path jar = jars.resolve(artifact + ".jar");
            assertThat(Files.isRegularFile(jar)).as("is there: %s", jar).isTrue();
            files.add(jar.toString());
        }
        return String.join(File.pathSeparator, files);
    }

    private static ChildJvm onClassPath(Jdk jdk, String... artifacts) throws InterruptedException {
        String path = scratch.resolve("classes") + File.pathSeparator + path(artifacts);
        return ChildJvm.run(jdk, scratch, List.of("-cp", path, "app.ListDevices"));
    }

    private static ChildJvm onModulePath(Jdk jdk, String... artifacts) throws InterruptedException {
        List<String> arguments = new ArrayList<>();
        arguments.add("-p");
        arguments.add(scratch.resolve("modules") + File.pathSeparator + path(artifacts));
        if (Arrays.asList(artifacts).contains("jna")) {
            // The provider can work without JNA, so it does not resolve it.
            arguments.addAll(List.of("--add-modules", "com.sun.jna"));
        }
        arguments.addAll(List.of("-m", "app/app.ListDevices"));
        return ChildJvm.run(jdk, scratch, arguments);
    }

    static Stream<Arguments> jdks() throws IOException {
        return Jdk.all().stream()
                .flatMap(jdk -> Stream.of(arguments(jdk, List.of("jna")), arguments(jdk, List.<String>of())));
    }

    private static String[] withProvider(List<String> more) {
        return Stream.concat(
                        Stream.of("verbs-spi", "verbs-core", "verbs-native", "verbs-rdma-core", "provider-rxe"),
                        more.stream())
                .toArray(String[]::new);
    }

    @ParameterizedTest(name = "{0}, with {1}")
    @MethodSource("jdks")
    void providerIsFoundOnClassPath(Jdk jdk, List<String> more) throws InterruptedException {
        assertFound(onClassPath(jdk, withProvider(more)), "path: classes");
    }

    @ParameterizedTest(name = "{0}, with {1}")
    @MethodSource("jdks")
    void providerIsFoundOnModulePath(Jdk jdk, List<String> more) throws InterruptedException {
        assertFound(onModulePath(jdk, withProvider(more)), "path: modules");
    }

    /** The provider comes only from its jar: without it, nothing is found and nothing fails. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.verbs4j.testsupport.program.Jdk#all")
    void nothingIsFoundWithoutProvider(Jdk jdk) throws InterruptedException {
        ChildJvm classes = onClassPath(jdk, "verbs-spi", "verbs-core");
        assertThat(classes.out()).as("%s", classes).containsExactly("path: classes");
        assertThat(classes.status()).as("%s", classes).isZero();
        ChildJvm modules = onModulePath(jdk, "verbs-spi", "verbs-core");
        assertThat(modules.out()).as("%s", modules).containsExactly("path: modules");
        assertThat(modules.status()).as("%s", modules).isZero();
    }

    private static void assertFound(ChildJvm jvm, String path) {
        assertThat(jvm.status()).as("exit status of %s", jvm).isZero();
        assertThat(jvm.out())
                .as("output of %s", jvm)
                .startsWith(path)
                .contains("device: rxe_emb0", "used: io.verbs4j.provider.rxe.RxeProvider")
                .noneMatch(line -> line.startsWith("set aside: "))
                .filteredOn(line -> line.startsWith("from: "))
                .extracting(line -> line.substring(line.lastIndexOf('/') + 1))
                .containsExactlyInAnyOrder("provider-rxe.jar", "verbs-rdma-core.jar");
    }
}
